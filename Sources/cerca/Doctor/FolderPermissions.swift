internal import Foundation
internal import Storage

/// Checks the owners and permissions of the data folder and its files.
extension FolderDoctor {
    private struct Entry {
        let path: String
        let owner, group: UInt32
        let mode: Int

        /// Returns nil if the file does not exist, or its attributes cannot be read.
        init?(_ path: String) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let owner = attributes[.ownerAccountID] as? NSNumber,
                let group = attributes[.groupOwnerAccountID] as? NSNumber,
                let mode = attributes[.posixPermissions] as? NSNumber
            else { return nil }
            (self.path, self.mode) = (path, mode.intValue)
            (self.owner, self.group) = (owner.uint32Value, group.uint32Value)
        }

        var octal: String { String(mode, radix: 8) }
        var isShared: Bool { mode & 0o077 != 0 }
        /// Whether users other than the owner may write to it; the owner's primary group counts as the owner.
        var isOpen: Bool { mode & 0o002 != 0 || mode & 0o020 != 0 && group != getpwuid(owner)?.pointee.pw_gid }
    }

    func permissions() -> [Finding] {
        guard let home = Entry(folder.resolvingSymlinksInPath().path) else { return [] }
        var findings: [Finding] = []
        let user = geteuid()
        if home.owner != user, user != 0 {
            findings.append(
                .fault(
                    "permissions",
                    "\(home.path) belongs to \(Self.name(home.owner)), but this process runs as \(Self.name(user))",
                    "Run this as root, or as the user of the service: 'sudo -u \(Self.name(home.owner)) cerca doctor ...'."
                ))
        } else if access(home.path, W_OK | X_OK) != 0 {
            findings.append(
                .fault(
                    "permissions", "\(home.path) cannot be written: \(String(cString: strerror(errno)))",
                    "Mount the disk for writing, and see 'chmod 700 \(home.path)'."))
        }
        if home.isShared {
            findings.append(
                .fault(
                    "permissions", "\(home.path) can be accessed by others (mode \(home.octal))",
                    "chmod 700 \(home.path)"))
        }
        findings += ["", "-wal", "-shm"].compactMap { Entry(home.path + "/" + Store.fileName + $0) }.flatMap {
            file($0, in: home)
        }
        findings += backups(beside: home)
        return findings.isEmpty ? [.ok("permissions", "\(home.path) is private to \(Self.name(home.owner))")] : findings
    }

    /// Any user who can write into the backup folder controls the restored data.
    private func backups(beside home: Entry) -> [Finding] {
        guard let path = try? settings.backupFolder.resolvingSymlinksInPath().path, let backups = Entry(path) else {
            return []
        }
        var findings: [Finding] = []
        if ![home.owner, 0].contains(backups.owner) {
            findings.append(
                .fault(
                    "permissions",
                    "\(path) belongs to \(Self.name(backups.owner)), the data folder to \(Self.name(home.owner)): "
                        + "restore may use a backup that \(Self.name(backups.owner)) put there",
                    "chown --reference=\(home.path) \(path)"))
        }
        if backups.isOpen {
            findings.append(
                .fault(
                    "permissions",
                    "\(path) can be written by others (mode \(backups.octal)): restore may use a backup that they put there",
                    "chmod go-w \(path)"))
        }
        return findings
    }

    private func file(_ file: Entry, in home: Entry) -> [Finding] {
        var findings: [Finding] = []
        if file.owner != home.owner {
            findings.append(
                .fault(
                    "permissions",
                    "\(file.path) belongs to \(Self.name(file.owner)), the folder to \(Self.name(home.owner))",
                    "chown --reference=\(home.path) \(file.path)"))
        }
        if file.isShared {
            findings.append(
                .fault(
                    "permissions", "\(file.path) can be accessed by others (mode \(file.octal))",
                    "chmod 600 \(file.path)"))
        }
        return findings
    }

    private static func name(_ user: UInt32) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
    }
}
