internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange
internal import Model

extension Call {
    /// The caller's key for this request, with which a retry has no further effect; nil without one.
    var idempotencyKey: String? {
        get throws(Problem) {
            guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name] else { return nil }
            guard (1...255).contains(key.utf8.count) else {
                throw Problem(.invalidParameter, detail: "An 'Idempotency-Key' must have 1 to 255 bytes.")
            }
            return key
        }
    }

    /// The id of a new resource: derived from the caller, the parts and the idempotency key if there is one, else
    /// random.
    ///
    /// - Parameters:
    ///   - parts: The inputs of the id besides the caller and the key.
    ///   - isKept: Whether the caller created a resource with an id. Up to version 0.2 ids were derived without a
    ///     secret, and a request to such a version may be retried.
    /// - Returns: An id of 128 bits, which cannot be predicted without the database's secret.
    /// - Throws: ``Problem`` for a key that is empty or longer than 255 bytes.
    func newID<Thing>(
        of parts: String..., unless isKept: (ID<Thing>) -> Bool
    ) throws -> ID<Thing> {
        guard let key = try idempotencyKey else {
            return try ID(KeyedIDs.drawn())
        }
        let text = (["\(caller)"] + parts + [key]).joined(separator: "\n")
        let former: ID<Thing> = try ID(KeyedIDs.text(SHA256.hash(data: Data(text.utf8))))
        return try isKept(former) ? former : ID(route.common.ids.id(of: text))
    }

    /// The body of a new resource, without an id because the server chooses it; a `PUT` to `path` may choose one.
    func jsonWithoutID(chosenAt path: String) async throws -> JSON {
        let body = try await json()
        guard case .object(let members) = body, members["id"] ?? .null != .null else { return body }
        let detail = "is generated; PUT to '\(path)' chooses one"
        throw FormError.invalid([FieldError(pointer: "/id", code: .refused, detail: detail)])
    }
}

/// Derives ids from text with a keyed hash, so that only the holder of the secret can predict them.
struct KeyedIDs: Sendable {
    private let key: SymmetricKey

    /// - Parameter secret: The database's secret, which a restored file and the other nodes of a cluster share.
    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("ids of idempotency keys".utf8),
            outputByteCount: 32)
    }

    func id(of text: String) -> String {
        Self.text(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    /// 128 random bits.
    static func drawn() -> String {
        Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) })
    }

    /// The first 128 bits of a digest.
    fileprivate static func text(_ digest: some Sequence<UInt8>) -> String {
        Base64URL.encode(Data(digest.prefix(16)))
    }
}

extension Problem {
    static func keyReused(forAnother thing: String) -> Problem {
        Problem(.idempotencyKeyReused, detail: "The 'Idempotency-Key' was used for another \(thing).")
    }
}
