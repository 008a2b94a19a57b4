internal import Crypto
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The body of a phone's request, regardless of its declared type.
struct PhoneBody {
    /// The decompressed body; nil if it cannot be decompressed.
    let content: Data?
    /// The number of bytes received.
    let size: Int
    /// A prefix of the SHA-256 of the received bytes, to distinguish bodies in the log.
    let hash: String
}

extension Call {
    /// The least limit on phones' bodies, in bytes, whatever is configured: most phones resend a refused body forever.
    private static let leastOfPhones = 4 << 20

    /// Reads the whole body.
    ///
    /// - Throws: ``Problem`` if it is too long, also when decompressed, because a phone discards what is acknowledged;
    ///   ``BrokenBody``.
    func phoneBody() async throws -> PhoneBody {
        let limit = max(limits.body, Self.leastOfPhones)
        var bytes = Data()
        try await readBody(upTo: limit) { bytes.append(contentsOf: $0.readableBytesView) }
        let hash = SHA256.hash(data: bytes).prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        let content: Data?
        switch request.headers[.contentEncoding]?.trimmingCharacters(in: .whitespaces).lowercased() {
        case _ where bytes.isEmpty, nil, "", "identity": content = bytes
        case "gzip", "x-gzip", "deflate":
            content = Gzip.expanded(bytes, limit: limit)
            let size = content?.count ?? 0
            WorkBudget.count(size / RateLimits.bytesReadInStep)
            guard size <= limit else { throw tooLarge(limit) }
        default: content = nil
        }
        return PhoneBody(content: content, size: bytes.count, hash: hash.joined())
    }
}
