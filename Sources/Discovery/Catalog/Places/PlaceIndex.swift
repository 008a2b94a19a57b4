internal import Cities
internal import Geo
internal import Hours
internal import Model
internal import Structures

/// The places in memory, with their indexes.
struct PlaceIndex: ~Copyable, Sendable {
    private(set) var ids = Identifiers()
    private(set) var grid = Grid()
    /// The coordinates of the places in ``grid``.
    private(set) var points = Points()
    /// The areas of places without an owner, to which fences for a kind refer.
    private(set) var areas = AreaIndex()
    /// The areas of places owned by people, kept apart so that their number does not slow down other queries.
    private(set) var ownedAreas = AreaIndex()
    /// The numbers of all places; descending numbers are newest first.
    private(set) var numbers = NumberSet<Place>()
    private(set) var words = Vocabulary()
    private var entries = Pages<Entry?>()
    private var owned: [PersonID: SortedNumbers<PlaceNumber>] = [:]
    private(set) var postings = PostingLists()
    private(set) var names = SortedBlocks<NameKey>()
    private(set) var tiles = PlaceTiles()
    private(set) var placed = PlacedKinds()
    private var timetables = Timetables()
    private let gazetteer: Gazetteer

    /// A place with its indexed terms.
    struct Entry: Sendable {
        var record: Versioned<Place>
        var tags: [Int32]
        /// nil for a place without hours.
        var timetable: Timetable?
        var kind: Int32
        var category: Int32?

        /// The folded name, by which places are sorted.
        ///
        /// - Complexity: O(length).
        var name: String { PlainText.of(record.value.name) }

        /// Whether the place passes a filter by opening hours; `steps` grows by the work done (``WorkBudget``).
        func passes(_ opening: OpeningQuery, _ steps: inout Int) -> Bool {
            guard opening.isFilter else { return true }
            steps += 5 + (timetable?.hours.ruleCount ?? 0)
            return timetable?.isOpen(at: opening.instant) ?? false
        }
    }

    /// A key in the order of names.
    struct NameKey: Comparable, Sendable {
        var name: String
        var number: PlaceNumber

        static func < (a: NameKey, b: NameKey) -> Bool { (a.name, a.number) < (b.name, b.number) }
    }

    init(gazetteer: Gazetteer) { self.gazetteer = gazetteer }

    private init(copying other: borrowing PlaceIndex) {
        ids = other.ids
        grid = other.grid.copy()
        points = other.points
        areas = other.areas
        ownedAreas = other.ownedAreas
        numbers = other.numbers
        words = other.words
        entries = other.entries
        owned = other.owned
        postings = other.postings
        names = other.names
        tiles = other.tiles
        placed = other.placed
        timetables = other.timetables
        gazetteer = other.gazetteer
    }

    func copy() -> PlaceIndex { PlaceIndex(copying: self) }

    var count: Int { ids.count }

    mutating func reserveCapacity(_ count: Int) {
        ids.reserveCapacity(count)
    }

    /// The memory of the entries in bytes.
    var bytesOfEntries: Int { entries.bytes }

    var nextNumber: PlaceNumber { PlaceNumber(ids.handleLimit) }

    subscript(number: PlaceNumber) -> Entry? { (0..<entries.count).contains(Int(number)) ? entries[Int(number)] : nil }

    func number(of id: PlaceID) -> PlaceNumber? { ids[id.text].map(PlaceNumber.init(rawValue:)) }

    /// The number of the place with an id, if its kind is `store`.
    func number(ofStore id: PlaceID) -> PlaceNumber? {
        guard let number = number(of: id), self[number]?.kind == words.term("store") else { return nil }
        return number
    }

    func record(of id: PlaceID) -> Versioned<Place>? { number(of: id).flatMap { self[$0]?.record } }

    func places(ownedBy owner: PersonID) -> SortedNumbers<PlaceNumber> { owned[owner] ?? SortedNumbers() }

    private mutating func own(_ number: PlaceNumber, _ before: PersonID?, _ after: PersonID?) {
        guard before != after else { return }
        if let before { owned.remove(number, of: before) }
        if let after { owned[after, default: SortedNumbers()].insert(number) }
    }

    private mutating func rename(_ number: PlaceNumber, _ before: String?, _ after: String?) {
        guard before != after else { return }
        if let before { names.remove(NameKey(name: before, number: number)) }
        if let after { names.insert(NameKey(name: after, number: number)) }
    }

    private mutating func cover(_ number: PlaceNumber, _ before: Place?, _ after: Place?) {
        guard before?.area != after?.area || (before?.owner == nil) != (after?.owner == nil) else { return }
        let key = UInt32(number.rawValue)
        if let covered = before?.area?.covered {
            // Only one of the two contains it.
            areas.remove(key, coveredBy: covered)
            ownedAreas.remove(key, coveredBy: covered)
        }
        guard let after, let covered = after.area?.covered else { return }
        if after.owner == nil { areas.insert(covered, as: key) } else { ownedAreas.insert(covered, as: key) }
    }

    /// Returns the places whose cover has the cell of a point, sorted: all whose areas contain it, and some others.
    ///
    /// - Returns: nil if there are more than `most`.
    func covering(_ place: Coordinate, atMost most: Int, steps: inout Int) -> [PlaceNumber]? {
        guard let some = areas.covering(place, atMost: most, steps: &steps),
            let owned = ownedAreas.covering(place, atMost: most - some.count, steps: &steps)
        else { return nil }
        return (some + owned).sorted().map { PlaceNumber($0) }
    }

    private mutating func timetable(of place: Place) -> Timetable? {
        place.hours.map { hours in
            timetables.take(Timetable.Key(hours: hours, zone: place.timezone ?? gazetteer.timezone(guessedFor: place)))
        }
    }

    /// Releases an entry's shared words and timetable.
    private mutating func giveBack(_ entry: Entry?) {
        guard let entry else { return }
        if let timetable = entry.timetable { timetables.giveBack(timetable.key) }
        for term in [entry.kind] + entry.tags { words.giveBack(term) }
        if let category = entry.category { words.giveBack(category) }
    }

    /// Ensures that new numbers start at `number` or above.
    mutating func skip(to number: PlaceNumber) {
        ids.skip(to: number.rawValue)
        entries.fill(upTo: Int(number), with: nil)
    }

    mutating func put(_ record: Versioned<Place>, isStocked: Bool) {
        let old = self[record.number]
        rename(record.number, old?.name, PlainText.of(record.value.name))
        putUnordered(record, isStocked: isStocked)
        tiles.change(from: old, to: self[record.number])
    }

    /// Builds the order of names and of map tiles, after calls of ``putUnordered(_:isStocked:)``.
    ///
    /// - Complexity: O(count log count).
    mutating func order() {
        var keys: [NameKey] = []
        keys.reserveCapacity(count)
        for place in 0..<entries.count {
            if let entry = entries[place] { keys.append(NameKey(name: entry.name, number: entry.record.number)) }
        }
        names = SortedBlocks(sorted: keys.sorted())
        tiles = PlaceTiles((0..<entries.count).lazy.compactMap { [entries] in entries[$0] })
    }

    /// Inserts or replaces a place without adding it to the order of names and of map tiles.
    mutating func putUnordered(_ record: Versioned<Place>, isStocked: Bool) {
        let number = record.number
        let place = record.value
        let entry = Entry(
            record: record, tags: place.tags.map { words.take($0) }, timetable: timetable(of: place),
            kind: words.take(place.kind), category: place.category.map { words.take($0) })
        if Int(number) >= entries.count || entries[Int(number)] == nil {
            ids.insert(place.id.text, as: number.rawValue)
            entries.fill(upTo: Int(number) + 1, with: nil)
            numbers.insert(number)
        }
        own(number, entries[Int(number)]?.record.value.owner, place.owner)
        postings.change(number, from: entries[Int(number)], to: entry)
        cover(number, entries[Int(number)]?.record.value, place)
        placed.change(from: entries[Int(number)], to: entry, words)
        giveBack(entries[Int(number)])
        entries[Int(number)] = entry
        if let coordinate = place.coordinate {
            grid.upsert(number.rawValue, at: coordinate, signature: PlaceSignature(entry, isStocked: isStocked).bits)
            points.put(number.rawValue, at: coordinate)
        } else {
            grid.remove(number.rawValue)
        }
    }

    mutating func remove(_ number: PlaceNumber) {
        guard let entry = self[number] else { return }
        ids.remove(entry.record.value.id.text)
        own(number, entry.record.value.owner, nil)
        postings.change(number, from: entry, to: nil)
        rename(number, entry.name, nil)
        cover(number, entry.record.value, nil)
        tiles.change(from: entry, to: nil)
        placed.change(from: entry, to: nil, words)
        giveBack(entry)
        entries.clear(Int(number))
        numbers.remove(number)
        grid.remove(number.rawValue)
    }

    /// Records in the grid whether a store has stock.
    mutating func setStocked(_ number: PlaceNumber, _ isStocked: Bool) {
        guard let entry = self[number], let coordinate = entry.record.value.coordinate else { return }
        let signature = PlaceSignature(entry, isStocked: isStocked).bits
        if grid.signature(of: number.rawValue) != signature {
            grid.upsert(number.rawValue, at: coordinate, signature: signature)
        }
    }
}

/// A bit set of the filters that a place can match: 0-15 kind, 16-39 category, 40-62 tags, 63 stock.
struct PlaceSignature {
    private(set) var bits: UInt64

    static let stocked: UInt64 = 1 << 63

    init(_ entry: PlaceIndex.Entry, isStocked: Bool) {
        bits = Self.bit(ofKind: entry.kind) | (isStocked ? Self.stocked : 0)
        if let category = entry.category { bits |= Self.bit(ofCategory: category) }
        for tag in entry.tags { bits |= Self.bit(ofTag: tag) }
    }

    static func bit(ofKind term: Int32) -> UInt64 { 1 << UInt64(term % 16) }
    static func bit(ofCategory term: Int32) -> UInt64 { 1 << UInt64(16 + term % 24) }
    static func bit(ofTag term: Int32) -> UInt64 { 1 << UInt64(40 + term % 23) }
}
