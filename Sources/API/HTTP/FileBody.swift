internal import Discovery
internal import Geo
internal import NIOCore

extension Call {
    /// A file of at most this many bytes when expanded may have any compression ratio.
    private static let shortFile = 64 << 10

    /// Passes on the pieces of a file as they arrive, decompressed if they are gzip.
    ///
    /// Before each piece the client must be connected, though it may have closed its side, and a person's debt must not
    /// be too large. A person's file holds no slot of the route's class, where it would keep services out; its pieces
    /// queue in ``Limits/files``.
    ///
    /// - Throws: ``Problem`` if it is too long or too much work; ``BrokenBody``; `CancellationError`; errors of `take`.
    func readFile(_ take: (ArraySlice<UInt8>) async throws -> Void) async throws {
        guard principal != .service else {
            return try await readPieces(upTo: limits.importBody) { piece in
                try refuseToGoOn()
                try await take(piece)
            }
        }
        try await away { call in
            try await call.readPieces(upTo: limits.fileOfPerson) { piece in
                try await amongFiles {
                    try refuseToGoOn()
                    try await take(piece)
                }
            }
        }
    }

    /// Runs a piece of work for a person's file when a slot for it is free.
    func amongFiles<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await route.common.files.run(body)
    }

    private func refuseToGoOn() throws {
        try Task.checkCancellation()
        try requireConnection()
        try refuseDebt()
    }

    private func readPieces(upTo limit: Int, _ take: (ArraySlice<UInt8>) async throws -> Void) async throws {
        guard isGzip else {
            return try await readBody(upTo: limit) { try await take(Array($0.readableBytesView)[...]) }
        }
        guard let inflater = Inflater() else { throw Problem(.overloaded) }
        var (sent, size) = (0, 0)
        do {
            try await readBody(upTo: limit) { piece in
                sent += piece.readableBytes
                inflater.take(piece.readableBytesView)
                while let bytes = try inflater.next() {
                    let start = size
                    size += bytes.count
                    WorkBudget.count(bytes: start..<size, ofStep: RateLimits.bytesReadInStep)
                    guard size <= limit else { throw tooLarge(limit) }
                    guard principal == .service || size <= max(Self.shortFile, Limits.expansion * sent) else {
                        throw tooExpanded
                    }
                    try await take(bytes[...])
                }
            }
            guard inflater.isWhole else { throw BrokenGzip() }
        } catch is BrokenGzip {
            throw Problem(.invalidBody, detail: "The body is not gzip, although its 'Content-Encoding' is.")
        }
    }

    private var tooExpanded: Problem {
        Problem(
            .bodyTooLarge,
            detail:
                "The body expands to more than \(Limits.expansion) times the bytes that were sent: send it uncompressed."
        )
    }
}
