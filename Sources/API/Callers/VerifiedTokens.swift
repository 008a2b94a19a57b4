internal import Crypto
internal import Foundation
internal import Model
internal import Synchronization

/// Caches verified tokens: a phone sends the same one repeatedly, and verification costs more than most answers.
///
/// Only SHA-256 hashes of tokens are kept.
final class VerifiedTokens: Sendable {
    private struct Table {
        var known: RecentlyUsed<SHA256Digest, Proof>
        /// The number of times that the keys were read before the tokens were verified.
        var keys = 0
    }

    /// A part of the table with its own lock.
    private final class Stripe: Sendable {
        let table = Mutex(Table(known: RecentlyUsed(capacity: 2048)))
    }

    private let stripes = (0..<16).map { _ in Stripe() }

    private func stripe(of digest: SHA256Digest) -> Stripe {
        stripes[digest.withUnsafeBytes { Int($0[0]) } % stripes.count]
    }

    /// Returns the cached proof of a token if it was verified with the current keys, otherwise verifies it.
    ///
    /// - Throws: Errors of `verify`.
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
            // A proof by keys that have been replaced since is not cached.
            if table.keys == keys { table.known.put(verified, for: digest) }
        }
        return verified
    }
}
