/// A dictionary that forgets what has not been put in for the longest time, in two generations.
///
/// What was put in last is always there; so are at least `capacity` of those before.
package struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    private let capacity: Int

    /// - Parameter capacity: how many are kept at least, 1 or more; never more than twice as many.
    package init(capacity: Int) { self.capacity = capacity }

    /// How many are kept.
    package var count: Int { recent.count + older.count }

    /// - Complexity: O(1) on average.
    package subscript(key: Key) -> Value? { recent[key] ?? older[key] }

    /// - Complexity: O(1) on average.
    package mutating func put(_ value: Value, for key: Key) {
        if recent.count >= capacity {
            older = recent
            recent = [:]
        }
        recent[key] = value
    }

    /// Forgets everything.
    mutating func removeAll() {
        recent = [:]
        older = [:]
    }
}
