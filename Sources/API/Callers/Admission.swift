internal import Foundation
internal import HTTPTypes
internal import Storage

/// How many requests callers may send.
public struct Rates: Hashable, Sendable {
    /// Of a person, and of each device.
    public var person = Rate(perSecond: 20)
    /// Of all trusted services together.
    public var service = Rate(perSecond: 0)
    /// Of an address, counting requests that prove nothing: without a token, or with one that is not good.
    public var address = Rate(perSecond: 10)

    /// The rates that hold when nothing is configured.
    public init() {}
}

/// Counts the requests of callers and addresses.
struct Admission: Sendable {
    private enum Key: Hashable, Sendable {
        case principal(Principal)
        case address([UInt8])
    }

    let rates: Rates
    private let limiter = RateLimiter<Key>()

    init(rates: Rates) { self.rates = rates }

    /// Counts a request of somebody who proved who they are.
    ///
    /// - Throws: ``Problem`` for one too many.
    func admit(_ principal: Principal, at now: Timestamp) throws(Problem) {
        let rate = principal == .service ? rates.service : rates.person
        try refuse(limiter.take(from: .principal(principal), rate, at: now))
    }

    /// Counts a request that proves nothing.
    ///
    /// - Throws: ``Problem`` for one too many.
    func admit(_ address: IPAddress?, at now: Timestamp) throws(Problem) {
        try refuse(limiter.take(from: .address(Self.network(of: address)), rates.address, at: now))
    }

    private func refuse(_ wait: Duration?) throws(Problem) {
        guard let wait else { return }
        let seconds = max(1, Int(wait.seconds.rounded(.up)))
        var problem = Problem(
            .tooManyRequests, .tooManyRequests, detail: "That are too many requests; again in \(seconds) s.")
        problem.headers[.retryAfter] = String(seconds)
        throw problem
    }

    /// The address, or of IPv6 the first half, which is what a customer gets.
    private static func network(of address: IPAddress?) -> [UInt8] {
        let bytes = address?.bytes ?? []
        return bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }
}
