internal import Discovery
internal import Logging
internal import Model

/// Logs doubts about the clock, and deletions by age.
struct ClockReport {
    /// Number of deleted positions that are logged immediately; fewer are logged at most once per hour.
    private static let many = 10_000

    private var isDoubtful = false
    private var isBehind = false
    private var deleted = 0
    private var reported: ContinuousClock.Instant?

    /// Logs when doubts about the clock begin and end.
    mutating func report(_ trust: ClockTrust, _ logger: Logger) {
        if let doubt = trust.doubt, !isDoubtful {
            // After a stop a clock in doubt is normal.
            let isLikeAStop = (.zero ... .seconds(86_400)).contains(doubt)
            logger.log(
                level: isLikeAStop ? .info : .warning,
                """
                the clock is ahead or behind, as after a stop or a jump: ages are not determined by it until it has run \
                steadily for long enough
                """, metadata: ["ahead_s": "\(Int(doubt.seconds))"])
        }
        if trust.isBehind, !isBehind {
            logger.warning(
                "the clock is behind: phones must keep positions in its future until it is right")
        }
        if isDoubtful, trust.doubt == nil { logger.notice("the clock is trusted again") }
        (isDoubtful, isBehind) = (trust.doubt != nil, trust.isBehind)
    }

    /// Logs the number of positions deleted by age: immediately if it is large, or after an hour without a message.
    mutating func report(deleted count: Int, _ logger: Logger) {
        deleted += count
        guard deleted > 0, deleted >= Self.many || reported.map({ .now - $0 >= .seconds(3600) }) ?? true else { return }
        logger.notice("\(deleted) positions were deleted because of their age")
        (deleted, reported) = (0, .now)
    }
}
