internal import API
internal import Foundation
internal import Model
internal import Storage

/// Checks the data folder, its contents, and the machine.
struct FolderDoctor {
    let settings: Settings
    let folder: URL
    let now: Timestamp

    func findings() -> [Finding] {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            let remedy = "The first start creates it; if data exist, 'data' or --data names another folder."
            return [.warning("folder", "\(folder.path) does not exist", remedy), libraries(), files(.nobody)]
        }
        let state = FolderState(of: folder)
        return permissions() + [service(state.holder)] + database(state)
            + [backups(), futureBackups(), disk(), libraries(), files(state.holder)].compactMap(\.self)
    }

    private func service(_ holder: FolderState.Holder) -> Finding {
        switch holder {
        case .nobody: .ok("service", "no process uses the folder")
        case .process(let number): .ok("service", "process \(number.map(String.init) ?? "unknown") uses the folder")
        }
    }

    // MARK: - The database

    private func database(_ state: FolderState) -> [Finding] {
        guard let contents = state.contents else {
            return [.ok("database", "none yet: the first start creates it")]
        }
        switch contents {
        case .success(let contents):
            return [schema(contents.schema), log(state), contents.newest.map(clock)].compactMap(\.self)
        case .failure(.newerSchema(let found, let known)):
            return [
                .fault(
                    "schema", "the file has schema \(found), written by a later program; this one knows up to \(known)",
                    Exit.downgradeRemedy)
            ]
        case .failure(.olderSchema(let found)):
            return [
                .fault(
                    "schema", "the file has schema \(found), written by a program before release 0.2.0",
                    Exit.upgradeRemedy)
            ]
        case .failure(let error):
            return [
                .fault(
                    "database", Exit.sentence(error, folder),
                    "'cerca check' reports the damage; 'cerca restore' replaces the file with a backup.")
            ]
        }
    }

    private func schema(_ version: Int) -> Finding {
        let newest = FolderState.newestSchema
        guard version < newest else { return .ok("schema", "\(version), which this program writes") }
        return .warning(
            "schema", "\(version); the next start brings it to \(newest), and older programs cannot read it then",
            "Write a backup first: 'cerca backup FILE'.")
    }

    private func log(_ state: FolderState) -> Finding? {
        guard let longest = try? settings.longestLog else { return nil }
        guard state.logBytes > longest else { return .ok("write-ahead log", Self.size(state.logBytes)) }
        return .warning(
            "write-ahead log", "\(Self.size(state.logBytes)), more than limits.wal_bytes (\(Self.size(longest)))",
            state.holder == .nobody
                ? "Empty it: 'cerca checkpoint', as the user of the service."
                : "A program reads the file all the time, such as QGIS or a backup: stop it.")
    }

    /// Phones may be ahead by a few minutes.
    private func clock(_ newest: Timestamp) -> Finding {
        guard newest > now + .seconds(300) else { return .ok("clock", now.rfc3339) }
        return .fault(
            "clock", "it shows \(now.rfc3339), and the database contains \(newest.rfc3339): one of them is wrong",
            "Set the clock ('timedatectl'). If it was ahead before, positions become suspect by themselves.")
    }

    private func backups() -> Finding? {
        guard let interval = try? settings.backupInterval, let folder = try? settings.backupFolder else { return nil }
        let remedy = "See the messages of the service. Is it running, and does \(folder.path) have room?"
        guard let newest = BackupFolder.backups(in: folder, at: now).past.last else {
            return .warning("backups", "\(folder.path) has none yet", remedy)
        }
        // A backup gets its name when it is complete.
        guard now - newest.time <= interval * 2 else {
            return .fault("backups", "the newest is of \(newest.time.rfc3339), older than twice backup.every", remedy)
        }
        return .ok("backups", "the newest is of \(newest.time.rfc3339)")
    }

    private func futureBackups() -> Finding? {
        guard let folder = try? settings.backupFolder,
            let omission = BackupFolder.omission(of: BackupFolder.backups(in: folder, at: now).future, at: now)
        else { return nil }
        return .fault(
            "backups", omission,
            "Restore one by its name ('cerca restore FILE') if it is wanted, or move them out of \(folder.path).")
    }

    // MARK: - The machine

    private func disk() -> Finding? {
        var disk = statvfs()
        guard statvfs(folder.path, &disk) == 0 else { return nil }
        let free = Int(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
        let size = Progress.size(of: folder.appending(path: Store.fileName).path)
        let detail = "\(Self.size(free)) free; the database has \(Self.size(size))"
        let log = (try? settings.longestLog) ?? 0
        guard free >= log else {
            return .fault("disk", "\(detail); the write-ahead log alone may take \(Self.size(log))", "Free some space.")
        }
        guard free >= size + log else {
            return .warning("disk", "\(detail), which a backup and a migration may need too", "Free some space.")
        }
        return .ok("disk", detail)
    }

    private func libraries() -> Finding {
        do throws(StorageError) {
            let libraries = try FolderState.libraries().map { "\($0.name) \($0.version)" }
            return .ok("libraries", libraries.joined(separator: ", "))
        } catch {
            return .fault("libraries", Exit.sentence(error, folder), "Install SpatiaLite and PROJ of one distribution.")
        }
    }

    private func files(_ holder: FolderState.Holder) -> Finding {
        var most = OpenFiles.most
        if case .process(let number?) = holder { most = OpenFiles.most(of: number) ?? most }
        let wanted = (try? settings.server.limits.connections) ?? 0
        guard most < wanted else { return .ok("open files", "\(most) at most") }
        return .warning(
            "open files", "\(most) at most, fewer than limits.connections (\(wanted))",
            "Raise LimitNOFILE of the unit, or 'ulimit -n'; or lower limits.connections.")
    }

    static func size(_ bytes: Int) -> String {
        bytes.formatted(.byteCount(style: .binary, spellsOutZero: false).locale(Locale(identifier: "en")))
    }
}
