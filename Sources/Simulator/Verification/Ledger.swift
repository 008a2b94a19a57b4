internal import Synchronization

/// What the service is known to have of each person, and of whom it is not known because a request is under way.
///
/// Who looks twice and finds that nothing was begun or settled between knows that the answer was given about just that.
final class Ledger<Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        /// Odd while a change is under way.
        var version = 0
    }

    /// What was known of some people at an instant.
    struct Sight {
        let people: [Int]
        let values: [Value]
        fileprivate let versions: [Int]
    }

    private let entries: Mutex<[Entry]>

    init(people: Int, _ value: Value) {
        entries = Mutex([Entry](repeating: Entry(value: value), count: people))
    }

    /// A change of a person is under way, until it is settled.
    func begin(_ person: Int) { entries.withLock { $0[person].version += 1 } }

    /// The change is known to be done.
    func settle(_ person: Int, _ value: Value) {
        entries.withLock { entries in
            entries[person].value = value
            entries[person].version += 1
        }
    }

    /// What is known of some people; nil when a change of one of them is under way.
    func look(at people: [Int]) -> Sight? {
        entries.withLock { entries in
            let versions = people.map { entries[$0].version }
            guard versions.allSatisfy({ $0.isMultiple(of: 2) }) else { return nil }
            return Sight(people: people, values: people.map { entries[$0].value }, versions: versions)
        }
    }

    /// Whether nothing was begun since.
    func holds(_ sight: Sight) -> Bool {
        entries.withLock { entries in zip(sight.people, sight.versions).allSatisfy { entries[$0].version == $1 } }
    }
}
