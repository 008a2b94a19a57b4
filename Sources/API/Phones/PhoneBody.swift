internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The body of a phone's request, whatever type it says it is of.
struct PhoneBody {
    /// What the phone meant; nil if it is too long, or not what its compression says.
    let content: Data?
    /// How many bytes came.
    let size: Int
    /// The beginning of the SHA-256 of what came, by which two of them can be told apart in the log.
    let hash: String
}

extension Call {
    /// The bytes that a phone's body may have whatever is configured: a phone would send again for ever what is refused.
    private static let leastOfPhones = 4 << 20
    /// What a compressed body may expand to in any case, and how many times itself beyond that.
    private static let (expandedAnyway, expansion) = (1 << 20, 10)

    /// Reads all of a body, of one that is too long only to its end.
    ///
    /// - Throws: ``BrokenBody``.
    func phoneBody() async throws -> PhoneBody {
        let limit = max(limits.body, Self.leastOfPhones)
        var (bytes, size, hasher) = (Data(), 0, SHA256())
        try await readBody(upTo: limits.importBody) { piece in
            size += piece.readableBytes
            piece.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            if size <= limit { bytes.append(contentsOf: piece.readableBytesView) }
        }
        let hash = hasher.finalize().prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        let content: Data? =
            switch request.headers[.contentEncoding]?.trimmingCharacters(in: .whitespaces).lowercased() {
            case _ where size > limit: nil
            case _ where bytes.isEmpty: bytes
            case nil, "", "identity": bytes
            case "gzip", "x-gzip", "deflate":
                Gzip.expanded(bytes, limit: min(limit, max(Self.expandedAnyway, Self.expansion * size)))
            default: nil
            }
        return PhoneBody(content: content, size: size, hash: hash.joined())
    }
}
