internal import API
internal import Foundation

/// The bytes of a file or of the standard input, some at a time.
struct FilePieces: Sequence, IteratorProtocol {
    /// What is typed for the standard input where a file is named.
    static let standardInput = "-"
    private static let size = 256 << 10

    private let handle: FileHandle
    /// The beginning, until it is taken.
    private var beginning: Data?
    /// Whether the file is compressed by gzip, whatever it is called: no text begins like that.
    let isGzip: Bool

    init(_ path: String) throws {
        let isInput = path == Self.standardInput
        handle = isInput ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var bytes = Data()
        // Out of a pipe may come one byte alone, which does not tell what it is.
        while bytes.count < 2, let more = try handle.read(upToCount: Self.size), !more.isEmpty { bytes += more }
        isGzip = bytes.starts(with: [0x1f, 0x8b])
        beginning = bytes
    }

    /// The next piece, nil at the end; a failure, which `for` has no way to throw, is one piece of the sequence.
    mutating func next() -> Result<Data, any Error>? {
        do {
            let piece = try beginning ?? handle.read(upToCount: Self.size) ?? Data()
            beginning = nil
            return piece.isEmpty ? nil : .success(piece)
        } catch { return .failure(error) }
    }
}

/// What a file holds, whether it is compressed by gzip or not.
struct FileContent {
    private let inflater: Inflater?

    init(of pieces: FilePieces) throws {
        inflater = pieces.isGzip ? Inflater() : nil
        if pieces.isGzip, inflater == nil { throw BrokenGzip() }
    }

    /// Gives `take` what a further piece of the file holds, as long as it wants more.
    ///
    /// - Returns: whether it does.
    func read(_ piece: Data, _ take: (Data) async throws -> Bool) async throws -> Bool {
        guard let inflater else { return try await take(piece) }
        inflater.take(piece)
        while let bytes = try inflater.next() {
            guard try await take(Data(bytes)) else { return false }
        }
        return true
    }

    /// - Throws: ``BrokenGzip`` if what was read is not whole.
    func finish() throws { if let inflater, !inflater.isWhole { throw BrokenGzip() } }
}
