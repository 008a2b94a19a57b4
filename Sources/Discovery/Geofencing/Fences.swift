internal import Geo
internal import Hours
internal import Model
internal import Structures

/// The fences of the in-memory state, indexed by place, and the visits of people.
struct Fences: Sendable {
    /// A fence, prepared for judging.
    final class Entry: Sendable {
        let record: Versioned<Fence>
        /// The area with its cell cover, which deletion needs again; nil for proximity and for the areas of places.
        let covered: CoveredArea?
        var area: FencedArea? { covered?.area }
        /// The person at the center of a proximity fence; nil for other fences.
        let centerPerson: PersonNumber?
        /// Nil for a fence that is always active.
        let timetable: Timetable?
        let owner: PersonNumber?
        /// The named people, including friends who have not consented; nil for all people, friends, or a group.
        let people: Set<PersonNumber>?
        let group: GroupNumber?
        /// The attributes of watched people; nil for any.
        let terms: [AttributeTerm]?

        var fence: Fence { record.value }

        fileprivate init(_ record: Versioned<Fence>, _ covered: CoveredArea?, in people: borrowing People) {
            let fence = record.value
            self.record = record
            self.covered = covered
            centerPerson = if case .person(let id, _) = fence.area { people.present(id) } else { nil }
            timetable = fence.timetable.map { Timetable(Timetable.Key(hours: $0.hours, zone: $0.timezone)) }
            owner = fence.owner.flatMap { people.present($0) }
            terms = if case .attributes(let wanted) = fence.watched { wanted.map(AttributeTerm.init) } else { nil }
            switch fence.watched {
            case .everybody, .friends, .attributes: (self.people, group) = (nil, nil)
            case .people(let ids): (self.people, group) = (Set(ids.compactMap { people.present($0) }), nil)
            case .group(let id):
                group = people.groups.number(of: id)
                // A deleted group has no watched people.
                self.people = group == nil ? [] : nil
            }
        }

        /// Work units of examining the border, as if all corners were examined.
        var price: Int {
            switch fence.area {
            case .polygons(let polygons): 5 + polygons.reduce(0) { $0 + $1.vertexCount } / 10
            case .corridor(let line, _): 5 + line.count / 10
            case .circle, .place, .places, .person, .anywhere: 5
            }
        }

        /// Whether it watches people whom it does not name, of no group and no circle of friends.
        var watchesUnnamedPeople: Bool { fence.watched == .everybody || terms != nil }

        /// Whether the fence reports at a time.
        func isReported(at time: Timestamp) -> Bool {
            (fence.ends.map { time < $0 } ?? true) && (timetable?.isOpen(at: time) ?? true)
        }
    }

    /// The key of a fence: its owner, -1 for a service, and its ID.
    private struct Key: Comparable, Hashable {
        let owner: Int32
        let id: String

        init(_ owner: PersonNumber?, _ id: String) {
            (self.owner, self.id) = (owner?.rawValue ?? -1, id)
        }

        static func < (a: Key, b: Key) -> Bool { (a.owner, a.id) < (b.owner, b.id) }
    }

    /// A stay whose dwell event is pending.
    private struct Stay: Comparable, Hashable {
        let due: Timestamp
        let fence: FenceNumber
        let person: PersonNumber

        static func < (a: Stay, b: Stay) -> Bool { (a.due, a.fence, a.person) < (b.due, b.fence, b.person) }
    }

    /// Maximum number of fences for which a linear scan is cheaper than the index.
    static let few = 3
    /// Maximum number for a cached linear scan; a result of the index covers less, because of others' fences.
    static let several = 16

    private(set) var nextNumber: FenceNumber = 0
    /// Number of changes of fences.
    private(set) var revision = 0
    private(set) var index = AreaIndex()
    let nearbyFences = NearbyFenceCache()
    private(set) var near = ProximityFences()
    private(set) var overPlaces = PlaceFences()
    private(set) var inactivityAlerts = InactivityAlerts()
    private(set) var named = NamedFences()
    /// The fences whose entries need a second fix.
    private(set) var confirming: Set<FenceNumber> = []
    private var entries: [FenceNumber: Entry] = [:]
    private var numbers: [Key: FenceNumber] = [:]
    private var keys = SortedBlocks<Key>()
    /// The fences that a person is inside.
    private(set) var visits: [PersonNumber: [FenceNumber: FenceVisit]] = [:]
    /// The people inside a fence.
    private var visitors: [FenceNumber: SortedNumbers<PersonNumber>] = [:]
    private var stays = SortedBlocks<Stay>()
    /// Fences of friends that watch a person, with the person's consent.
    private(set) var watches: [PersonNumber: [FenceNumber: FenceWatch]] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// The people inside a fence, in order.
    func visitors(of number: FenceNumber) -> [PersonNumber] { visitors[number]?.numbers ?? [] }

    /// The consent of the people whom a fence names.
    func watches(by number: FenceNumber) -> [PersonNumber: FenceWatch] {
        let people = (entries[number]?.people ?? []).compactMap { person in
            watches[person]?[number].map { (person, $0) }
        }
        return Dictionary(uniqueKeysWithValues: people)
    }

    /// Reserves all numbers below this one.
    mutating func skip(to number: FenceNumber) { nextNumber = max(nextNumber, number) }

    subscript(number: FenceNumber) -> Entry? { entries[number] }

    func number(of id: FenceID, _ owner: PersonNumber?) -> FenceNumber? { numbers[Key(owner, id.text)] }

    /// Returns up to `most` fences of a person, or of services for nil, by ID after a cursor.
    func list(of owner: PersonNumber?, after id: FenceID? = nil, atMost most: Int = .max) -> [Versioned<Fence>] {
        let first = Key(owner, id?.text ?? "")
        var found: [Versioned<Fence>] = []
        keys.visit(after: first) { key in
            guard key.owner == first.owner, found.count < most else { return false }
            WorkBudget.count(4)
            if let record = numbers[key].flatMap({ entries[$0] })?.record { found.append(record) }
            return true
        }
        return found
    }

    /// The stays whose dwell event is due and not reported yet.
    func due(by time: DueTime, atMost most: Int) -> [(fence: FenceNumber, person: PersonNumber)] {
        var due: [(fence: FenceNumber, person: PersonNumber)] = []
        for (after, through) in time.spans {
            stays.visit(after: Stay(due: after, fence: 0, person: 0)) { stay in
                guard stay.due <= through, due.count < most else { return false }
                if stay.due > after, let dwell = entries[stay.fence]?.fence.dwell,
                    time.reaches(stay.due, after: dwell)
                {
                    due.append((stay.fence, stay.person))
                }
                return true
            }
        }
        return due
    }

    /// The people whose inactivity alert is due and not reported yet.
    func silent(by time: DueTime, atMost most: Int) -> [(fence: FenceNumber, person: PersonNumber)] {
        inactivityAlerts.due(by: time, atMost: most) { entries[$0]?.fence.silence }
    }

    mutating func apply(_ change: FenceChange, in people: borrowing People) {
        switch change {
        case .put(let record, let covered, _): put(record, covered, in: people)
        case .deleted(let number): remove(number)
        case .visited(let number, let person, let visit):
            forgetStay(number, person)
            visits[person, default: [:]][number] = visit
            visitors[number, default: SortedNumbers()].insert(person)
            if let stay = stay(number, person) { stays.insert(stay) }
        case .left(let number, let person):
            leave(number, person)
            visitors.remove(person, of: number)
        case .watched(let number, let person, let watch): watches[person, default: [:]][number] = watch
        case .watchEnded(let number, let person):
            leave(number, person)
            visitors.remove(person, of: number)
            endWatch(number, person)
            inactivityAlerts.forget(person, number)
        case .alertDue(let number, let person, let due): inactivityAlerts.wait(until: due, number, person)
        case .passed, .asked: break
        }
    }

    private mutating func put(_ record: Versioned<Fence>, _ covered: CoveredArea?, in people: borrowing People) {
        revision += 1
        let number = record.number
        let old = entries[number]
        let isMoved = old?.fence.area != record.value.area
        let covered = isMoved ? covered ?? FencedArea(record.value.area).map { CoveredArea($0) } : nil
        let entry = Entry(record, isMoved ? covered : old?.covered, in: people)
        let inside = old == nil ? [] : visitors[number]?.numbers ?? []
        for person in inside { forgetStay(number, person) }
        if let covered { index.insert(covered, as: UInt32(number.rawValue)) }
        if let old {
            near.remove(old)
            overPlaces.remove(old)
            named.remove(old)
            inactivityAlerts.remove(old, but: entry.fence.silence == nil ? [] : entry.people ?? [])
        }
        near.insert(entry)
        overPlaces.insert(entry)
        inactivityAlerts.insert(entry)
        named.insert(entry)
        if entry.fence.confirm == nil { confirming.remove(number) } else { confirming.insert(number) }
        let key = Key(entry.owner, entry.fence.id.text)
        if entries.updateValue(entry, forKey: number) == nil {
            numbers[key] = number
            keys.insert(key)
        }
        for stay in inside.compactMap({ stay(number, $0) }) { stays.insert(stay) }
        nextNumber = max(nextNumber, number.advanced(by: 1))
    }

    private mutating func remove(_ number: FenceNumber) {
        guard let entry = entries[number] else { return }
        revision += 1
        for person in visitors.removeValue(forKey: number)?.numbers ?? [] { leave(number, person) }
        let key = Key(entry.owner, entry.fence.id.text)
        for person in entry.people ?? [] { endWatch(number, person) }
        numbers[key] = nil
        keys.remove(key)
        entries[number] = nil
        if let covered = entry.covered { index.remove(UInt32(number.rawValue), coveredBy: covered) }
        near.remove(entry)
        overPlaces.remove(entry)
        named.remove(entry)
        inactivityAlerts.remove(entry)
        confirming.remove(number)
    }

    /// The fences that a person owns, services' fences that name them, and fences that detect proximity to them.
    func concerning(_ person: PersonNumber) -> [FenceNumber] {
        let lists = [near.around[person], named.people[person]].compactMap { $0?.numbers }
        return lists.reduce(Set()) { $0.union($1) }.sorted()
    }

    private mutating func endWatch(_ number: FenceNumber, _ person: PersonNumber) {
        watches[person]?[number] = nil
        if watches[person]?.isEmpty ?? false { watches[person] = nil }
    }

    private mutating func leave(_ number: FenceNumber, _ person: PersonNumber) {
        WorkBudget.count(20)
        forgetStay(number, person)
        visits[person]?[number] = nil
        if visits[person]?.isEmpty ?? false { visits[person] = nil }
    }

    private mutating func forgetStay(_ number: FenceNumber, _ person: PersonNumber) {
        if let stay = stay(number, person) { stays.remove(stay) }
    }

    /// The stay whose dwell event is pending; nil if it was reported, or is not configured.
    private func stay(_ number: FenceNumber, _ person: PersonNumber) -> Stay? {
        guard let visit = visits[person]?[number], !visit.isDwelling, let dwell = entries[number]?.fence.dwell else {
            return nil
        }
        return Stay(due: visit.since + dwell, fence: number, person: person)
    }

    /// Removes the visits and consents of a deleted person, whose own fences were deleted before.
    mutating func forget(_ person: PersonNumber) {
        for number in visits[person]?.keys.sorted() ?? [] {
            leave(number, person)
            visitors.remove(person, of: number)
        }
        for number in inactivityAlerts.naming[person]?.numbers ?? [] { inactivityAlerts.forget(person, number) }
        watches[person] = nil
    }

    /// The fences with inactivity alerts and the people they wait for, except those reported as inactive.
    var awaitable: [(fence: FenceNumber, person: PersonNumber)] {
        inactivityAlerts.naming.flatMap { person, numbers in
            numbers.numbers.filter { visits[person]?[$0] == nil }.map { ($0, person) }
        }
    }

    /// The facts about fences for ``LiveState/canonicalDump``.
    var canonicalDump: [String] {
        numbers.map { "fence \($0.value) \($0.key) \(String(describing: entries[$0.value]?.record))" }.sorted()
            + visits.flatMap { person, visits in visits.map { "visit \(person) \($0.key) \($0.value)" } }.sorted()
            + watches.flatMap { person, own in own.map { "watch \(person) \($0.key) \($0.value)" } }.sorted()
    }
}
