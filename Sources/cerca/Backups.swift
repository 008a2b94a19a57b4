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
    let logger: Logger

    /// - Throws: ``SettingsError``.
    /// - Returns: nil if no backups are wanted.
    init?(_ settings: Settings, of store: Store, _ logger: Logger) throws {
        guard let interval = try settings.backupInterval else { return nil }
        file = try settings.dataFolder.appending(path: Store.fileName)
        folder = try settings.backupFolder
        self.interval = interval
        count = try settings.keptBackups
        meters = BackupMeters(of: store, newest: BackupFolder.backups(in: folder).last)
        self.logger = logger
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
    /// the name of the newest, unless that is of a time to come.
    private func isDue(_ last: ContinuousClock.Instant?) -> Bool {
        if let last { return .now - last >= interval }
        guard let newest = BackupFolder.backups(in: folder).last else { return true }
        let age = Clock.now() - newest.time
        return age >= interval || age < .zero
    }

    /// - Returns: whether it was written, or need not be any more because the service stops.
    private func write() async -> Bool {
        let start = ContinuousClock.now
        do {
            let backups = try BackupFolder(folder)
            let backup = try await withTaskCancellationHandler {
                try await Aside.run { () throws(StorageError) in
                    try backups.write(file, at: Clock.now(), keeping: count)
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
            let newest = BackupFolder.backups(in: folder).last.map { "of \($0.time.rfc3339)" } ?? "none"
            logger.error(
                "a backup could not be written; the newest is \(newest)",
                metadata: ["error": "\(Exit.sentence(StorageError(error), folder))"])
            return false
        }
        return true
    }
}
