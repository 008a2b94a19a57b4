internal import Crypto
internal import Foundation
internal import Interchange
internal import JWTKit

/// A file of keys: a JSON Web Key Set (RFC 7517) in which each key, or the set, also limits the claims of its tokens.
///
/// ```
/// {"iss":"https://id.example", "aud":"cerca", "scopes":["person"], "person_claim":"sub", "keys":[{"kty":"EC", ...}]}
/// ```
struct KeyFile {
    /// The kind of keys in a file.
    enum Kind {
        /// Secrets shared by signer and verifier: HS256.
        case secret
        /// Public keys of other issuers: EdDSA, ES256, RS256.
        case published
    }

    private let path: String
    private let kind: Kind
    private var members: [String: JSON] = [:]

    /// Reads the keys of a file.
    ///
    /// - Throws: ``KeyFileError``.
    static func keys(_ kind: Kind, in path: String) async throws(KeyFileError) -> [TokenKey] {
        var file = KeyFile(path: path, kind: kind)
        let bytes = try GuardedFile(path).read(isSecret: kind == .secret)
        let json: JSON
        do throws(JSONText.Fault) { json = try JSONText.value(of: bytes) } catch {
            throw KeyFileError(path, "is not JSON: it \(error.detail), in line \(error.line(in: bytes))")
        }
        guard case .object(let members) = json else { throw KeyFileError(path, "is not a JSON object") }
        file.members = members
        return try await file.keys()
    }

    private func keys() async throws(KeyFileError) -> [TokenKey] {
        guard case .list(let items)? = members["keys"] else { throw fault("", "'keys', an array, is required") }
        var keys: [TokenKey] = []
        for (number, item) in items.enumerated() {
            guard case .object(let own) = item else { throw fault("/keys/\(number)", "is \(item.kind), not an object") }
            // Providers publish encryption keys besides signature keys.
            if case .text(let use)? = own["use"], use != "sig" { continue }
            keys.append(try await key(own, "/keys/\(number)"))
        }
        guard !keys.isEmpty else { throw fault("/keys", "has no key for signatures") }
        guard keys.count == 1 || keys.allSatisfy({ $0.id != nil }) else {
            throw fault("/keys", "each of several keys needs a 'kid'")
        }
        return keys
    }

    private func key(_ own: [String: JSON], _ pointer: String) async throws(KeyFileError) -> TokenKey {
        let id = try text("kid", own, pointer)
        let grant = try grant(own, pointer)
        let key = TokenKey(id: id, grant: grant, algorithm: try await algorithm(own, pointer))
        if case .text(let name)? = own["alg"], name != key.algorithm.name {
            throw fault("\(pointer)/alg", "is '\(name)'; a key of this kind is for \(key.algorithm.name)")
        }
        return key
    }

    private func grant(_ own: [String: JSON], _ pointer: String) throws(KeyFileError) -> TokenKey.Grant {
        let both = members.filter { ["iss", "aud", "scopes", "person_claim"].contains($0.key) }.merging(own) { $1 }
        guard let issuer = try text("iss", both, pointer), !issuer.isEmpty else {
            throw fault("\(pointer)/iss", "is required: the issuer of the tokens, as in their claim 'iss'")
        }
        guard let audience = try text("aud", both, pointer), !audience.isEmpty else {
            throw fault(
                "\(pointer)/aud", "is required: the audience that their claim 'aud' must contain, such as \"cerca\"")
        }
        guard case .list(let items)? = both["scopes"], !items.isEmpty else {
            throw fault(
                "\(pointer)/scopes",
                "is required: the scopes that the tokens may have, [\"person\"] for an identity provider, or \"service\" too"
            )
        }
        let scopes = items.compactMap { if case .text(let text) = $0 { Scope(rawValue: text) } else { nil } }
        guard scopes.count == items.count else {
            throw fault("\(pointer)/scopes", "has something other than \"service\", \"reader\" and \"person\"")
        }
        return TokenKey.Grant(
            scopes: Set(scopes), issuer: issuer, audience: audience,
            personClaim: try text("person_claim", both, pointer) ?? "sub")
    }

    private func algorithm(_ own: [String: JSON], _ pointer: String) async throws(KeyFileError) -> any JWTAlgorithm {
        let type = try text("kty", own, pointer)
        switch (kind, type) {
        case (.secret, "oct"):
            guard let secret = try text("k", own, pointer).flatMap({ Base64URL.decode($0) }), secret.count >= 32 else {
                throw fault("\(pointer)/k", "must be at least 32 random bytes in base64url")
            }
            return await JWTKeyCollection().hmac(secret)
        case (.published, "EC"), (.published, "RSA"), (.published, "OKP"):
            guard own["d"] == nil else { throw fault("\(pointer)/d", "is a private key, which belongs to its issuer") }
            return try await published(own, pointer)
        case (.secret, _):
            throw fault("\(pointer)/kty", "must be \"oct\": public keys belong in the file of jwks_file")
        case (.published, "oct"):
            throw fault("\(pointer)/kty", "is \"oct\", a secret, which belongs in the file of key_file")
        case (.published, _): throw fault("\(pointer)/kty", "must be \"OKP\", \"EC\" or \"RSA\"")
        }
    }

    private func published(_ own: [String: JSON], _ pointer: String) async throws(KeyFileError) -> any JWTAlgorithm {
        let curve = try text("crv", own, pointer)
        let (x, y) = (try text("x", own, pointer), try text("y", own, pointer))
        let (key, name): (JWK, JWK.Algorithm)
        switch (try text("kty", own, pointer), curve) {
        case ("EC", "P-256"): (key, name) = (.ecdsa(.es256, identifier: Self.id, x: x, y: y, curve: .p256), .es256)
        case ("OKP", "Ed25519"):
            (key, name) = (.octetKeyPair(.eddsa, identifier: Self.id, x: x, y: nil, curve: .ed25519), .eddsa)
        case ("RSA", _):
            let (modulus, exponent) = (try text("n", own, pointer), try text("e", own, pointer))
            (key, name) = (.rsa(.rs256, identifier: Self.id, modulus: modulus, exponent: exponent), .rs256)
        default: throw fault("\(pointer)/crv", "is '\(curve ?? "")'; must be P-256 or Ed25519")
        }
        do { return try await JWTKeyCollection().add(jwk: key).getKey(for: Self.id, alg: name.rawValue) } catch {
            throw fault(pointer, "is not a valid public key for \(name.rawValue): \(error)")
        }
    }

    private static let id: JWKIdentifier = "key"

    private func text(
        _ name: String, _ members: [String: JSON], _ pointer: String
    ) throws(KeyFileError) -> String? {
        switch members[name] {
        case nil: return nil
        case .text(let text): return text
        case let other?: throw fault("\(pointer)/\(name)", "is \(other.kind), not a string")
        }
    }

    private func fault(_ pointer: String, _ reason: String) -> KeyFileError {
        KeyFileError(path, pointer.isEmpty ? reason : "\(pointer) \(reason)")
    }
}
