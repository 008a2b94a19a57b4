public import Geo
public import Model

/// Which of somebody's fences are meant.
public struct FenceFilter: Hashable, Sendable {
    /// Whom they watch, or near to whom others come; nil for whomever.
    public var person: PersonID?
    /// What they come near to; nil for wherever they are.
    public var near: Circle?

    /// All of them.
    public init() {}
}

extension Live {
    /// How many fences are looked at in one reading.
    private static let fencesAtOnce = 200

    /// The fences of somebody, or of services for nil, that are meant: in the order of their ids those after one, at most so many.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``; `CancellationError` as ``readInParts(_:)``.
    /// - Complexity: O(fences of the owner), in readings of a part each.
    public func fences(
        of owner: PersonID?, _ filter: FenceFilter, after id: FenceID?, atMost most: Int
    ) async throws -> [Versioned<Fence>] {
        var (found, last) = ([Versioned<Fence>](), id)
        return try await readInParts { picture in
            let person = try filter.person.map { try picture.known($0, to: owner) }
            let part = try picture.fences(of: owner, after: last, atMost: Self.fencesAtOnce)
            found += part.filter { picture.isMeant($0.number, person, filter.near) }
            last = part.last?.value.id
            return part.count < Self.fencesAtOnce || found.count >= most ? Array(found.prefix(most)) : nil
        }
    }
}

extension Picture {
    /// A person as the owner of fences may know them; who is separated from the owner by a block is as if not there.
    fileprivate func known(_ id: PersonID, to owner: PersonID?) throws(Refusal) -> PersonNumber {
        let viewer = owner.flatMap { people.number(of: $0) }
        guard let number = people.number(of: id), viewer.map({ !people.isSeparated($0, number) }) ?? true else {
            throw .unknown(.person, id.any)
        }
        return number
    }

    /// Whether a fence watches somebody, or is about who comes near them, and comes so near to a place.
    fileprivate func isMeant(_ number: FenceNumber, _ person: PersonNumber?, _ circle: Circle?) -> Bool {
        guard let entry = fences[number] else { return false }
        if let person, entry.middle != person, !(entry.people?.contains(person) ?? watches(entry, person)) {
            return false
        }
        guard let circle else { return true }
        var steps = 0
        defer { Effort.count(steps) }
        let area = areas(
            of: entry, from: circle.centre, to: circle.centre, margin: circle.radius, atMost: nil, steps: &steps)
        guard let area else { return false }
        return area.contains(circle.centre, steps: &steps)
            || !area.isOutside(circle.centre, by: circle.radius, steps: &steps)
    }
}
