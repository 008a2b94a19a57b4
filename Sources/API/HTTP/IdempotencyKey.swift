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
    func newID<Thing>(of parts: String...) throws -> ID<Thing> {
        guard let key = try idempotencyKey else {
            return try ID(Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }))
        }
        let text = (["\(caller)"] + parts + [key]).joined(separator: "\n")
        return try ID(Base64URL.encode(Data(SHA256.hash(data: Data(text.utf8)).prefix(16))))
    }

    /// The body of something new whose id is drawn, so that it has none; a `PUT` to `path` may choose one.
    func jsonWithoutID(chosenAt path: String) async throws -> JSON {
        let body = try await json()
        guard case .object(let members) = body, members["id"] ?? .null != .null else { return body }
        let detail = "is drawn here; PUT to '\(path)' chooses one"
        throw FormError.invalid([FieldError(pointer: "/id", code: .refused, detail: detail)])
    }
}

extension Problem {
    static func keyReused(forAnother thing: String) -> Problem {
        Problem(.idempotencyKeyReused, detail: "The 'Idempotency-Key' was used for another \(thing).")
    }
}
