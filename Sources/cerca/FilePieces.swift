internal import API
internal import Foundation

/// The bytes of a file or of standard input, in pieces.
struct FilePieces: Sequence, IteratorProtocol {
    /// The argument that names standard input instead of a file.
    static let standardInput = "-"
    private static let size = 256 << 10

    private let handle: FileHandle
    /// The first piece, until it is returned.
    private var beginning: Data?
    /// Whether the content begins like gzip, whatever the file name; no text begins with these bytes.
    let isGzip: Bool

    init(_ path: String) throws {
        let isInput = path == Self.standardInput
        handle = isInput ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var bytes = Data()
        // A pipe may deliver a single byte, which is too short to detect gzip.
        while bytes.count < 2, let more = try handle.read(upToCount: Self.size), !more.isEmpty { bytes += more }
        isGzip = bytes.starts(with: [0x1f, 0x8b])
        beginning = bytes
    }

    /// The next piece, or nil at the end; an error is an element of the sequence, because `for` cannot throw it.
    mutating func next() -> Result<Data, any Error>? {
        do {
            let piece = try beginning ?? handle.read(upToCount: Self.size) ?? Data()
            beginning = nil
            return piece.isEmpty ? nil : .success(piece)
        } catch { return .failure(error) }
    }
}

/// The content of a file, which may be compressed with gzip.
struct FileContent {
    private let inflater: Inflater?

    init(of pieces: FilePieces) throws {
        inflater = pieces.isGzip ? Inflater() : nil
        if pieces.isGzip, inflater == nil { throw BrokenGzip() }
    }

    /// Passes the content of the next piece to `take` while `take` returns true.
    ///
    /// - Returns: false if `take` returned false.
    func read(_ piece: Data, _ take: (Data) async throws -> Bool) async throws -> Bool {
        guard let inflater else { return try await take(piece) }
        inflater.take(piece)
        while let bytes = try inflater.next() {
            guard try await take(Data(bytes)) else { return false }
        }
        return true
    }

    /// - Throws: ``BrokenGzip`` if the content is incomplete.
    func finish() throws { if let inflater, !inflater.isWhole { throw BrokenGzip() } }
}
