internal import Geo
internal import HeapModule
internal import Model
internal import Structures

/// The search of one query, cell by cell.
struct StrangerSearch {
    let query: StrangerQuery
    let viewer: PersonState
    let number: PersonNumber
    let today: CalendarDate
    let now: Timestamp
    let order: SipKey
    let filter: SignatureFilter
    /// The point from which cells are ordered by distance; nil for the viewer's keyed order.
    var origin: Coordinate?
    private(set) var found: [Stranger] = []
    private(set) var scanned = 0

    init(_ query: StrangerQuery, by viewer: PersonState, _ today: CalendarDate, _ now: Timestamp, _ order: SipKey) {
        self.query = query
        self.viewer = viewer
        number = viewer.record.number
        self.today = today
        self.now = now
        self.order = order
        filter = Self.filter(query, on: today)
    }

    /// The signature filter for the requested ages, sexes and relationships.
    private static func filter(_ query: StrangerQuery, on today: CalendarDate) -> SignatureFilter {
        var filter = SignatureFilter()
        if !query.sexes.isEmpty { filter.demand(anyOf: query.sexes.reduce(0) { $0 | StrangerSignature.bit(of: $1) }) }
        if !query.relationships.isEmpty {
            filter.demand(anyOf: query.relationships.reduce(0) { $0 | StrangerSignature.bit(of: $1) })
        }
        if let ages = query.ages, ages.count < 80 {
            let years = today.year - ages.upperBound - 1...today.year - ages.lowerBound
            filter.demand(anyOf: years.reduce(0) { $0 | StrangerSignature.bit(ofYear: max(0, $1)) })
        }
        return filter
    }

    /// The position at which a bucket continues; nil for its beginning.
    func start(in kilometres: Int) -> StrangerPosition? {
        query.after?.kilometres == kilometres ? query.after : nil
    }

    /// Adds the people of a ring.
    ///
    /// - Returns: the hashes of the last person added if the page is full and more may follow, or of the last cell
    ///   examined if the scan limit is reached.
    mutating func take(from ring: inout StrangerRing, _ people: borrowing People) -> (cell: UInt64, person: UInt64)? {
        let after = start(in: ring.kilometres)
        while let cell = ring.cells.popMin() {
            WorkBudget.count(3)
            let start = after?.cellHash == cell.hash ? after?.personHash : nil
            let members = people.cells.members(of: cell.handle)
            if let last = take(from: members, cell.hash, after: start, ring.kilometres, people) {
                ring.cells.insert(cell)
                return (cell.hash, last)
            }
            if scanned >= query.maxScan { return (cell.hash, StrangerPosition.wholeCell) }
        }
        return nil
    }

    func hash(_ cell: CubeCell) -> UInt64 {
        guard let origin else { return order.hash(cell.id) }
        return UInt64(Geodesic.micrometres(from: origin, to: cell.centre))
    }

    /// Adds the people of a cell, whose hash also keys the order of its people.
    ///
    /// - Returns: the hash of the last person added if the page is full, or of the last one examined if the scan limit
    ///   is reached; nil at the end of the cell.
    private mutating func take(
        from members: CellMembers, _ cell: UInt64, after: UInt64?, _ kilometres: Int, _ people: borrowing People
    ) -> UInt64? {
        let own = UInt32(truncatingIfNeeded: cell)
        for place in (after.map(members.place) ?? 0)..<members.partCount {
            let part = members.part(place, for: own)
            scanned += 1
            guard filter.matches(part.signature) else { continue }
            scanned += part.members.count
            WorkBudget.count(part.members.count)
            var hashed: [HashedPerson] = []
            for member in part.members where filter.matches(member.signature) {
                let low = order.hash(UInt64(member.person)) & 0xffff_ffff
                let hash = UInt64(member.hash ^ own) << 32 | low
                if after.map({ hash > $0 }) ?? true { hashed.append(HashedPerson(hash: hash, number: member.person)) }
            }
            WorkBudget.count(hashed.count * Self.stepsOfPerson)
            for person in hashed.sorted() where mayShow(person.number, people) {
                WorkBudget.charge(Self.stepsOfPerson)
                guard let stranger = stranger(person.number, kilometres, people) else { continue }
                found.append(stranger)
                if found.count == query.limit { return person.hash }
            }
            if scanned >= query.maxScan, place + 1 < members.partCount { return members.end(of: place) }
        }
        return nil
    }

    /// The work units of examining a possible match.
    private static let stepsOfPerson = 20

    private struct HashedPerson: Comparable {
        let hash: UInt64
        let number: PersonNumber

        static func < (a: HashedPerson, b: HashedPerson) -> Bool { (a.hash, a.number) < (b.hash, b.number) }
    }

    /// Whether the viewer may see a person as a stranger, whatever the query; even the cost would reveal any others.
    private func mayShow(_ other: PersonNumber, _ people: borrowing People) -> Bool {
        guard other != number, !viewer.ties.friends.contains(other), !viewer.isSeparated(from: other),
            let age = people.record(of: other)?.value.born?.shownAge(on: today), age >= StrangerQuery.adulthood
        else { return false }
        return people.isShown(other, at: now)
    }

    private func stranger(_ other: PersonNumber, _ kilometres: Int, _ people: borrowing People) -> Stranger? {
        guard !viewer.ties.likes.contains(other), !viewer.ties.dislikes.contains(other),
            let person = people.record(of: other)?.value, let age = person.born?.shownAge(on: today),
            query.ages?.contains(age) ?? true,
            query.sexes.isEmpty || person.sex.map(query.sexes.contains) ?? false,
            query.relationships.isEmpty || person.relationship.map(query.relationships.contains) ?? false
        else { return nil }
        var stranger = Stranger(id: person.id, name: person.name, city: person.city, kilometres: kilometres)
        if viewer.person.isDiscoverable, viewer.terms.precision(at: now) < .hidden {
            stranger.profile = Stranger.Profile(
                photo: person.photo, age: age, sex: person.sex, relationship: person.relationship, about: person.about)
        }
        stranger.seen = people.seen(other, at: now)
        return stranger
    }
}
