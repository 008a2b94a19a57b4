package import Model
internal import Synchronization

/// A rate limit: requests per second, with a burst of what was unused lately.
///
/// A request that turns out to be much work counts as several; the additional ones become debt.
public struct Rate: Hashable, Sendable {
    /// Requests per second; 0 for no limit.
    public var perSecond: Double
    /// How long unused requests accumulate.
    public var saved: Duration

    /// Creates a rate limit; 0 requests per second for no limit.
    public init(perSecond: Double, saved: Duration = .seconds(10)) {
        self.perSecond = perSecond
        self.saved = saved
    }

    /// The milliseconds that a request uses: a century at most, which is as good as forever.
    fileprivate var cost: Double { min(1000 / perSecond, 3.2e12) }
    /// The milliseconds that a burst may use, enough for at least one request.
    fileprivate var depth: Double { max(Double(saved.milliseconds), cost) }
    /// The most milliseconds of debt, so that no caller is locked out for longer than a minute.
    fileprivate static let mostOwed = 60_000.0
}

/// Token buckets, stored as the time at which each is full again (generic cell rate algorithm, ITU-T I.371).
///
/// A full bucket equals a missing one. So the table may forget keys that it has not seen since `capacity` others came;
/// a longer memory would not stop a client with that many keys.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    /// The time at which a bucket is full, and when it was last read, in milliseconds since 1970.
    private struct Bucket {
        var full: Double
        var seen: Double

        /// The bucket at a time; a clock that was set back must not lock out a caller.
        init(_ before: Bucket?, at now: Double) {
            full = before.map { max(now, $0.full - max(0, $0.seen - now)) } ?? now
            seen = now
        }
    }

    /// A part of the table with its own lock.
    private final class Stripe: Sendable {
        let buckets: Mutex<RecentlyUsed<Key, Bucket>>

        init(capacity: Int) { buckets = Mutex(RecentlyUsed(capacity: capacity)) }
    }

    private let stripes: [Stripe]

    /// - Parameter capacity: The least number of buckets that are kept; up to twice as many are.
    package init(capacity: Int = 65_536) {
        stripes = (0..<16).map { _ in Stripe(capacity: max(1, capacity / 16)) }
    }

    /// The number of buckets that are kept, for tests.
    package var count: Int {
        stripes.reduce(0) { count, stripe in count + stripe.buckets.withLock { $0.count } }
    }

    /// Takes a request from a bucket.
    ///
    /// - Returns: nil on success, otherwise the time until there is one.
    /// - Complexity: O(1) on average.
    package func take(from key: Key, _ rate: Rate, at now: Timestamp) -> Duration? {
        guard rate.perSecond > 0 else { return nil }
        let now = Double(now.milliseconds)
        return stripe(of: key).buckets.withLock { buckets in
            var bucket = Bucket(buckets[key], at: now)
            defer { buckets.put(bucket, for: key) }
            // In this order a full bucket has exactly its depth, no matter how small the rate is.
            let wait = bucket.full - now + (rate.cost - rate.depth)
            guard wait <= 0 else { return .milliseconds(Int64(wait.rounded(.up))) }
            bucket.full += rate.cost
            return nil
        }
    }

    /// The capacity of a bucket, its remaining requests, and the time until it is full; nil for no limit.
    ///
    /// - Complexity: O(1) on average.
    package func rest(of key: Key, _ rate: Rate, at now: Timestamp) -> (most: Int, now: Int, full: Duration)? {
        guard rate.perSecond > 0 else { return nil }
        let now = Double(now.milliseconds)
        let bucket = stripe(of: key).buckets.withLock { Bucket($0[key], at: now) }
        let used = bucket.full - now
        let rest = max(0, Int((rate.depth - used) / rate.cost))
        return (Int(rate.depth / rate.cost), rest, .milliseconds(Int64(used.rounded(.up))))
    }

    /// Takes further requests from a bucket, as debt if it has too few.
    ///
    /// - Complexity: O(1) on average.
    package func owe(_ requests: Double, by key: Key, _ rate: Rate, at now: Timestamp) {
        guard rate.perSecond > 0, requests > 0 else { return }
        let now = Double(now.milliseconds)
        stripe(of: key).buckets.withLock { buckets in
            var bucket = Bucket(buckets[key], at: now)
            bucket.full = min(bucket.full + requests * rate.cost, now + rate.depth + Rate.mostOwed)
            buckets.put(bucket, for: key)
        }
    }

    /// Whether a bucket may take on a debt of further requests; any debt beyond the limit is never paid.
    ///
    /// - Complexity: O(1) on average.
    package func mayOwe(_ requests: Double, by key: Key, _ rate: Rate, at now: Timestamp) -> Bool {
        guard rate.perSecond > 0 else { return true }
        let now = Double(now.milliseconds)
        let bucket = stripe(of: key).buckets.withLock { Bucket($0[key], at: now) }
        return bucket.full - now + requests * rate.cost <= rate.depth + Rate.mostOwed
    }

    private func stripe(of key: Key) -> Stripe { stripes[Int(UInt(bitPattern: key.hashValue) % UInt(stripes.count))] }
}
