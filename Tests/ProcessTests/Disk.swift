import Foundation

/// A small file system for one test.
struct Disk {
    let folder: URL

    /// Whether this process may mount a file system.
    static let isAllowed: Bool = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-disk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let disk = try? Disk(folder, megabytes: 1) else { return false }
        disk.remove()
        return true
    }()

    init(_ folder: URL, megabytes: Int) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path)
    }

    func remount(_ mode: String) throws { try Self.run("mount", "-o", "remount,\(mode)", folder.path) }

    func remove() { try? Self.run("umount", "--lazy", folder.path) }

    /// Writes a file that takes all free space.
    func fill(_ file: URL) throws {
        _ = try Program.runAll(["if=/dev/zero", "of=\(file.path)", "bs=4k"], of: URL(fileURLWithPath: "/bin/dd"))
    }

    private static func run(_ arguments: String...) throws {
        let result = try Program.runAll(arguments, of: URL(fileURLWithPath: "/usr/bin/env"))
        guard result.code == 0 else { throw Service.Failure(result.errors) }
    }
}
