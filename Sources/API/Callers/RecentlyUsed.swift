/// An approximate least-recently-written cache with two generations.
///
/// It always contains the entry written last, and the entries of at least `capacity` writes before it.
package struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    private let capacity: Int

    /// - Parameter capacity: The least number of entries that are kept, 1 or more; at most twice as many are.
    package init(capacity: Int) { self.capacity = capacity }

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

    mutating func removeAll() {
        recent = [:]
        older = [:]
    }
}
