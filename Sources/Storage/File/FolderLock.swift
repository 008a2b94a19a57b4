internal import Foundation
internal import Model

/// The right of one process to a data folder, held by `flock` until the process ends, however it ends.
///
/// The process number in the file is only for the message to whoever comes second.
final class FolderLock: Sendable {
    static let name = "lock"

    private let descriptor: Int32

    /// - Throws: ``StorageError/inUse(pid:)`` when another process has it.
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

    /// Who holds a folder, found by taking it for a moment together with others who only look.
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
