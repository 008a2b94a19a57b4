package import Model
internal import Synchronization

/// How many requests somebody may send: so many a second, and what they did not use of it for some time at once.
///
/// A request that turns out to be much work counts as several, of which the others are owed afterwards.
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
    /// Milliseconds that can be owed beyond these: nobody is locked out for longer, whatever it was.
    fileprivate static let mostOwed = 60_000.0
}

/// Token buckets, kept as the instant at which each is full again (the generic cell rate algorithm, ITU-T I.371).
///
/// A bucket that is full is the same as none. So the table may forget whom it has not seen since `capacity` others came; who
/// has so many names to hide behind is not stopped by forgetting later.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    /// When a bucket is full again, and when that was last looked at, in milliseconds since 1970.
    private struct Bucket {
        var full: Double
        var seen: Double

        /// A bucket as it is now: a clock that was set back must not lock anybody out.
        init(_ before: Bucket?, at now: Double) {
            full = before.map { max(now, $0.full - max(0, $0.seen - now)) } ?? now
            seen = now
        }
    }

    /// One part of the table, with a lock of its own.
    private final class Stripe: Sendable {
        let buckets: Mutex<RecentlyUsed<Key, Bucket>>

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
        return stripe(of: key).buckets.withLock { buckets in
            var bucket = Bucket(buckets[key], at: now)
            defer { buckets.put(bucket, for: key) }
            // In this order a full bucket has exactly what it is deep, however small the rate is.
            let wait = bucket.full - now + (rate.cost - rate.depth)
            guard wait <= 0 else { return .milliseconds(Int64(wait.rounded(.up))) }
            bucket.full += rate.cost
            return nil
        }
    }

    /// How many requests a bucket has at most and now, and how long it takes until it is full; nil for any number.
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

    /// Takes so many requests more out of a bucket, which are owed if they are not there.
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

    /// Whether a bucket may owe so many requests more; what is beyond that is never paid for.
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
