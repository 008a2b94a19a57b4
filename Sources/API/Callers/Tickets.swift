internal import Crypto
internal import DequeModule
internal import Foundation
internal import HTTPTypes
internal import Model
internal import Synchronization

/// What stands once for the token of somebody who can send no headers, as browsers' `EventSource`: it is in addresses, which are
/// kept here and there, and so is worth nothing after a minute, or after it was used.
///
/// Tickets are kept as their SHA-256 only, and in memory only.
final class Tickets: Sendable {
    /// How long a ticket can be used.
    static let lifetime = Duration.seconds(60)
    /// How many are made within that time at most, and how many of them for one person.
    private static let (most, mostOfPerson) = (65_536, 20)

    private struct State {
        var open: [SHA256Digest: Claim] = [:]
        /// All that were made within the lifetime, the oldest first.
        var made: Deque<(digest: SHA256Digest, holder: Principal, until: Timestamp)> = []
        var ofHolder: [Principal: Int] = [:]

        mutating func forget(before now: Timestamp) {
            while let first = made.first, first.until <= now || now + Tickets.lifetime < first.until {
                made.removeFirst()
                open[first.digest] = nil
                let rest = ofHolder[first.holder, default: 1] - 1
                ofHolder[first.holder] = rest == 0 ? nil : rest
            }
        }
    }

    private let state = Mutex(State())

    /// A ticket that stands for the token of a claim, and until when.
    ///
    /// - Throws: ``Problem`` when too many were made lately.
    func make(for claim: Claim, at now: Timestamp) throws(Problem) -> (text: String, until: Timestamp) {
        let text = Base64URL.encode(DeviceToken.drawSecret())
        let until = now + Self.lifetime
        let isMade = state.withLock { state in
            state.forget(before: now)
            let own = state.ofHolder[claim.principal] ?? 0
            guard state.made.count < Self.most, claim.principal == .service || own < Self.mostOfPerson else {
                return false
            }
            let digest = Self.digest(text)
            state.open[digest] = claim
            state.made.append((digest, claim.principal, until))
            state.ofHolder[claim.principal] = own + 1
            return true
        }
        guard isMade else {
            throw Problem(
                .tooManyRequests, detail: "That are too many tickets: ask again later.", headers: [.retryAfter: "60"])
        }
        return (text, until)
    }

    /// Whose token a ticket stands for, which is used now; nil if it cannot be used, or no more.
    func use(_ text: some StringProtocol, at now: Timestamp) -> Claim? {
        state.withLock { state in
            state.forget(before: now)
            return state.open.removeValue(forKey: Self.digest(text))
        }
    }

    private static func digest(_ text: some StringProtocol) -> SHA256Digest { SHA256.hash(data: Data(text.utf8)) }
}
