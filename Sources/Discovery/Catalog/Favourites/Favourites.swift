internal import Model
internal import Structures

/// The favorites of all people.
struct Favourites: Sendable {
    /// A favorite of a person, ordered by time.
    struct Entry: Comparable, Sendable {
        var since: Timestamp
        /// The number of the person, place or product.
        var other: AnyNumber

        static func < (a: Entry, b: Entry) -> Bool { (a.since, a.other) < (b.since, b.other) }
    }

    /// The popularity of a favorite, ordered by descending count, then newest first.
    struct Rank: Comparable, Sendable {
        var count: Int32
        var number: AnyNumber

        static func < (a: Rank, b: Rank) -> Bool { (a.count, a.number) > (b.count, b.number) }
    }

    /// The favorites of one kind.
    private struct Table: Sendable {
        /// By person, oldest first.
        var entries: [PersonNumber: [Entry]] = [:]
        /// The people who have a favorite, by the favorite.
        var fans: [AnyNumber: SortedNumbers<PersonNumber>] = [:]
        /// All favorites by popularity.
        var ranking = SortedBlocks<Rank>()

        func rank(_ other: AnyNumber) -> Rank? { fans[other].map { Rank(count: Int32($0.count), number: other) } }

        mutating func changeFans(of other: AnyNumber, _ change: (inout SortedNumbers<PersonNumber>) -> Void) {
            if let rank = rank(other) { ranking.remove(rank) }
            change(&fans[other, default: SortedNumbers()])
            if fans[other]?.isEmpty ?? false { fans[other] = nil }
            if let rank = rank(other) { ranking.insert(rank) }
        }

        mutating func list(_ entry: Entry, of person: PersonNumber) {
            var position = entries[person]?.count ?? 0
            while position > 0, let before = entries[person]?[position - 1], entry < before { position -= 1 }
            entries[person, default: []].insert(entry, at: position)
        }

        mutating func unlist(_ other: AnyNumber, of person: PersonNumber) {
            // Removing all of a person's favorites begins with the last.
            if let last = entries[person]?.lastIndex(where: { $0.other == other }) { entries[person]?.remove(at: last) }
            if entries[person]?.isEmpty ?? false { entries[person] = nil }
        }
    }

    private var tables: [FavouriteKind: Table] = [:]

    private func table(_ kind: FavouriteKind) -> Table { tables[kind] ?? Table() }

    func contains(_ kind: FavouriteKind, _ other: AnyNumber, of person: PersonNumber) -> Bool {
        table(kind).fans[other]?.contains(person) ?? false
    }

    /// A person's favorites, oldest first.
    func entries(_ kind: FavouriteKind, of person: PersonNumber) -> [Entry] { table(kind).entries[person] ?? [] }

    func fans(_ kind: FavouriteKind, _ other: AnyNumber) -> [PersonNumber] { table(kind).fans[other]?.numbers ?? [] }

    func count(_ kind: FavouriteKind, _ other: AnyNumber) -> Int { table(kind).fans[other]?.count ?? 0 }

    /// All favorites of a kind, the most popular first.
    func ranking(_ kind: FavouriteKind) -> SortedBlocks<Rank> { table(kind).ranking }

    mutating func add(_ kind: FavouriteKind, _ other: AnyNumber, of person: PersonNumber, since: Timestamp) {
        tables[kind, default: Table()].list(Entry(since: since, other: other), of: person)
        tables[kind, default: Table()].changeFans(of: other) { $0.insert(person) }
    }

    mutating func remove(_ kind: FavouriteKind, _ other: AnyNumber, of person: PersonNumber) {
        tables[kind]?.unlist(other, of: person)
        tables[kind]?.changeFans(of: other) { $0.remove(person) }
    }

    /// Loads all favorites of a kind at once, in any order.
    mutating func load(_ kind: FavouriteKind, _ entries: [(other: AnyNumber, person: PersonNumber, since: Timestamp)]) {
        var table = Table()
        for (other, person, since) in entries {
            table.entries[person, default: []].append(Entry(since: since, other: other))
            table.fans[other, default: SortedNumbers()].insert(person)
        }
        for person in table.entries.keys { table.entries[person]?.sort() }
        for (other, fans) in table.fans { table.ranking.insert(Rank(count: Int32(fans.count), number: other)) }
        tables[kind] = table
    }

    /// Removes a deleted record from the favorites of all people.
    mutating func forget(_ kind: FavouriteKind, _ other: AnyNumber) {
        for person in fans(kind, other).reversed() { remove(kind, other, of: person) }
    }

    /// Removes a deleted person, both as a favorite and with their own favorites.
    mutating func forget(person: PersonNumber) {
        forget(.people, person.any)
        for kind in FavouriteKind.allCases {
            for entry in entries(kind, of: person).reversed() { remove(kind, entry.other, of: person) }
        }
    }
}
