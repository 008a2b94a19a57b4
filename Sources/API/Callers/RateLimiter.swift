package import Storage
internal import Synchronization

/// How many requests somebody may send: so many a second, and what they did not use of it for some time at once.
public struct Rate: Hashable, Sendable {
    /// Requests a second; 0 for any number.
    public var perSecond: Double
    /// How long unused requests are saved up.
    public var saved: Duration

    /// So many requests a second, saved up for a time; 0 requests for any number.
    public init(perSecond: Double, saved: Duration = .seconds(10)) {
        self.perSecond = perSecond
        self.saved = saved
    }

    /// Milliseconds that a request uses up: a century at most, which is as good as for ever.
    fileprivate var cost: Double { min(1000 / perSecond, 3.2e12) }
    /// Milliseconds that can be used up at once: at least those of a request.
    fileprivate var depth: Double { max(Double(saved.milliseconds), cost) }
}

/// Token buckets, kept as the instant at which each is full again (the generic cell rate algorithm, ITU-T I.371).
///
/// A bucket that is full is the same as none. So the table may forget whom it has not seen since `capacity` others came; who
/// has so many names to hide behind is not stopped by forgetting later.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    /// One part of the table, with a lock of its own: when each bucket is full again, in milliseconds since 1970.
    private final class Stripe: Sendable {
        let buckets: Mutex<RecentlyUsed<Key, Double>>

        init(capacity: Int) { buckets = Mutex(RecentlyUsed(capacity: capacity)) }
    }

    private let stripes: [Stripe]

    /// - Parameter capacity: how many buckets are remembered at least; at most it is twice as many.
    package init(capacity: Int = 65_536) {
        stripes = (0..<16).map { _ in Stripe(capacity: max(1, capacity / 16)) }
    }

    /// How many buckets are remembered, for tests.
    package var count: Int {
        stripes.reduce(0) { count, stripe in count + stripe.buckets.withLock { $0.count } }
    }

    /// Takes a request out of a bucket.
    ///
    /// - Returns: nil if there was one, else how long it takes until there is.
    /// - Complexity: O(1) on average.
    package func take(from key: Key, _ rate: Rate, at now: Timestamp) -> Duration? {
        guard rate.perSecond > 0 else { return nil }
        let now = Double(now.milliseconds)
        return stripes[Int(UInt(bitPattern: key.hashValue) % UInt(stripes.count))].buckets.withLock { buckets in
            let known = buckets[key] ?? now
            // A clock that was set back must not lock anybody out.
            let full = min(max(known, now), now + rate.depth)
            let next = full + rate.cost
            // In this order a full bucket has exactly what it is deep, however small the rate is.
            let wait = full - now + (rate.cost - rate.depth)
            guard wait <= 0 || full < known else { return .milliseconds(Int64(wait.rounded(.up))) }
            buckets.put(wait > 0 ? full : next, for: key)
            return wait > 0 ? .milliseconds(Int64(wait.rounded(.up))) : nil
        }
    }
}
