internal import Geo
public import Model
internal import Storage

/// Creates or replaces a fence.
public struct PutFence: Action {
    private enum CodingKeys: CodingKey { case write }

    let write: Write<Fence>
    /// The covered area and the row's columns, if computed before the writer turn.
    private var covered: CoveredArea?
    private var columns: FenceColumns?

    /// A conditional write of a fence.
    public init(_ write: Write<Fence>) { self.write = write }

    /// One writer turn, because many cells cover a large area.
    public var weight: Int { Engine.turnWeight }

    /// Returns one part; the cover and the row are computed here, where no other tenant waits for them.
    public func cut(receivedAt received: Timestamp) -> Chunks<PutFence> {
        var whole = self
        whole.covered = FencedArea(write.value.area).map { CoveredArea($0) }
        // Columns that cannot be encoded are tried again at the writer, which reports the error.
        whole.columns = try? FenceColumns(write.value)
        return Chunks(whole)
    }

    /// Continues while people are inside the area that is replaced.
    public func finish(_ first: Written, _ step: (PutFence) async throws -> Written) async throws -> Written {
        var written = first
        while written.isBegun { written = try await step(self) }
        return written
    }

    /// - Returns: the revision of the document.
    public func apply(to draft: inout Draft) throws -> Written {
        let fence = write.value
        let owner = try draft.keeper(of: fence.owner)
        switch fence.watched {
        case .everybody, .friends, .attributes: break
        case .people(let people):
            for person in people where owner == nil && draft.state.people.number(of: person) == nil {
                throw Refusal.unknown(.person, person.any)
            }
        case .group(let group):
            guard draft.state.people.groups.number(of: group) != nil else { throw Refusal.unknown(.group, group.any) }
        }
        let old = draft.state.fences.number(of: fence.id, owner).flatMap { draft.state.fences[$0]?.record }
        let revision = try draft.revision(after: old?.revision, if: write.condition)
        if let owner {
            try draft.refuseMore(than: fence, of: owner, number: old?.number)
            try draft.refuseStrangers(in: fence, of: owner, number: old?.number)
        }
        try draft.refuseNearness(in: fence, of: owner, number: old?.number)
        if let old, old.value == fence { return Written(isNew: false, revision: old.revision) }
        let number = old?.number ?? draft.state.fences.nextNumber
        let former = old.map { (fence: $0.value, watches: draft.state.fences.watches(by: number)) }
        if let old, old.value.area != fence.area || old.value.watched != fence.watched {
            // People inside another area, or watched differently, must enter again.
            guard try draft.remove(number) == .done else {
                return Written(isNew: false, revision: old.revision, isBegun: true)
            }
        }
        let record = Versioned(number: number, revision: revision, value: fence)
        let covered = covered ?? FencedArea(fence.area).map { CoveredArea($0) }
        try draft.write(.fences(.put(record, covered, columns)))
        try draft.askFriends(about: record, after: former)
        try draft.startInactivityTimer(of: number)
        return Written(isNew: old == nil, revision: revision)
    }
}

/// Deletes a fence, after the visits of most people inside; no exit is reported.
public struct DeleteFence: Deletion {
    let id: FenceID, owner: PersonID?
    /// The precondition, checked at the start.
    public var condition: Condition

    /// The fence with this ID and owner; nil for a service's.
    public init(_ id: FenceID, of owner: PersonID?, if condition: Condition = .always) {
        (self.id, self.owner, self.condition) = (id, owner, condition)
    }

    /// Runs one step; only the owner may delete the fence.
    public func apply(to draft: inout Draft) throws -> DeletionState {
        let owner = try draft.keeper(of: owner)
        guard let number = draft.state.fences.number(of: id, owner), let entry = draft.state.fences[number] else {
            throw Refusal.unknown(.fence, id.any)
        }
        _ = try draft.revision(after: entry.record.revision, if: condition)
        return try draft.remove(number)
    }
}

/// Fires dwell events of people who stayed without sending a ping, and inactivity alerts.
public struct FireTimedFences: Action {
    /// The deadline; nil for the time of receipt, as earlier versions logged it.
    let by: DueTime?

    init(by time: DueTime) { by = time }

    /// One writer turn.
    public var weight: Int { Engine.turnWeight }

    /// - Returns: whether more are due.
    public func apply(to draft: inout Draft) throws -> Bool {
        let time = by ?? .clock(draft.received)
        let (stays, silences) = (try draft.fireTimedFences(by: time), try draft.fireInactivityAlerts(by: time))
        return stays || silences
    }
}

extension Draft {
    /// Deletes a fence, or only as many visits to it as fit into a turn.
    fileprivate mutating func remove(_ number: FenceNumber) throws -> DeletionState {
        var portion = Portion()
        portion.take(state.fences.visitors(of: number)) { [.fences(.left(number, $0))] }
        try write(portion.isFull ? portion.changes : [.fences(.deleted(number))])
        return portion.isFull ? .begun : .done
    }

    /// Refuses a fence to a person who has the maximum number of fences, or of their corners.
    fileprivate func refuseMore(than fence: Fence, of owner: PersonNumber, number: FenceNumber?) throws(Refusal) {
        let own = state.fences.list(of: owner)
        if number == nil { try refuse(.fence, after: own.count) }
        let former = own.first { $0.number == number }?.value.area.corners ?? 0
        // A change that adds no corners is allowed: those above the limit stay.
        guard fence.area.corners > former else { return }
        let corners = own.reduce(fence.area.corners - former) { $0 + $1.value.area.corners }
        try refuse(.fenceCorner, after: corners - 1)
    }

    /// Returns the number of a fence's owner, for whom the caller may act; nil for a service's.
    fileprivate func keeper(of owner: PersonID?) throws(Refusal) -> PersonNumber? {
        guard let owner else {
            try requireService()
            return nil
        }
        return try number(of: owner)
    }
}

extension Fence.Area {
    /// The number of points that define it: one for a circle, none for an area that is not the fence's own.
    fileprivate var corners: Int {
        switch self {
        case .circle: 1
        case .polygons(let polygons): polygons.reduce(0) { $0 + $1.vertexCount }
        case .corridor(let line, _): line.count
        case .place, .places, .person, .anywhere: 0
        }
    }
}

extension LiveState {
    /// Returns a fence of a person; of a service for nil.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func fence(_ id: FenceID, of owner: PersonID?) throws(Refusal) -> Versioned<Fence> {
        let keeper = owner.flatMap { people.number(of: $0) }
        guard owner == nil || keeper != nil, let number = fences.number(of: id, keeper),
            let record = fences[number]?.record
        else { throw .unknown(.fence, id.any) }
        return record
    }

    /// Returns up to `most` fences of a person, or of services for nil, by ID after a cursor.
    ///
    /// - Complexity: O(log fences + fences returned).
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

extension Engine {
    /// Fires dwell events and inactivity alerts that are due by the clock estimate.
    public func fireTimedFences(at now: Timestamp) async throws {
        let time = trust.due(now)
        let isDue = read { state in
            !state.fences.due(by: time, atMost: 1).isEmpty || !state.fences.silent(by: time, atMost: 1).isEmpty
        }
        guard isDue else { return }
        while try await perform(FireTimedFences(by: time), by: .service, at: now, of: .maintenance) {}
    }
}
