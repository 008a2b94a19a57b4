internal import Geo
public import Model
internal import Storage

/// Makes or replaces a fence.
public struct PutFence: Action {
    private enum CodingKeys: CodingKey { case write }

    let write: Write<Fence>
    /// The area, and what the row holds, if they were found before the turn at the writer.
    private var covered: CoveredArea?
    private var columns: FenceColumns?

    /// The document as it is to be.
    public init(_ write: Write<Fence>) { self.write = write }

    /// A turn: many cells cover a large area.
    public var weight: Int { Live.turn }

    /// The whole; what covers the area, and what the row holds, is found here, where nobody waits for it.
    public func cut(receivedAt received: Timestamp) -> Cut<PutFence> {
        var whole = self
        whole.covered = FencedArea(write.value.area).map { CoveredArea($0) }
        // What cannot be written is tried again at the writer, which tells why.
        whole.columns = try? FenceColumns(write.value)
        return Cut(whole)
    }

    /// - Returns: the revision of the document.
    public func carryOut(on draft: inout Draft) throws -> Written {
        let fence = write.value
        let owner = try draft.keeper(of: fence.owner)
        switch fence.watched {
        case .everybody, .friends, .attributes: break
        case .people(let people):
            for person in people where owner == nil && draft.picture.people.number(of: person) == nil {
                throw Refusal.unknown(.person, person.any)
            }
        case .group(let group):
            guard draft.picture.people.groups.number(of: group) != nil else { throw Refusal.unknown(.group, group.any) }
        }
        let old = draft.picture.fences.number(of: fence.id, owner).flatMap { draft.picture.fences[$0]?.record }
        let revision = try draft.revision(after: old?.revision, if: write.condition)
        if let owner {
            try draft.refuseMore(than: fence, of: owner, number: old?.number)
            try draft.refuseStrangers(in: fence, of: owner, number: old?.number)
        }
        try draft.refuseNearness(in: fence, of: owner, number: old?.number)
        if let old, old.value == fence { return Written(isNew: false, revision: old.revision) }
        let number = old?.number ?? draft.picture.fences.nextNumber
        let former = old.map { (fence: $0.value, watches: draft.picture.fences.watches(by: number)) }
        if let old, old.value.area != fence.area || old.value.watched != fence.watched {
            // Who was inside another area is judged anew.
            try draft.follow(.fences(.deleted(number)))
        }
        let record = Versioned(number: number, revision: revision, value: fence)
        let covered = covered ?? FencedArea(fence.area).map { CoveredArea($0) }
        try draft.follow(.fences(.put(record, covered, columns)))
        try draft.askFriends(about: record, after: former)
        try draft.awaitSilence(of: number)
        return Written(isNew: old == nil, revision: revision)
    }
}

/// Deletes a fence; nobody is told that they left it.
public struct DeleteFence: Action {
    let id: FenceID, owner: PersonID?
    let condition: Condition

    /// The fence of this id of somebody; nil for a service's.
    public init(_ id: FenceID, of owner: PersonID?, if condition: Condition = .always) {
        (self.id, self.owner, self.condition) = (id, owner, condition)
    }

    /// A turn: many cells cover a large area, and many people may be inside.
    public var weight: Int { Live.turn }

    /// For its owner.
    public func carryOut(on draft: inout Draft) throws {
        let owner = try draft.keeper(of: owner)
        guard let number = draft.picture.fences.number(of: id, owner), let entry = draft.picture.fences[number] else {
            throw Refusal.unknown(.fence, id.any)
        }
        _ = try draft.revision(after: entry.record.revision, if: condition)
        try draft.follow(.fences(.deleted(number)))
    }
}

/// Tells of those who have stayed in a fence for long enough, though they sent nothing, and of those who sent nothing for too
/// long.
public struct TellDwelling: Action {
    /// By when; nil for the time of receipt, as earlier versions logged it.
    let by: DueTime?

    init(by time: DueTime) { by = time }

    /// A turn.
    public var weight: Int { Live.turn }

    /// - Returns: whether there are more of them.
    public func carryOut(on draft: inout Draft) throws -> Bool {
        let time = by ?? .clock(draft.received)
        let (stays, silences) = (try draft.tellDwelling(by: time), try draft.tellSilence(by: time))
        return stays || silences
    }
}

extension Draft {
    /// Refuses a fence to a person who has too many, or too many corners of them.
    fileprivate func refuseMore(than fence: Fence, of owner: PersonNumber, number: FenceNumber?) throws(Refusal) {
        let own = picture.fences.list(of: owner)
        if number == nil { try refuse(.fence, after: own.count) }
        let former = own.first { $0.number == number }?.value.area.corners ?? 0
        // A change that adds none is free: what is there beyond the bound stays.
        guard fence.area.corners > former else { return }
        let corners = own.reduce(fence.area.corners - former) { $0 + $1.value.area.corners }
        try refuse(.fenceCorner, after: corners - 1)
    }

    /// The number of whom a fence is to be; nil for a service's.
    fileprivate func keeper(of owner: PersonID?) throws(Refusal) -> PersonNumber? {
        guard let owner else {
            try refusePeople()
            return nil
        }
        return try number(of: owner)
    }
}

extension Fence.Area {
    /// The places by which it is given: one of a circle, and none of an area that is not the fence's own.
    fileprivate var corners: Int {
        switch self {
        case .circle: 1
        case .polygons(let polygons): polygons.reduce(0) { $0 + $1.vertexCount }
        case .corridor(let line, _): line.count
        case .place, .places, .person, .anywhere: 0
        }
    }
}

extension Picture {
    /// A fence of somebody; nil for a service's.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func fence(_ id: FenceID, of owner: PersonID?) throws(Refusal) -> Versioned<Fence> {
        let keeper = owner.flatMap { people.number(of: $0) }
        guard owner == nil || keeper != nil, let number = fences.number(of: id, keeper),
            let record = fences[number]?.record
        else { throw .unknown(.fence, id.any) }
        return record
    }

    /// The fences of somebody, or of services for nil, by id: those after one, at most so many.
    ///
    /// - Complexity: O(log fences + those returned).
    public func fences(of owner: PersonID?, after id: FenceID?, atMost most: Int) throws(Refusal) -> [Versioned<Fence>]
    {
        var keeper: PersonNumber?
        if let owner {
            guard let number = people.number(of: owner) else { throw .unknown(.person, owner.any) }
            keeper = number
        }
        return fences.list(of: keeper, after: id, atMost: most)
    }
}

extension Live {
    /// Tells of those who have stayed in a fence, or were silent, for long enough at an instant, whatever clock is right.
    public func tellDwelling(at now: Timestamp) async throws {
        let time = trust.due(now)
        let isDue = read { picture in
            !picture.fences.due(by: time, atMost: 1).isEmpty || !picture.fences.silent(by: time, atMost: 1).isEmpty
        }
        guard isDue else { return }
        while try await perform(TellDwelling(by: time), by: .service, at: now, of: .maintenance) {}
    }
}
