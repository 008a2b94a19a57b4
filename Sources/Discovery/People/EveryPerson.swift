internal import Geo
public import Model

/// All people with their newest positions, in the order of creation; for services.
public struct EveryPerson: SearchInParts {
    /// The work units of reading a person's document and position.
    private static let stepsOfReading = 15

    private let limit: Int
    private var number: PersonNumber
    /// The result, once all parts are done.
    public private(set) var items: [(person: Person, position: Position?)] = []
    /// The person after whom the list continues; nil at its end.
    public private(set) var next: PersonNumber?

    /// At most `limit` people after a number.
    public init(after last: PersonNumber?, limit: Int) {
        number = last?.advanced(by: 1) ?? 0
        self.limit = limit
    }

    /// - Complexity: O(limit + people deleted in between), for all parts together.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        while number < state.people.nextNumber {
            guard steps < most else { return false }
            steps += 1
            defer { number = number.advanced(by: 1) }
            guard let person = state.people.record(of: number)?.value else { continue }
            guard items.count < limit else { return true }
            steps += Self.stepsOfReading
            items.append((person, state.people.position(of: number)))
            next = number
        }
        next = nil
        return true
    }

    package var course: QueryTrace { QueryTrace([.inOrder], looked: items.count) }
}
