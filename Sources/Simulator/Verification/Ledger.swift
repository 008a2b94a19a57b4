internal import Synchronization

/// The known state of each person in the service, with a version that is odd while a request is in progress.
///
/// As in a sequence lock, unchanged versions before and after a read show that the response was given for that state.
final class Ledger<Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        /// Odd while a change is in progress.
        var version = 0
    }

    /// The state of some people at an instant.
    struct Sight {
        let people: [Int]
        let values: [Value]
        fileprivate let versions: [Int]
    }

    private let entries: Mutex<[Entry]>

    init(people: Int, _ value: Value) {
        entries = Mutex([Entry](repeating: Entry(value: value), count: people))
    }

    /// Marks a person's change as in progress until it is settled.
    func begin(_ person: Int) { entries.withLock { $0[person].version += 1 } }

    /// Records the result of a person's change.
    func settle(_ person: Int, _ value: Value) {
        entries.withLock { entries in
            entries[person].value = value
            entries[person].version += 1
        }
    }

    /// The state of some people; nil if a change of one of them is in progress.
    func look(at people: [Int]) -> Sight? {
        entries.withLock { entries in
            let versions = people.map { entries[$0].version }
            guard versions.allSatisfy({ $0.isMultiple(of: 2) }) else { return nil }
            return Sight(people: people, values: people.map { entries[$0].value }, versions: versions)
        }
    }

    /// Whether no change began since.
    func holds(_ sight: Sight) -> Bool {
        entries.withLock { entries in zip(sight.people, sight.versions).allSatisfy { entries[$0].version == $1 } }
    }
}
