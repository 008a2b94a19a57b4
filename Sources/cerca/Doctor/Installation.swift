internal import API
internal import Foundation
internal import Storage

extension Installation {
    /// The installation of a running service; of several findings about a subject the worst counts.
    ///
    /// The doctor's details stay on the machine, because they name files, users and settings.
    init(of settings: Settings, _ folder: URL) async {
        let now = Clock.now()
        let found =
            await ConfigurationDoctor(settings: settings, now: now).findings()
            + FolderDoctor(settings: settings, folder: folder, now: now).findings()
        let worst = Dictionary(found.map { ($0.subject, $0.state) }, uniquingKeysWith: max)
        let backups = (try? settings.backupFolder).map { BackupFolder.backups(in: $0, at: now).past }
        self.init(
            schema: FolderState.newestSchema,
            databaseBytes: Progress.size(of: folder.appending(path: Store.fileName).path),
            backup: backups?.last.map { (at: $0.time, bytes: Progress.size(of: $0.file.path)) },
            findings: worst.sorted { $0.key < $1.key }.map { (subject: $0.key, state: $0.value.rawValue) })
    }
}
