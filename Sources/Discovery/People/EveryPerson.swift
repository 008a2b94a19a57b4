public import Geo
public import Model

/// All people with their newest positions, or those whom a filter selects, in the order of creation; for services.
public struct EveryPerson: SearchInParts {
    /// A condition on people with a position.
    public struct Filter: Sendable {
        /// The area of the positions; nil for everywhere.
        public var region: Region?
        /// The interval, half-open, in which they were seen there.
        public var times: Range<Timestamp>
        private let terms: [AttributeTerm]

        /// A filter for people with all of some attributes.
        public init(in region: Region?, _ times: Range<Timestamp>, having attributes: [AttributeFilter] = []) {
            (self.region, self.times) = (region, times)
            terms = attributes.map(AttributeTerm.init)
        }

        fileprivate func match(_ person: Person, _ position: Position?, _ steps: inout Int) -> Bool {
            guard let position, region?.contains(position.place, steps: &steps) ?? true,
                position.time < times.upperBound, position.seenUntil ?? position.time >= times.lowerBound
            else { return false }
            return terms.allSatisfy { $0.match(person.attributes, &steps) }
        }
    }

    /// The work units of reading a person's document and position.
    private static let stepsOfReading = 15

    private let limit: Int
    private let filter: Filter?
    private var number: PersonNumber
    /// The result, once all parts are done.
    public private(set) var items: [(person: Person, position: Position?)] = []
    /// The person after whom the list continues; nil at its end.
    public private(set) var next: PersonNumber?

    /// At most `limit` people after a number.
    public init(after last: PersonNumber?, limit: Int, _ filter: Filter? = nil) {
        number = last?.advanced(by: 1) ?? 0
        self.limit = limit
        self.filter = filter
    }

    /// - Complexity: O(limit + people left out in between), for all parts together.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        while number < state.people.nextNumber {
            guard steps < most else { return false }
            steps += 1
            defer { number = number.advanced(by: 1) }
            guard let person = state.people.record(of: number)?.value else { continue }
            let position = state.people.position(of: number)
            if let filter, !filter.match(person, position, &steps) { continue }
            guard items.count < limit else { return true }
            steps += Self.stepsOfReading
            items.append((person, position))
            next = number
        }
        next = nil
        return true
    }

    package var course: QueryTrace { QueryTrace([.inOrder], looked: items.count) }
}

extension Engine {
    /// Returns a person with the newest position; for services.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, also for a person without a position.
    public func placedPerson(_ id: PersonID) throws(Refusal) -> (person: Person, position: Position) {
        try read { state throws(Refusal) in
            guard let number = state.people.number(of: id), let person = state.people.record(of: number)?.value,
                let position = state.people.position(of: number)
            else { throw .unknown(.position, id.any) }
            return (person, position)
        }
    }
}
