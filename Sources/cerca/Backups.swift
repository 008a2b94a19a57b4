internal import Discovery
internal import Foundation
internal import Logging
internal import Model
internal import ServiceLifecycle
internal import Storage

/// Writes a backup when it is time to, aside from all that answers requests.
struct Backups: Service {
    /// How often it is asked whether it is time, and how long a failure is waited out at least.
    private static let pause = Duration.seconds(1)
    private static let patience = Duration.seconds(300)

    let file: URL
    let folder: URL
    let interval: Duration
    let count: Int
    let meters: BackupMeters
    let live: Live
    let logger: Logger

    /// The time by which backups are named and counted: that of this run, which a clock that is put ahead does not move.
    private var now: Timestamp { live.steady(at: live.noticing(clock: Clock.now(), elapsed: Clock.elapsed())) }

    /// - Throws: ``SettingsError``.
    /// - Returns: nil if no backups are wanted.
    init?(_ settings: Settings, of live: Live, _ logger: Logger) throws {
        guard let interval = try settings.backupInterval else { return nil }
        file = try settings.dataFolder.appending(path: Store.fileName)
        folder = try settings.backupFolder
        self.interval = interval
        count = try settings.keptBackups
        let known = BackupFolder.backups(in: folder, at: live.steady(at: Clock.now()))
        meters = BackupMeters(of: live.store, newest: known.past.last)
        (self.live, self.logger) = (live, logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var last: ContinuousClock.Instant?
            while !Task.isCancelled {
                var pause = Self.pause
                if isDue(last) {
                    if await write() { last = .now } else { pause = min(interval, Self.patience) }
                }
                do { try await Task.sleep(for: pause) } catch { return }
            }
        }
    }

    /// Whether it is time: since the last one of this run, which no clock that is put ahead or back can change, or else by
    /// the name of the newest, of those that are not of a time to come.
    private func isDue(_ last: ContinuousClock.Instant?) -> Bool {
        if let last { return .now - last >= interval }
        let now = self.now
        guard let newest = BackupFolder.backups(in: folder, at: now).past.last else { return true }
        return now - newest.time >= interval
    }

    /// - Returns: whether it was written, or need not be any more because the service stops.
    private func write() async -> Bool {
        let start = ContinuousClock.now
        do {
            let backups = try BackupFolder(folder)
            let backup = try await withTaskCancellationHandler {
                try await Aside.run { () throws(StorageError) in
                    try backups.write(file, at: now, keeping: count)
                }
            } onCancel: {
                backups.interrupt()
            }
            meters.wrote(backup)
            logger.info(
                "wrote a backup and found it sound",
                metadata: [
                    "file": "\(backup.file.lastPathComponent)", "bytes": "\(Progress.size(of: backup.file.path))",
                    "took_ms": "\((ContinuousClock.now - start).milliseconds)",
                ])
        } catch {
            guard !Task.isCancelled else { return true }
            meters.failed()
            let newest = BackupFolder.backups(in: folder, at: now).past.last.map { "of \($0.time.rfc3339)" } ?? "none"
            logger.error(
                "a backup could not be written; the newest is \(newest)",
                metadata: ["error": "\(Exit.sentence(StorageError(error), folder))"])
            return false
        }
        return true
    }
}
