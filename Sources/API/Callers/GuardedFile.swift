internal import Foundation

/// A file that only its owner may change and, if it holds a secret, read.
struct GuardedFile {
    private static let largest = 1 << 20

    private let path: String

    init(_ path: String) { self.path = path }

    /// Reads the whole file.
    ///
    /// - Throws: ``KeyFileError`` for a file that does not exist, is too large, or that others may change or read.
    func read(isSecret: Bool) throws(KeyFileError) -> Data {
        // Container secrets are symbolic links, whose own mode means nothing.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let (bytes, mode): (Data, Int)
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
            bytes = try FileHandle(forReadingFrom: file).read(upToCount: Self.largest + 1) ?? Data()
        } catch {
            let isThere = FileManager.default.fileExists(atPath: file.path)
            throw KeyFileError(path, isThere ? "cannot be read" : "does not exist")
        }
        guard bytes.count <= Self.largest else { throw KeyFileError(path, "has more than \(Self.largest) bytes") }
        guard mode & 0o022 == 0 else {
            throw KeyFileError(path, "can be changed by others (mode \(String(mode, radix: 8))); see 'chmod go-w'")
        }
        // Group read access may be intended, as for container volumes.
        guard !isSecret || mode & 0o007 == 0 else {
            throw KeyFileError(path, "can be read by others (mode \(String(mode, radix: 8))); see 'chmod 600'")
        }
        return bytes
    }
}
