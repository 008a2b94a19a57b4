public import Geo
public import Model

/// Anybody whose newest position is known, by the distance of that from a place; for services.
///
/// Everybody is looked at, in parts between which the picture may change. An index of all positions would take 100 bytes a person,
/// and a move of it with each stored position, for a question that only services ask.
public struct NearestPeople: SearchInParts {
    /// What reading a person's document costs.
    private static let stepsOfReading = 15
    /// A degree along a meridian is nowhere shorter, in metres.
    private static let leastDegree = 110_500.0

    private let origin: Coordinate
    private let query: NearestQuery
    private let terms: [AttributeTerm]
    private let oldest: Timestamp?
    private var next: PersonNumber = 0
    /// The nearest so far, and some that are farther away.
    private var known: [Neighbour] = []
    private var found: [PersonNumber: (person: Person, position: Position)] = [:]
    /// Nobody who is farther away is in the answer, in metres.
    private var reach: Double
    private var looked = 0
    /// What was found, once all parts were looked at.
    public private(set) var page: Page<PersonNearby>

    /// People with all of some attributes who were seen at `oldest` or later.
    public init(
        to origin: Coordinate, _ query: NearestQuery, having attributes: [AttributeFilter] = [],
        seenSince oldest: Timestamp? = nil
    ) {
        (self.origin, self.query, self.oldest) = (origin, query, oldest)
        terms = attributes.map(AttributeTerm.init)
        reach = query.within
        page = Page(items: [], origin: origin)
    }

    /// - Complexity: of all parts together O(people + limit log limit).
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        let end = picture.people.nextNumber
        while next < end {
            guard steps < most else { return false }
            steps += 1
            look(at: next, picture, &steps)
            next = next.advanced(by: 1)
            if known.count >= 2 * query.limit + 100 { keepNearest(picture, &steps) }
        }
        keepNearest(picture, &steps)
        finish(picture)
        return true
    }

    package var course: SearchCourse { SearchCourse([.each], looked: looked) }

    private mutating func look(at number: PersonNumber, _ picture: borrowing Picture, _ steps: inout Int) {
        guard let position = picture.people.position(of: number) else { return }
        looked += 1
        guard abs(position.place.latitude - origin.latitude) * Self.leastDegree <= reach else { return }
        if let oldest, max(position.time, position.seenUntil ?? position.time) < oldest { return }
        guard let person = picture.people.record(of: number)?.value else { return }
        for term in terms where !term.match(person.attributes, &steps) { return }
        steps += Self.stepsOfReading
        known.append(Neighbour(handle: number.rawValue, place: position.place))
        found[number] = (person, position)
    }

    private mutating func keepNearest(_ picture: borrowing Picture, _ steps: inout Int) {
        steps += known.count * 2
        // Who is gone meanwhile has no id any more.
        let there = known.filter { picture.people.record(of: PersonNumber($0.handle)) != nil }
        known = Scan.nearest(query, to: origin, among: there, ids: picture.people.ids)
        let numbers = known.map { PersonNumber($0.handle) }
        found = Dictionary(uniqueKeysWithValues: numbers.compactMap { number in found[number].map { (number, $0) } })
        if known.count == query.limit, let last = known.last {
            reach = min(reach, Geodesic.distance(from: origin, to: last.place))
        }
    }

    private mutating func finish(_ picture: borrowing Picture) {
        let from = Origin(origin)
        page.items = known.compactMap { neighbour in
            found[PersonNumber(neighbour.handle)].map { person, position in
                let course = from.course(to: position.place)
                return PersonNearby(
                    person: person, position: position, decimetres: course.decimetres, bearing: course.bearing,
                    notes: [:])
            }
        }
        page.next = known.next(after: query, from: origin, picture.people.ids)
    }
}
