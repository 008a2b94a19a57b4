internal import Model

/// The deadline of a timed wait, for any error of the clock.
struct DueTime: Codable, Sendable {
    /// Waits that are due by then are over by every clock.
    var certain: Timestamp
    /// Waits that began in this run and are due by then are over: this clock ran evenly since the start.
    var now: Timestamp
    /// The start of this run by the same clock.
    var begun: Timestamp

    /// The deadline by a clock that is trusted.
    static func clock(_ now: Timestamp) -> DueTime { DueTime(certain: now, now: now, begun: now) }

    /// Whether a wait of this length that ends at `due` is over.
    func reaches(_ due: Timestamp, after wait: Duration) -> Bool {
        due <= certain || due <= now && due - wait >= begun
    }

    /// The intervals in which a wait that is over may have ended, open at the start and closed at the end.
    var spans: [(after: Timestamp, through: Timestamp)] {
        [(Timestamp(milliseconds: .min), certain), (max(certain, begun), now)]
    }
}
