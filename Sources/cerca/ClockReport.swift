internal import Discovery
internal import Logging
internal import Model

/// What the log says of the clock, and of what is deleted because of what it shows.
struct ClockReport {
    /// So many deleted positions are worth a line at once, fewer a line an hour.
    private static let many = 10_000

    private var isDoubtful = false
    private var isBehind = false
    private var deleted = 0
    private var told: ContinuousClock.Instant?

    /// Says when the clock begins to be doubted, and when no more.
    mutating func tell(_ trust: ClockTrust, _ logger: Logger) {
        if let doubt = trust.doubt, !isDoubtful {
            // After a stop there is no other way to begin.
            let isLikeAStop = (.zero ... .seconds(86_400)).contains(doubt)
            logger.log(
                level: isLikeAStop ? .info : .warning,
                """
                the clock is ahead or behind, as after a stop or a jump: ages are not counted by it before it has gone on \
                evenly for long enough
                """, metadata: ["ahead_s": "\(Int(doubt.seconds))"])
        }
        if trust.isBehind, !isBehind {
            logger.warning(
                "the clock is behind: phones are told to keep positions of its future until it is right")
        }
        if isDoubtful, trust.doubt == nil { logger.notice("the clock is believed again") }
        (isDoubtful, isBehind) = (trust.doubt != nil, trust.isBehind)
    }

    /// Says how many positions were deleted for their age: at once if they are many, or if there were none for an hour.
    mutating func tell(deleted count: Int, _ logger: Logger) {
        deleted += count
        guard deleted > 0, deleted >= Self.many || told.map({ .now - $0 >= .seconds(3600) }) ?? true else { return }
        logger.notice("\(deleted) positions were deleted for their age")
        (deleted, told) = (0, .now)
    }
}
