internal import Crypto
internal import Foundation
internal import Interchange
internal import JWTKit
public import Model

/// The first secret of a key file, which signs tokens for this service.
public struct SigningKey: Sendable {
    private let key: TokenKey

    /// Reads the key from a key file.
    ///
    /// - Throws: ``KeyFileError``.
    public init(path: String) async throws(KeyFileError) {
        guard let key = try await KeyFile.keys(.secret, in: path).first else {
            preconditionFailure("a key file that was read has a key")
        }
        self.key = key
    }

    /// Signs a token for a person or a service, with issue and expiry times in whole seconds.
    ///
    /// - Throws: ``KeyFileError`` when the key may not grant the scope.
    public func token(
        for subject: PersonID, _ scope: Scope, from issued: Timestamp, for lifetime: Duration
    ) throws -> String {
        guard key.grant.scopes.contains(scope) else {
            throw KeyFileError(
                "scopes", "the key may not grant '\(scope.rawValue)'; add it to 'scopes' in the key file")
        }
        let start = issued.milliseconds / 1000
        let header = JSONWriter.object { json in
            json.member("alg", key.algorithm.name)
            json.member("kid", key.id)
            json.member("typ", "JWT")
        }
        let claims = JSONWriter.object { json in
            json.member("iss", key.grant.issuer)
            json.member("aud", key.grant.audience)
            json.member(key.grant.personClaim, subject.text)
            json.member("scope", scope.rawValue)
            json.member("iat", start)
            json.member("exp", start + lifetime.components.seconds)
        }
        let signed = "\(Base64URL.encode(header)).\(Base64URL.encode(claims))"
        return "\(signed).\(Base64URL.encode(try key.algorithm.sign(Data(signed.utf8))))"
    }

    /// The text of a new key file, with a newly drawn key that may grant all scopes.
    ///
    /// - Parameter id: The `kid` of the key, which distinguishes it from its successors.
    /// - Returns: The text of the file, which is secret.
    public static func file(id: String) -> String {
        let secret = SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode(Data($0)) }
        return """
            {
              "iss": "cerca",
              "aud": "cerca",
              "scopes": ["service", "reader", "person"],
              "person_claim": "sub",
              "keys": [
                {"kty": "oct", "alg": "HS256", "kid": "\(id)", "k": "\(secret)"}
              ]
            }

            """
    }
}
