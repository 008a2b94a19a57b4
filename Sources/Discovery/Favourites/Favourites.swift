internal import Model
internal import Structures

/// Who has whom and what among their favourites.
struct Favourites: Sendable {
    /// A favourite of a person, in the order of time.
    struct Mark: Comparable, Sendable {
        var since: Timestamp
        /// The number of the person, place or product.
        var other: Int32

        static func < (a: Mark, b: Mark) -> Bool { (a.since, a.other) < (b.since, b.other) }
    }

    /// How often something is a favourite: more often comes first, then what was made later.
    struct Rank: Comparable, Sendable {
        var count: Int32
        var number: Int32

        static func < (a: Rank, b: Rank) -> Bool { (a.count, a.number) > (b.count, b.number) }
    }

    /// The favourites of one kind.
    private struct Table: Sendable {
        /// By person, oldest first.
        var marks: [Int32: [Mark]] = [:]
        /// By what is a favourite: whose it is.
        var fans: [Int32: SortedNumbers] = [:]
        /// What is a favourite of somebody.
        var ranking = SortedBlocks<Rank>()

        func rank(_ other: Int32) -> Rank? { fans[other].map { Rank(count: Int32($0.count), number: other) } }

        mutating func changeFans(of other: Int32, _ change: (inout SortedNumbers) -> Void) {
            if let rank = rank(other) { ranking.remove(rank) }
            change(&fans[other, default: SortedNumbers()])
            if fans[other]?.isEmpty ?? false { fans[other] = nil }
            if let rank = rank(other) { ranking.insert(rank) }
        }

        mutating func list(_ mark: Mark, of person: Int32) {
            var position = marks[person]?.count ?? 0
            while position > 0, let before = marks[person]?[position - 1], mark < before { position -= 1 }
            marks[person, default: []].insert(mark, at: position)
        }

        mutating func unlist(_ other: Int32, of person: Int32) {
            // Whoever takes out all begins with the last.
            if let last = marks[person]?.lastIndex(where: { $0.other == other }) { marks[person]?.remove(at: last) }
            if marks[person]?.isEmpty ?? false { marks[person] = nil }
        }
    }

    private var tables: [FavouriteKind: Table] = [:]

    private func table(_ kind: FavouriteKind) -> Table { tables[kind] ?? Table() }

    func contains(_ kind: FavouriteKind, _ other: Int32, of person: Int32) -> Bool {
        table(kind).fans[other]?.contains(person) ?? false
    }

    /// A person's favourites, oldest first.
    func marks(_ kind: FavouriteKind, of person: Int32) -> [Mark] { table(kind).marks[person] ?? [] }

    /// Whose favourite it is.
    func fans(_ kind: FavouriteKind, _ other: Int32) -> [Int32] { table(kind).fans[other]?.numbers ?? [] }

    /// How many people have it among their favourites.
    func count(_ kind: FavouriteKind, _ other: Int32) -> Int { table(kind).fans[other]?.count ?? 0 }

    /// What is a favourite of somebody, the most popular first.
    func ranking(_ kind: FavouriteKind) -> SortedBlocks<Rank> { table(kind).ranking }

    // MARK: - Changes

    mutating func mark(_ kind: FavouriteKind, _ other: Int32, of person: Int32, since: Timestamp) {
        tables[kind, default: Table()].list(Mark(since: since, other: other), of: person)
        tables[kind, default: Table()].changeFans(of: other) { $0.insert(person) }
    }

    mutating func unmark(_ kind: FavouriteKind, _ other: Int32, of person: Int32) {
        tables[kind]?.unlist(other, of: person)
        tables[kind]?.changeFans(of: other) { $0.remove(person) }
    }

    /// Takes in all favourites of a kind at once, in any order.
    mutating func load(_ kind: FavouriteKind, _ marks: [(other: Int32, person: Int32, since: Timestamp)]) {
        var table = Table()
        for (other, person, since) in marks {
            table.marks[person, default: []].append(Mark(since: since, other: other))
            table.fans[other, default: SortedNumbers()].insert(person)
        }
        for person in table.marks.keys { table.marks[person]?.sort() }
        for (other, fans) in table.fans { table.ranking.insert(Rank(count: Int32(fans.count), number: other)) }
        tables[kind] = table
    }

    /// Takes out what was deleted from everybody's favourites.
    mutating func forget(_ kind: FavouriteKind, _ other: Int32) {
        for person in fans(kind, other).reversed() { unmark(kind, other, of: person) }
    }

    /// Takes out a person who was deleted, as a favourite and with all favourites.
    mutating func forget(person: Int32) {
        forget(.people, person)
        for kind in FavouriteKind.allCases {
            for mark in marks(kind, of: person).reversed() { unmark(kind, mark.other, of: person) }
        }
    }
}
