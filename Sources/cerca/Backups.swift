internal import Discovery
internal import Foundation
internal import Logging
internal import Model
internal import ServiceLifecycle
internal import Storage

/// Writes scheduled backups on a background thread.
struct Backups: Service {
    /// The interval of checks whether a backup is due, and the maximum interval of retries after a failure.
    private static let pause = Duration.seconds(1)
    private static let retryInterval = Duration.seconds(300)

    let file: URL
    let folder: URL
    let interval: Duration
    let count: Int
    let meters: BackupMeters
    let engine: Engine
    let logger: Logger

    /// The time that names and counts backups: monotonic since the start, so that a clock set ahead does not move it.
    private var now: Timestamp { engine.steady(at: engine.noticing(clock: Clock.now(), elapsed: Clock.elapsed())) }

    /// - Throws: ``SettingsError``.
    /// - Returns: nil if no backups are configured.
    init?(_ settings: Settings, of engine: Engine, _ logger: Logger) throws {
        guard let interval = try settings.backupInterval else { return nil }
        file = try settings.dataFolder.appending(path: Store.fileName)
        folder = try settings.backupFolder
        self.interval = interval
        count = try settings.keptBackups
        let known = BackupFolder.backups(in: folder, at: engine.steady(at: Clock.now()))
        meters = BackupMeters(of: engine.store, newest: known.past.last)
        (self.engine, self.logger) = (engine, logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var last: ContinuousClock.Instant?
            while !Task.isCancelled {
                var pause = Self.pause
                if isDue(last) {
                    if await write() { last = .now } else { pause = min(interval, Self.retryInterval) }
                }
                do { try await Task.sleep(for: pause) } catch { return }
            }
        }
    }

    /// Whether a backup is due.
    ///
    /// After the first backup of this run the interval is measured on the monotonic clock. Before it, the name of the
    /// newest backup that is not in the future counts.
    private func isDue(_ last: ContinuousClock.Instant?) -> Bool {
        if let last { return .now - last >= interval }
        let now = self.now
        guard let newest = BackupFolder.backups(in: folder, at: now).past.last else { return true }
        return now - newest.time >= interval
    }

    /// - Returns: whether a backup was written, or is no longer needed because the service stops.
    private func write() async -> Bool {
        let start = ContinuousClock.now
        do {
            let backups = try BackupFolder(folder)
            let backup = try await withTaskCancellationHandler {
                try await BackgroundExecutor.run { () throws(StorageError) in
                    try backups.write(file, at: now, keeping: count)
                }
            } onCancel: {
                backups.interrupt()
            }
            meters.wrote(backup)
            logger.info(
                "wrote and verified a backup",
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
