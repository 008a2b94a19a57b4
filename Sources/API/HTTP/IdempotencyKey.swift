internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange
internal import Model

extension Call {
    /// What the caller names this request by, so that it does nothing more when it is sent again; nil if it has no name.
    var idempotencyKey: String? {
        get throws(Problem) {
            guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name] else { return nil }
            guard (1...255).contains(key.utf8.count) else {
                throw Problem(.invalidParameter, detail: "An 'Idempotency-Key' has 1 to 255 bytes.")
            }
            return key
        }
    }

    /// The id of something new: the same whenever the caller sends a key again for the same parts, else drawn by chance.
    ///
    /// - Parameters:
    ///   - parts: what the id follows from beside the caller and the key.
    ///   - isKept: whether the caller made a thing of an id. Version 0.2 and earlier made ids without a secret, and a request that
    ///     was sent to one of them may come again.
    /// - Returns: an id of 128 bits, of which nothing follows for who does not know the secret of the database.
    /// - Throws: ``Problem`` for a key that is too long.
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

    /// The body of something new whose id is drawn, so that it has none; a `PUT` to `path` may choose one.
    func jsonWithoutID(chosenAt path: String) async throws -> JSON {
        let body = try await json()
        guard case .object(let members) = body, members["id"] ?? .null != .null else { return body }
        let detail = "is drawn here; PUT to '\(path)' chooses one"
        throw FormError.invalid([FieldError(pointer: "/id", code: .refused, detail: detail)])
    }
}

/// Makes ids that follow from what they are made of for who knows a secret, and from nothing for everybody else.
struct KeyedIDs: Sendable {
    private let key: SymmetricKey

    /// - Parameter secret: one of the database, which a restored file and the other nodes of a cluster have, too.
    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("ids of idempotency keys".utf8),
            outputByteCount: 32)
    }

    func id(of text: String) -> String {
        Self.text(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    /// 128 bits that are drawn by chance.
    static func drawn() -> String {
        Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) })
    }

    /// 128 bits of a digest.
    fileprivate static func text(_ digest: some Sequence<UInt8>) -> String {
        Base64URL.encode(Data(digest.prefix(16)))
    }
}

extension Problem {
    static func keyReused(forAnother thing: String) -> Problem {
        Problem(.idempotencyKeyReused, detail: "The 'Idempotency-Key' was used for another \(thing).")
    }
}
