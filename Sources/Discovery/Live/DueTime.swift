internal import Model

/// By when a wait must be over to be reported, whatever the clock shows.
struct DueTime: Codable, Sendable {
    /// What is due by then is over by every clock.
    var certain: Timestamp
    /// What began in this run is over when it is due by then: both are of a clock that went on evenly.
    var now: Timestamp
    /// When this run began, by the same clock.
    var begun: Timestamp

    /// A clock that nothing speaks against.
    static func clock(_ now: Timestamp) -> DueTime { DueTime(certain: now, now: now, begun: now) }

    /// Whether a wait of some length that ends at an instant is over.
    func reaches(_ due: Timestamp, after wait: Duration) -> Bool {
        due <= certain || due <= now && due - wait >= begun
    }

    /// Between which instants a wait that is over may have ended: after the first and up to the second.
    var spans: [(after: Timestamp, through: Timestamp)] {
        [(Timestamp(milliseconds: .min), certain), (max(certain, begun), now)]
    }
}
