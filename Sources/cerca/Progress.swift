internal import Foundation

/// A bar that shows on a terminal how much of a file was read; nothing when nobody looks.
struct Progress {
    private let label: String
    private let total: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private var done = 0
    private var shownPercent = -1

    init(_ file: String) {
        label = URL(fileURLWithPath: file).lastPathComponent
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        total = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    mutating func advance(by bytes: Int) {
        done += bytes
        let percent = total > 0 ? min(100, done * 100 / total) : 100
        guard isShown, percent != shownPercent else { return }
        shownPercent = percent
        let bar = String(repeating: "#", count: percent / 4) + String(repeating: ".", count: 25 - percent / 4)
        FileHandle.standardError.write(Data("\r\(label) [\(bar)] \(percent) %".utf8))
    }

    /// Takes the bar away.
    func end() { if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) } }
}

/// The bytes of a file, some at a time.
struct FilePieces: Sequence, IteratorProtocol {
    private static let size = 256 << 10

    private let handle: FileHandle

    init(_ path: String) throws { handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) }

    /// The next piece, nil at the end; a failure, which `for` has no way to throw, is one piece of the sequence.
    mutating func next() -> Result<Data, any Error>? {
        do {
            guard let piece = try handle.read(upToCount: Self.size), !piece.isEmpty else { return nil }
            return .success(piece)
        } catch { return .failure(error) }
    }
}
