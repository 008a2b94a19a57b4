public import Geo
public import Model

/// The people nearest to a point by their newest positions; only services may search.
///
/// It scans all people, in parts between which the state may change. An index of all positions would take 100 bytes a
/// person and an update for each stored position, and only services make this query.
public struct NearestPeople: SearchInParts {
    /// The work units of reading a person's document.
    private static let stepsOfReading = 15
    /// A lower bound of the length of a degree along a meridian, in meters.
    private static let leastDegree = 110_500.0

    private let origin: Coordinate
    private let query: NearestQuery
    private let terms: [AttributeTerm]
    private let oldest: Timestamp?
    private var next: PersonNumber = 0
    /// The nearest so far, and some that are farther away.
    private var known: [Neighbour] = []
    private var found: [PersonNumber: (person: Person, position: Position)] = [:]
    /// An upper bound of the distance of results, in meters.
    private var reach: Double
    private var looked = 0
    /// The result, once all parts are done.
    public private(set) var page: Page<PersonNearby>

    /// People with all of some attributes, seen at `oldest` or later.
    public init(
        to origin: Coordinate, _ query: NearestQuery, having attributes: [AttributeFilter] = [],
        seenSince oldest: Timestamp? = nil
    ) {
        (self.origin, self.query, self.oldest) = (origin, query, oldest)
        terms = attributes.map(AttributeTerm.init)
        reach = query.within
        page = Page(items: [], origin: origin)
    }

    /// - Complexity: O(people + limit log limit) for all parts together.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        let end = state.people.nextNumber
        while next < end {
            guard steps < most else { return false }
            steps += 1
            look(at: next, state, &steps)
            next = next.advanced(by: 1)
            if known.count >= 2 * query.limit + 100 { keepNearest(state, &steps) }
        }
        keepNearest(state, &steps)
        finish(state)
        return true
    }

    package var course: QueryTrace { QueryTrace([.each], looked: looked) }

    private mutating func look(at number: PersonNumber, _ state: borrowing LiveState, _ steps: inout Int) {
        guard let position = state.people.position(of: number) else { return }
        looked += 1
        guard abs(position.place.latitude - origin.latitude) * Self.leastDegree <= reach else { return }
        if let oldest, max(position.time, position.seenUntil ?? position.time) < oldest { return }
        guard let person = state.people.record(of: number)?.value else { return }
        for term in terms where !term.match(person.attributes, &steps) { return }
        steps += Self.stepsOfReading
        known.append(Neighbour(handle: number.rawValue, place: position.place))
        found[number] = (person, position)
    }

    private mutating func keepNearest(_ state: borrowing LiveState, _ steps: inout Int) {
        steps += known.count * 2
        // People deleted in the meantime have no id any longer.
        let there = known.filter { state.people.record(of: PersonNumber($0.handle)) != nil }
        known = Scan.nearest(query, to: origin, among: there, ids: state.people.ids)
        let numbers = known.map { PersonNumber($0.handle) }
        found = Dictionary(uniqueKeysWithValues: numbers.compactMap { number in found[number].map { (number, $0) } })
        if known.count == query.limit, let last = known.last {
            reach = min(reach, Geodesic.distance(from: origin, to: last.place))
        }
    }

    private mutating func finish(_ state: borrowing LiveState) {
        let from = Origin(origin)
        page.items = known.compactMap { neighbour in
            found[PersonNumber(neighbour.handle)].map { person, position in
                let course = from.course(to: position.place)
                return PersonNearby(
                    person: person, position: position, decimetres: course.decimetres, bearing: course.bearing,
                    notes: [:])
            }
        }
        page.next = known.next(after: query, from: origin, state.people.ids)
    }
}
