internal import CoreMetrics
internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Meters
internal import Model
internal import Webhooks

/// The rate limits of callers.
public struct Rates: Hashable, Sendable {
    /// The rate of a person, including all their devices.
    public var person = Rate(perSecond: 20)
    /// The rate of all trusted services together.
    public var service = Rate(perSecond: 0)
    /// The rate of an address, for requests without a token or with an invalid one.
    public var address = Rate(perSecond: 10)

    /// Creates the default rates.
    public init() {}
}

/// Counts the requests of callers and addresses, and charges their work.
final class RateLimits: Sendable {
    private enum Key: Hashable, Sendable {
        case caller(Caller)
        case address([UInt8])
    }

    /// The work units that a request includes, 2.5 ms of a slow machine; as many more cost a further request.
    static let stepsOfRequest = 25_000
    /// The work units of receiving a small piece of a body.
    static let stepsOfPiece = 30
    /// The bytes received, and the bytes sent, per work unit.
    static let (bytesReadInStep, bytesWrittenInStep) = (10, 5)

    let rates: Rates
    private let limiter = RateLimiter<Key>()
    private let monitor: WorkMonitor
    private let refusedPeople, refusedServices, refusedAddresses: Counter

    init(rates: Rates, meters: Meters, monitor: WorkMonitor) {
        (self.rates, self.monitor) = (rates, monitor)
        refusedPeople = meters.counter(.rateRefusals, "person")
        refusedServices = meters.counter(.rateRefusals, "service")
        refusedAddresses = meters.counter(.rateRefusals, "address")
    }

    /// Counts a request of an authenticated caller.
    ///
    /// - Throws: ``Problem`` if it exceeds the rate.
    func admit(_ principal: Principal, at now: Timestamp) throws(Problem) {
        let caller = principal.caller
        let refused = caller == .service ? refusedServices : refusedPeople
        guard let wait = limiter.take(from: .caller(caller), rate(of: caller), at: now) else { return }
        refused.increment()
        var problem = Self.tooMany(wait)
        addHeaders(principal, at: now, in: &problem.headers)
        throw problem
    }

    /// Counts a further query of a batch as a request, which includes as much work as one.
    ///
    /// - Throws: ``Problem`` if it exceeds the rate.
    func admitQuery(_ principal: Principal, at now: Timestamp) throws(Problem) {
        try admit(principal, at: now)
        WorkBudget.count(-Self.stepsOfRequest)
    }

    private static let headers = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"].compactMap {
        HTTPField.Name($0)
    }

    /// Adds headers with the caller's burst limit, the requests left, and the seconds until all are available again.
    func addHeaders(_ principal: Principal?, at now: Timestamp, in headers: inout HTTPFields) {
        guard let caller = principal?.caller,
            let rest = limiter.rest(of: .caller(caller), rate(of: caller), at: now)
        else { return }
        let seconds = Int(rest.full.seconds.rounded(.up))
        for (name, value) in zip(Self.headers, [rest.most, rest.now, seconds]) { headers[name] = String(value) }
    }

    private func rate(of caller: Caller) -> Rate { caller == .service ? rates.service : rates.person }

    /// Runs `body`, and charges the principal for its work beyond what a request includes.
    ///
    /// Only whole requests are charged, so that the remaining limit does not reveal single work units.
    func charging<Result>(
        _ principal: Principal?, at now: @Sendable () -> Timestamp, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let caller = principal?.caller, rate(of: caller).perSecond > 0 else { return try await body() }
        let counter = WorkCounter.charging()
        defer {
            monitor.note(counter.total, .charge)
            let further = (counter.total - 1) / Self.stepsOfRequest
            limiter.owe(Double(further), by: .caller(caller), rate(of: caller), at: now())
        }
        return try await WorkCounter.$current.withValue(counter, operation: body)
    }

    /// Refuses to continue a request whose work exceeds the debt that its caller may have.
    ///
    /// - Throws: ``Problem``.
    func refuseDebt(of principal: Principal?, at now: Timestamp) throws(Problem) {
        guard let caller = principal?.caller, caller != .service, let counter = WorkCounter.current else { return }
        let requests = Double(counter.total) / Double(Self.stepsOfRequest)
        guard !limiter.mayOwe(requests, by: .caller(caller), rate(of: caller), at: now) else { return }
        throw Problem(
            .tooManyRequests,
            detail: "This is more work than the rate limit allows at once: send the rest separately in a minute.",
            headers: [.retryAfter: "60"])
    }

    /// Checks for changes on the caller's behalf, which counts as a request only if there are any.
    ///
    /// The number of checks without a change depends on hidden data, which the remaining limit must not reveal.
    ///
    /// - Returns: The result of `body`; nil when no request is left for it.
    func charging<Result>(
        _ principal: Principal?, ifChanged isChanged: (Result) -> Bool, at now: @Sendable () -> Timestamp,
        _ body: () async throws -> Result
    ) async rethrows -> Result? {
        guard let caller = principal?.caller, let left = limiter.rest(of: .caller(caller), rate(of: caller), at: now())
        else { return try await body() }
        guard left.now > 0 else { return nil }
        let counter = WorkCounter.charging()
        let result = try await WorkCounter.$current.withValue(counter, operation: body)
        monitor.note(counter.total, .charge)
        guard isChanged(result) else { return result }
        guard limiter.take(from: .caller(caller), rate(of: caller), at: now()) == nil else { return nil }
        let further = (counter.total - 1) / Self.stepsOfRequest
        limiter.owe(Double(further), by: .caller(caller), rate(of: caller), at: now())
        return result
    }

    /// Counts an unauthenticated request.
    ///
    /// - Throws: ``Problem`` if it exceeds the rate.
    func admit(_ address: IPAddress?, at now: Timestamp) throws(Problem) {
        guard let wait = limiter.take(from: .address(address?.network ?? []), rates.address, at: now) else { return }
        refusedAddresses.increment()
        throw Self.tooMany(wait)
    }

    private static func tooMany(_ wait: Duration) -> Problem {
        let seconds = max(1, Int(wait.seconds.rounded(.up)))
        return Problem(
            .tooManyRequests, detail: "Too many requests: try again in \(seconds) s.",
            headers: [.retryAfter: String(seconds)])
    }
}
