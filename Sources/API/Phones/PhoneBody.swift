internal import Crypto
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The body of a phone's request, whatever type it says it is of.
struct PhoneBody {
    /// What the phone meant; nil if it is not what its compression says.
    let content: Data?
    /// How many bytes came.
    let size: Int
    /// The beginning of the SHA-256 of what came, by which two of them can be told apart in the log.
    let hash: String
}

extension Call {
    /// The bytes that a phone's body may have whatever is configured: most phones would send again for ever what is refused.
    private static let leastOfPhones = 4 << 20

    /// Reads all of a body.
    ///
    /// - Throws: ``Problem`` for one that is too long, or expands to what is: a phone forgets what is acknowledged;
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
            Effort.count(size / RateLimits.bytesReadInStep)
            guard size <= limit else { throw tooLarge(limit) }
        default: content = nil
        }
        return PhoneBody(content: content, size: bytes.count, hash: hash.joined())
    }
}
