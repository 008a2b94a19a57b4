public import Geo
public import Model

/// A filter for the fences of an owner.
public struct FenceFilter: Hashable, Sendable {
    /// The person whom they watch, or around whom they detect proximity; nil for any.
    public var person: PersonID?
    /// A circle that they touch; nil for anywhere.
    public var near: Circle?

    /// Matches all fences.
    public init() {}
}

extension Engine {
    /// Number of fences examined in one read.
    private static let fencesAtOnce = 200

    /// Returns up to `most` matching fences of a person, or of services for nil, by ID after a cursor.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``; `CancellationError` as ``readInParts(_:)``.
    /// - Complexity: O(fences of the owner), in several reads.
    public func fences(
        of owner: PersonID?, _ filter: FenceFilter, after id: FenceID?, atMost most: Int
    ) async throws -> [Versioned<Fence>] {
        var (found, last) = ([Versioned<Fence>](), id)
        return try await readInParts { state in
            let person = try filter.person.map { try state.known($0, to: owner) }
            let part = try state.fences(of: owner, after: last, atMost: Self.fencesAtOnce)
            found += part.filter { state.isMeant($0.number, person, filter.near) }
            last = part.last?.value.id
            return part.count < Self.fencesAtOnce || found.count >= most ? Array(found.prefix(most)) : nil
        }
    }
}

extension LiveState {
    /// Returns a person as visible to the owner; a block between the two hides the person.
    fileprivate func known(_ id: PersonID, to owner: PersonID?) throws(Refusal) -> PersonNumber {
        let viewer = owner.flatMap { people.number(of: $0) }
        guard let number = people.number(of: id), viewer.map({ !people.isSeparated($0, number) }) ?? true else {
            throw .unknown(.person, id.any)
        }
        return number
    }

    /// Whether a fence watches a person, or detects proximity to them, and touches a circle.
    fileprivate func isMeant(_ number: FenceNumber, _ person: PersonNumber?, _ circle: Circle?) -> Bool {
        guard let entry = fences[number] else { return false }
        if let person, entry.centerPerson != person, !(entry.people?.contains(person) ?? watches(entry, person)) {
            return false
        }
        guard let circle else { return true }
        var steps = 0
        defer { WorkBudget.count(steps) }
        let area = areas(
            of: entry, from: circle.centre, to: circle.centre, margin: circle.radius, atMost: nil, steps: &steps)
        guard let area else { return false }
        return area.contains(circle.centre, steps: &steps)
            || !area.isOutside(circle.centre, by: circle.radius, steps: &steps)
    }
}
