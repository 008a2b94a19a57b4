internal import Foundation
internal import Interchange
internal import JWTKit
internal import Model

/// The keys that verify tokens.
struct TokenKeys: Sendable {
    let keys: [TokenKey]

    /// The longest accepted token, in bytes.
    private static let longest = 8192

    /// Verifies a JSON Web Token (RFC 7519, in the compact form of RFC 7515), and returns its proof.
    ///
    /// The key decides the algorithm, never the token: a token signed with HMAC over a public key, or with none, names
    /// an algorithm that its key is not for (RFC 8725, 3.1).
    ///
    /// - Throws: ``TokenFault``.
    func proof(of token: some StringProtocol, at now: Timestamp) throws(TokenFault) -> Proof {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= Self.longest, parts.count == 3, let header = Self.object(parts[0]),
            case .text(let algorithm)? = header["alg"], let signature = Base64URL.decode(parts[2]),
            // No critical extensions are supported (RFC 7515, 4.1.11).
            header["crit"] == nil
        else { throw .malformed }
        let key = try key(header["kid"], algorithm)
        guard key.algorithm.name == algorithm else { throw .algorithm }
        let signed = Data(parts[0].utf8) + Data(".".utf8) + Data(parts[1].utf8)
        // Some algorithms throw for signatures of the wrong length.
        guard (try? key.algorithm.verify(signature, signs: signed)) == true else { throw .signature }
        guard let claims = Self.object(parts[1]) else { throw .malformed }
        return try key.proof(of: claims, at: now)
    }

    private func key(_ id: JSON?, _ algorithm: String) throws(TokenFault) -> TokenKey {
        let meant = keys.filter { key in id.map { $0 == key.id.map(JSON.text) } ?? (key.algorithm.name == algorithm) }
        guard meant.count == 1, let key = meant.first else { throw .unknownKey }
        return key
    }

    private static func object(_ part: some StringProtocol) -> [String: JSON]? {
        guard let bytes = Base64URL.decode(part), case .object(let members)? = try? JSON(bytes) else { return nil }
        return members
    }
}
