internal import Crypto
internal import DequeModule
internal import Foundation
internal import HTTPTypes
internal import Model
internal import Synchronization

/// Single-use tickets in place of tokens, for clients that cannot send headers, such as browsers' `EventSource`.
///
/// A ticket is part of a URL, which may be logged. So it is worthless after a minute or its first use. Only SHA-256
/// hashes of tickets are kept, and only in memory.
final class Tickets: Sendable {
    /// How long a ticket can be used.
    static let lifetime = Duration.seconds(60)
    /// The most tickets within that time, in total and per person.
    private static let (most, mostOfPerson) = (65_536, 20)

    private struct State {
        var open: [SHA256Digest: Claim] = [:]
        /// All tickets made within the lifetime, the oldest first.
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

    /// Makes a ticket for the token of a claim, and returns it with its expiry.
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
                .tooManyRequests, detail: "Too many tickets: try again later.", headers: [.retryAfter: "60"])
        }
        return (text, until)
    }

    /// Uses up a ticket, and returns its claim; nil if it is invalid, expired or already used.
    func use(_ text: some StringProtocol, at now: Timestamp) -> Claim? {
        state.withLock { state in
            state.forget(before: now)
            return state.open.removeValue(forKey: Self.digest(text))
        }
    }

    private static func digest(_ text: some StringProtocol) -> SHA256Digest { SHA256.hash(data: Data(text.utf8)) }
}
