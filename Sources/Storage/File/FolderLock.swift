internal import Foundation
internal import Model

/// An exclusive lock on a data folder, held by `flock` until the process ends in any way.
///
/// The process id in the file is used only in the message to a second process.
final class FolderLock: Sendable {
    static let name = "lock"

    private let descriptor: Int32

    /// - Throws: ``StorageError/inUse(pid:)`` if another process holds the lock.
    init(folder: URL) throws(StorageError) {
        let path = folder.appending(path: Self.name).path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unreachable(path: path, reason: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.processNumber(in: path)
            close(descriptor)
            throw .inUse(pid: holder)
        }
        self.descriptor = descriptor
        let text = "\(getpid())\n"
        guard ftruncate(descriptor, 0) == 0, write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw .unreachable(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    /// The holder of a folder, found by briefly taking a shared lock.
    static func holder(of folder: URL) -> FolderState.Holder {
        let path = folder.appending(path: name).path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .nobody }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? .nobody : .process(processNumber(in: path))
    }

    private static func processNumber(in path: String) -> Int32? {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
