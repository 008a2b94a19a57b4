internal import Geo
public import Model

/// A friend's fence that watches a person.
public struct Watcher: Sendable {
    /// The owner of the fence.
    public let owner: PersonID
    /// The fence, whose area and events the watched person may see.
    public let fence: Fence
    /// The current area of the place that the fence names; nil for other fences, and for more than a thousand vertices,
    /// which the place itself shows.
    public let placeArea: PlaceArea?
    /// The request for the person's consent, and its state.
    public let watch: FenceWatch
    /// Whether it may report the person now.
    public let isWatching: Bool
}

/// Consents to a friend's fence on the person.
public struct AcceptWatcher: Action {
    let person, owner: PersonID
    let fence: FenceID

    /// The fence with this ID of a friend of the person.
    public init(_ fence: FenceID, of owner: PersonID, about person: PersonID) {
        (self.fence, self.owner, self.person) = (fence, owner, person)
    }

    /// Only the watched person may consent.
    public func apply(to draft: inout Draft) throws {
        try draft.answer(fence, of: owner, about: person, .accepted)
    }
}

/// Ends a friend's fence on the person, without an event for the friend.
///
/// From then on the friend's other fences need consent too, whatever the person allows friends in general. Otherwise
/// the friend could create the fence again under another ID. ``NoteFriend`` reverts that.
public struct EndWatcher: Action {
    let person, owner: PersonID
    let fence: FenceID

    /// The fence with this ID of a friend of the person.
    public init(_ fence: FenceID, of owner: PersonID, about person: PersonID) {
        (self.fence, self.owner, self.person) = (fence, owner, person)
    }

    /// Only the watched person may end it.
    public func apply(to draft: inout Draft) throws {
        try draft.answer(fence, of: owner, about: person, .ended)
        let person = try draft.number(of: person)
        guard let owner = draft.state.people.number(of: owner),
            draft.state.people[person]?.ties.notes[.alerts]?[owner] == nil
        else { return }
        try draft.write(.ties(.noted(.alerts, Alerts.asked.rawValue, about: owner, by: person)))
    }
}

extension Draft {
    fileprivate mutating func answer(
        _ id: FenceID, of owner: PersonID, about person: PersonID, _ answer: FenceWatch.State
    ) throws {
        let person = try number(of: person)
        guard let owner = state.people.number(of: owner), let number = state.fences.number(of: id, owner),
            var watch = state.fences.watches[person]?[number], watch.state != .ended
        else { throw Refusal.unknown(.fence, id.any) }
        guard watch.state != answer else { return }
        (watch.state, watch.answered) = (answer, received)
        try write(.fences(.watched(number, person, watch)))
        if answer == .accepted, let silence = state.fences[number]?.fence.silence {
            try write(.fences(.alertDue(number, person, until: received + silence)))
        }
        if answer == .ended, state.fences.visits[person]?[number] != nil {
            try write(.fences(.left(number, person)))
        }
    }
}

extension LiveState {
    /// The fences of friends that watch a person, by the friends' IDs and their own.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    /// - Complexity: O(n log n).
    public func watchers(of id: PersonID) throws(Refusal) -> [Watcher] {
        guard let person = people.number(of: id) else { throw .unknown(.person, id.any) }
        let watchers = (fences.watches[person] ?? [:]).compactMap { number, watch -> Watcher? in
            guard watch.state != .ended, let entry = fences[number], let owner = entry.owner,
                people.isKnown(person, to: owner), let name = entry.fence.owner
            else { return nil }
            let area = followedPlace(of: entry.fence)?.area
            return Watcher(
                owner: name, fence: entry.fence, placeArea: area.flatMap { $0.vertexCount <= 1000 ? $0 : nil },
                watch: watch, isWatching: allows(entry, toReport: person))
        }
        WorkBudget.count(10 * watchers.count)
        return watchers.sorted { ($0.owner, $0.fence.id) < ($1.owner, $1.fence.id) }
    }
}
