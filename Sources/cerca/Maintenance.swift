internal import Discovery
internal import Logging
internal import ServiceLifecycle

/// Moves pings from the log into the tables every few seconds, writes how long people stayed and decides how fine public cells are
/// when it is time to, deletes what has been kept long enough, finishes begun deletions and ends of friendships, and keeps the
/// write-ahead log short.
struct Maintenance: Service {
    private static let pause = Duration.seconds(2)

    let live: Live
    /// The bytes beyond which the write-ahead log is too long.
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
                    try await live.observe(clock: Clock.now(), elapsed: Clock.elapsed())
                    clock.tell(live.trust, logger)
                    try await live.fold()
                    if live.keepsAll {
                        if !hasFinishedEnds { try await live.finishEnds(at: Clock.now()) }
                        hasFinishedEnds = true
                        try await keepAll(&clock)
                    }
                    try await live.tendShares(at: Clock.now())
                    try await live.keepLastHeard(dueAt: Clock.now())
                    try await live.forgetEvents()
                    try await keepLog(&isLong)
                } catch {
                    if Task.isCancelled { return }
                    logger.error(
                        "what was recorded could not be written into the tables, or deleted for its age",
                        metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Does what one machine does for all that follow the same log.
    private func keepAll(_ clock: inout ClockReport) async throws {
        try await live.keepSightings(dueAt: Clock.now())
        let now = Clock.now()
        try await live.levelCells(at: live.steady(at: now), certain: live.moment(of: now).lowerBound)
        clock.tell(deleted: try await expire(), logger)
        try await live.tellDwelling(at: Clock.now())
        try await finishDeletions()
    }

    /// Deletes what is too old, for a second: of many positions of one person each round finds some.
    ///
    /// - Returns: how many positions were deleted.
    private func expire() async throws -> Int {
        guard let past = live.trust.past else { return 0 }
        let end = ContinuousClock.now + .seconds(1)
        var count = 0
        while case let some = try await live.expire(now: past).count, some > 0 {
            count += some
            if ContinuousClock.now >= end { break }
        }
        return count
    }

    /// Goes on with deletions of people that have begun, for a second.
    private func finishDeletions() async throws {
        let end = ContinuousClock.now + .seconds(1)
        while try await live.finishDeletion(at: Clock.now()), ContinuousClock.now < end {}
    }

    /// Says so when somebody begins to keep the log from being emptied, and when nobody does any more.
    private func keepLog(_ wasLong: inout Bool) async throws {
        let size = try await live.keepLog(below: longestLog)
        let isLong = size > longestLog
        if isLong, !wasLong {
            logger.warning(
                "the write-ahead log has \(size) bytes and cannot be emptied: a program reads the file all the time")
        }
        if wasLong, !isLong { logger.info("the write-ahead log could be emptied") }
        wasLong = isLong
    }
}
