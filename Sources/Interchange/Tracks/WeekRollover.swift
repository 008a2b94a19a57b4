package import Model

/// A wrong time from a receiver that takes the GPS week, whose number of ten bits restarts after 1024 weeks, for the one
/// before the restart.
package enum WeekRollover {
    private static let week = Duration.seconds(7 * 86_400)

    /// Whether a time lies 1024 weeks before `now`: at most a week more, or a day less.
    ///
    /// Receivers with this fault send or record the current time, so other old times are believed.
    package static func isLikely(_ time: Timestamp, at now: Timestamp) -> Bool {
        let lateness = (now - time) - week * 1024
        return (.seconds(-86_400)) <= lateness && lateness <= week
    }
}

extension FieldError {
    /// The error of a time that is wrong by a rollover of the GPS week.
    package static func rolledOver(_ time: Timestamp) -> FieldError {
        FieldError(
            pointer: "/t", code: .refused,
            detail: "is \(time.rfc3339), 1024 weeks ago: the week number of the receiver may have rolled over")
    }
}
