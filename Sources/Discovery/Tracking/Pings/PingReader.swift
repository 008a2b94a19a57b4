internal import Geo
public import Model
public import Storage
internal import Structures

/// Reads all people's stored pings except suspect ones, by person and oldest first, in pages.
public struct PingReader: Sendable {
    /// Number of people whose pings in the log are read together.
    private static let block = 1_000

    private let store: Store
    private let engine: Engine?
    /// The first person after the block.
    private var next: PersonNumber = 0
    private var end: PersonNumber
    private var table: KeysetReader<PersonPing>?
    /// Pings that were in the log, and may not be in the table.
    private var logged: ArraySlice<PersonPing> = []

    /// A reader of a store that is completely compacted.
    ///
    /// - Throws: ``StorageError`` when it cannot be read.
    public init(_ store: Store) throws(StorageError) {
        self.store = store
        engine = nil
        end = PersonNumber(try store.countPeople())
    }

    /// A reader of a store that is being written.
    public init(_ engine: Engine) {
        store = engine.store
        self.engine = engine
        end = engine.read { $0.people.nextNumber }
    }

    /// Returns the next pings, at least one; nil at the end.
    ///
    /// - Throws: ``StorageError``.
    public mutating func next() async throws(StorageError) -> [PersonPing]? {
        while true {
            if table == nil {
                guard next < end else { return nil }
                openBlock()
            }
            if let page = try await table?.next(), let last = page.last { return merged(page, through: last) }
            table = nil
            defer { logged = [] }
            if !logged.isEmpty { return Array(logged) }
        }
    }

    private mutating func openBlock() {
        let last = engine == nil ? end.advanced(by: -1) : min(end, next.advanced(by: Self.block)).advanced(by: -1)
        let people = next...last
        // Read before the table, so that a ping that is compacted in the meantime is read once.
        logged =
            (engine?.read { $0.logTail(of: people) } ?? []).flatMap { person, logTail in
                logTail.pings.map { PersonPing(person: person, ping: $0.ping) }
            }[...]
        table = store.pings(of: people)
        next = last.advanced(by: 1)
    }

    private mutating func merged(_ page: [PersonPing], through last: PersonPing) -> [PersonPing] {
        let split = logged.firstIndex { last.order < $0.order } ?? logged.endIndex
        let some = logged[..<split]
        logged = logged[split...]
        guard !some.isEmpty else { return page }
        let compacted = Set(page.map(\.order))
        return (page + some.filter { !compacted.contains($0.order) }).sorted { $0.order < $1.order }
    }
}

private struct PersonPingOrder: Hashable, Comparable {
    let person: PersonNumber
    let key: PingKey

    static func < (a: PersonPingOrder, b: PersonPingOrder) -> Bool { (a.person, a.key) < (b.person, b.key) }
}

extension PersonPing {
    fileprivate var order: PersonPingOrder { PersonPingOrder(person: ping.person, key: ping.key) }
}

extension LiveState {
    /// The pings of people that are only in the log.
    fileprivate func logTail(of people: ClosedRange<PersonNumber>) -> [(
        person: PersonID, logTail: UncompactedPings
    )] {
        WorkBudget.count(people.count * 3)
        return people.compactMap { number in
            let logTail = self.people.logTail[number]
            guard !logTail.isEmpty, let person = self.people.record(of: number)?.value.id else { return nil }
            return (person, logTail)
        }
    }
}
