internal import Crypto
internal import Foundation
internal import Model
internal import Synchronization

/// Remembers whom tokens prove, for a phone shows the same token again and again, and a signature costs more than most answers.
///
/// Tokens are kept as their SHA-256 only.
final class VerifiedTokens: Sendable {
    private struct Table {
        var known: RecentlyUsed<SHA256Digest, Proof>
        /// Which keys the tokens were verified with.
        var keys = 0
    }

    /// One part of the table, with a lock of its own.
    private final class Stripe: Sendable {
        let table = Mutex(Table(known: RecentlyUsed(capacity: 2048)))
    }

    private let stripes = (0..<16).map { _ in Stripe() }

    private func stripe(of digest: SHA256Digest) -> Stripe {
        stripes[digest.withUnsafeBytes { Int($0[0]) } % stripes.count]
    }

    /// Whom a token proves: as it is remembered from when it was verified with the same keys, or else as `verify` says.
    ///
    /// - Throws: what `verify` throws.
    func proof(
        of token: some StringProtocol, at now: Timestamp, keys: Int, verify: () throws(TokenFault) -> Proof
    ) throws(TokenFault) -> Proof {
        let digest = SHA256.hash(data: Data(token.utf8))
        let stripe = stripe(of: digest)
        let known = stripe.table.withLock { $0.keys == keys ? $0.known[digest] : nil }
        if let known, known.until.map({ now < $0 }) ?? true { return known }
        let verified = try verify()
        stripe.table.withLock { table in
            if table.keys < keys {
                table.known.removeAll()
                table.keys = keys
            }
            // Verified with keys that were replaced meanwhile it is worth nothing.
            if table.keys == keys { table.known.put(verified, for: digest) }
        }
        return verified
    }
}
