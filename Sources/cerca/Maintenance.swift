internal import Discovery
internal import Logging
internal import ServiceLifecycle

/// Periodic maintenance of the tables and logs.
///
/// Compacts pings from the log into the tables every few seconds, writes stays and resolutions of public cells when
/// they are due, deletes by age, completes deletions of people and ends of friendships, and keeps the write-ahead log
/// short.
struct Maintenance: Service {
    private static let pause = Duration.seconds(2)

    let engine: Engine
    /// Maximum size of the write-ahead log, in bytes.
    let longestLog: Int
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isLong = false
            var clock = ClockReport()
            var hasFinishedEnds = false
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: Self.pause)
                    try await engine.observe(clock: Clock.now(), elapsed: Clock.elapsed())
                    clock.report(engine.trust, logger)
                    try await engine.compact()
                    if engine.keepsAll {
                        if !hasFinishedEnds { try await engine.finishEnds(at: Clock.now()) }
                        hasFinishedEnds = true
                        try await keepAll(&clock)
                    }
                    try await engine.tendShares(at: Clock.now())
                    try await engine.keepLastHeard(dueAt: Clock.now())
                    try await engine.forgetEvents()
                    try await limitWAL(&isLong)
                } catch {
                    if Task.isCancelled { return }
                    logger.error(
                        "pings could not be compacted into the tables, or deleted because of their age",
                        metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Runs the maintenance that only one node of a cluster runs.
    private func keepAll(_ clock: inout ClockReport) async throws {
        try await engine.writePendingStays(dueAt: Clock.now())
        let now = Clock.now()
        try await engine.updateCellLevels(at: engine.steady(at: now), certain: engine.moment(of: now).lowerBound)
        clock.report(deleted: try await expire(), logger)
        try await engine.fireTimedFences(at: Clock.now())
        try await finishDeletions()
    }

    /// Deletes expired positions for at most a second, a batch per round.
    ///
    /// - Returns: the number of deleted positions.
    private func expire() async throws -> Int {
        guard let past = engine.trust.past else { return 0 }
        let end = ContinuousClock.now + .seconds(1)
        var count = 0
        while case let some = try await engine.expire(now: past).count, some > 0 {
            count += some
            if ContinuousClock.now >= end { break }
        }
        return count
    }

    /// Continues unfinished deletions of people for at most a second.
    private func finishDeletions() async throws {
        let end = ContinuousClock.now + .seconds(1)
        while try await engine.finishDeletion(at: Clock.now()), ContinuousClock.now < end {}
    }

    /// Logs when a reader begins or ceases to prevent the write-ahead log from being emptied.
    private func limitWAL(_ wasLong: inout Bool) async throws {
        let size = try await engine.truncateWAL(above: longestLog)
        let isLong = size > longestLog
        if isLong, !wasLong {
            logger.warning(
                "the write-ahead log has \(size) bytes and cannot be emptied: another program holds a read transaction")
        }
        if wasLong, !isLong { logger.info("the write-ahead log could be emptied") }
        wasLong = isLong
    }
}
