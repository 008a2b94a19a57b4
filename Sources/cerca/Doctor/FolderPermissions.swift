internal import Foundation
internal import Storage

/// Who owns the data folder and what is in it, and who else may do what with it.
extension FolderDoctor {
    private struct Entry {
        let path: String
        let owner: UInt32
        let mode: Int

        /// nil if there is none, or nobody may know.
        init?(_ path: String) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let owner = attributes[.ownerAccountID] as? NSNumber,
                let mode = attributes[.posixPermissions] as? NSNumber
            else { return nil }
            (self.path, self.owner, self.mode) = (path, owner.uint32Value, mode.intValue)
        }

        var octal: String { String(mode, radix: 8) }
        var isShared: Bool { mode & 0o077 != 0 }
    }

    func permissions() -> [Finding] {
        guard let home = Entry(folder.resolvingSymlinksInPath().path) else { return [] }
        var findings: [Finding] = []
        let user = geteuid()
        if home.owner != user, user != 0 {
            findings.append(
                .fault(
                    "permissions", "\(home.path) belongs to \(Self.name(home.owner)), and this is \(Self.name(user))",
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
                    "permissions", "\(home.path) can be entered by others (mode \(home.octal))",
                    "chmod 700 \(home.path)"))
        }
        findings += ["", "-wal", "-shm"].compactMap { Entry(home.path + "/" + Store.fileName + $0) }.flatMap {
            file($0, in: home)
        }
        return findings.isEmpty ? [.ok("permissions", "\(home.path) is \(Self.name(home.owner))'s alone")] : findings
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
                    "permissions", "\(file.path) is not its owner's alone (mode \(file.octal))",
                    "chmod 600 \(file.path)"))
        }
        return findings
    }

    private static func name(_ user: UInt32) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
    }
}
