internal import CoreMetrics
internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Meters
internal import Model

/// How many requests callers may send.
public struct Rates: Hashable, Sendable {
    /// Of a person, with all their devices.
    public var person = Rate(perSecond: 20)
    /// Of all trusted services together.
    public var service = Rate(perSecond: 0)
    /// Of an address, counting requests that prove nothing: without a token, or with one that is not good.
    public var address = Rate(perSecond: 10)

    /// The rates that hold when nothing is configured.
    public init() {}
}

/// Counts the requests of callers and addresses, and the work that they were.
final class RateLimits: Sendable {
    private enum Key: Hashable, Sendable {
        case caller(Caller)
        case address([UInt8])
    }

    /// The steps of work that a request is good for, 2.5 ms of a slow machine; each further so many cost as much as a request.
    static let stepsOfRequest = 25_000
    /// How many bytes that come are a step, and how many that are sent.
    static let (bytesReadInStep, bytesWrittenInStep) = (10, 5)

    let rates: Rates
    private let limiter = RateLimiter<Key>()
    private let gauge: Geo.Gauge
    private let refusedPeople, refusedServices, refusedAddresses: Counter

    init(rates: Rates, meters: Meters, gauge: Geo.Gauge) {
        (self.rates, self.gauge) = (rates, gauge)
        refusedPeople = meters.counter(.rateRefusals, "person")
        refusedServices = meters.counter(.rateRefusals, "service")
        refusedAddresses = meters.counter(.rateRefusals, "address")
    }

    /// Counts a request of somebody who proved who they are.
    ///
    /// - Throws: ``Problem`` for one too many.
    func admit(_ principal: Principal, at now: Timestamp) throws(Problem) {
        let caller = principal.caller
        let refused = caller == .service ? refusedServices : refusedPeople
        guard let wait = limiter.take(from: .caller(caller), rate(of: caller), at: now) else { return }
        refused.increment()
        var problem = Self.tooMany(wait)
        tell(principal, at: now, in: &problem.headers)
        throw problem
    }

    /// Counts one more of the queries that came in one request: as a request of its own, which is good for as much work.
    ///
    /// - Throws: ``Problem`` for one too many.
    func admitQuery(_ principal: Principal, at now: Timestamp) throws(Problem) {
        try admit(principal, at: now)
        Effort.count(-Self.stepsOfRequest)
    }

    private static let headers = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"].compactMap {
        HTTPField.Name($0)
    }

    /// Tells somebody how many requests they may send at once, how many of these are left, and in how many seconds all are.
    func tell(_ principal: Principal?, at now: Timestamp, in headers: inout HTTPFields) {
        guard let caller = principal?.caller,
            let rest = limiter.rest(of: .caller(caller), rate(of: caller), at: now)
        else { return }
        let seconds = Int(rest.full.seconds.rounded(.up))
        for (name, value) in zip(Self.headers, [rest.most, rest.now, seconds]) { headers[name] = String(value) }
    }

    private func rate(of caller: Caller) -> Rate { caller == .service ? rates.service : rates.person }

    /// Does something on behalf of somebody, who owes for it what it was beyond the work that a request is good for.
    ///
    /// Whole requests are owed: the limits left show no single step.
    func charging<Result>(
        _ principal: Principal?, at now: @Sendable () -> Timestamp, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let caller = principal?.caller, rate(of: caller).perSecond > 0 else { return try await body() }
        let tally = Tally.bill()
        defer {
            gauge.note(tally.total, .bill)
            let further = (tally.total - 1) / Self.stepsOfRequest
            limiter.owe(Double(further), by: .caller(caller), rate(of: caller), at: now())
        }
        return try await Tally.$current.withValue(tally, operation: body)
    }

    /// Refuses to go on with a request that has become more work than its caller may owe.
    ///
    /// - Throws: ``Problem``.
    func refuseDebt(of principal: Principal?, at now: Timestamp) throws(Problem) {
        guard let caller = principal?.caller, caller != .service, let tally = Tally.current else { return }
        let requests = Double(tally.total) / Double(Self.stepsOfRequest)
        guard !limiter.mayOwe(requests, by: .caller(caller), rate(of: caller), at: now) else { return }
        throw Problem(
            .tooManyRequests,
            detail: "This is more work than you may ask for at once: send the rest by itself in a minute.",
            headers: [.retryAfter: "60"])
    }

    /// Looks on behalf of somebody for what may have changed: that counts as a request if something has, and else as nothing.
    ///
    /// How often is looked in vain depends on what the caller is not shown, which must not be seen from what is left.
    ///
    /// - Returns: What `body` returns; nil when no request is left for it.
    func charging<Result>(
        _ principal: Principal?, ifChanged isChanged: (Result) -> Bool, at now: @Sendable () -> Timestamp,
        _ body: () async throws -> Result
    ) async rethrows -> Result? {
        guard let caller = principal?.caller, let left = limiter.rest(of: .caller(caller), rate(of: caller), at: now())
        else { return try await body() }
        guard left.now > 0 else { return nil }
        let tally = Tally.bill()
        let result = try await Tally.$current.withValue(tally, operation: body)
        gauge.note(tally.total, .bill)
        guard isChanged(result) else { return result }
        guard limiter.take(from: .caller(caller), rate(of: caller), at: now()) == nil else { return nil }
        let further = (tally.total - 1) / Self.stepsOfRequest
        limiter.owe(Double(further), by: .caller(caller), rate(of: caller), at: now())
        return result
    }

    /// Counts a request that proves nothing.
    ///
    /// - Throws: ``Problem`` for one too many.
    func admit(_ address: IPAddress?, at now: Timestamp) throws(Problem) {
        guard let wait = limiter.take(from: .address(address?.network ?? []), rates.address, at: now) else { return }
        refusedAddresses.increment()
        throw Self.tooMany(wait)
    }

    private static func tooMany(_ wait: Duration) -> Problem {
        let seconds = max(1, Int(wait.seconds.rounded(.up)))
        return Problem(
            .tooManyRequests, detail: "That are too many requests; again in \(seconds) s.",
            headers: [.retryAfter: String(seconds)])
    }
}
