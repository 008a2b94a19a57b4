internal import Model

/// A fence and a person whom it watches.
struct FencedPair: Codable, Sendable {
    let fence: FenceNumber
    let person: PersonNumber
}

/// The fences to judge after an upload, once for all of its pings.
///
/// How many of them are judged in a turn of the writer follows from the fences alone. A turn that ended by the work done
/// would reveal hidden positions and the fences of other owners, by the events that are missing or late.
struct PendingFenceChecks: Codable, Sendable {
    /// The people whose fences are left, in order.
    var people: [PersonNumber] = []
    /// The pairs of others' fences that are left of an earlier person, in the order of owners.
    var pairs: [FencedPair] = []

    /// Maximum work units of a turn, except for a person's own proximity fences and a single owner's fence.
    static let mostSteps = 40_000

    var isEmpty: Bool { people.isEmpty && pairs.isEmpty }
}

extension LiveState {
    /// Whether any fence may be judged after an upload of a person.
    func hasFencedPairs(_ person: PersonNumber) -> Bool {
        fences.watches[person] != nil || !fences.near.isEmpty
    }

    /// The pairs to judge after a person's upload: of the person's own proximity fences, and of the fences of others.
    fileprivate func fencedPairs(
        with person: PersonNumber, at now: Timestamp
    ) -> (own: [FencedPair], others: [FencedPair]) {
        let watched = (fences.watches[person] ?? [:]).keys.filter { fences[$0]?.fence.area.isFixedArea ?? false }
            .map { FencedPair(fence: $0, person: person) }
        let near = fences.near.isEmpty ? ([], []) : nearPairs(with: person, at: now)
        return (near.0, (watched + near.1).sorted { order(of: $0) < order(of: $1) })
    }

    private func order(of pair: FencedPair) -> (Int, FenceNumber, PersonNumber) {
        (fences[pair.fence]?.owner.map { Int($0.rawValue) } ?? -1, pair.fence, pair.person)
    }
}

extension Draft {
    /// Judges fences after an upload: friends' fences by the position of the person that each friend sees, and proximity
    /// fences by distance.
    ///
    /// An owner's fences are judged in one turn if they fit into one.
    ///
    /// - Returns: the fences left for further turns.
    mutating func judge(_ pendingFences: PendingFenceChecks) throws -> PendingFenceChecks {
        var (rest, spent) = (pendingFences, 0)
        while !rest.isEmpty {
            if rest.pairs.isEmpty {
                guard spent < PendingFenceChecks.mostSteps else { return rest }
                let pairs = state.fencedPairs(with: rest.people.removeFirst(), at: received)
                spent += state.mostSteps(judgingOwn: pairs.own.count)
                try judgeOwn(pairs.own)
                rest.pairs = pairs.others
            } else {
                let group = nextGroup(of: rest.pairs)
                guard spent == 0 || spent + group.steps <= PendingFenceChecks.mostSteps else { return rest }
                for pair in rest.pairs.prefix(group.count) {
                    for change in changes(of: pair) { try write(fence: change) }
                }
                rest.pairs.removeFirst(group.count)
                spent += group.steps
            }
        }
        return rest
    }

    /// The number of pairs of the next owner, or of those that fit into one turn, and their maximum work units.
    private func nextGroup(of pairs: [FencedPair]) -> (count: Int, steps: Int) {
        let owner = state.fences[pairs[0].fence]?.owner
        var (count, steps) = (0, 0)
        for pair in pairs.prefix(while: { state.fences[$0.fence]?.owner == owner }) {
            let more = state.mostSteps(judging: pair.fence)
            if count > 0, steps + more > PendingFenceChecks.mostSteps { break }
            (count, steps) = (count + 1, steps + more)
        }
        return (count, steps)
    }

    /// Judges a person's own proximity fences; at most ``ProximityFences/mostAtOnce`` fire.
    private mutating func judgeOwn(_ pairs: [FencedPair]) throws {
        var left = ProximityFences.mostAtOnce
        for pair in pairs where left > 0 {
            let changes = changes(of: pair)
            if changes.contains(where: { if case .passed = $0 { true } else { false } }) { left -= 1 }
            for change in changes { try write(fence: change) }
        }
    }

    private func changes(of pair: FencedPair) -> [FenceChange] {
        guard let entry = state.fences[pair.fence] else { return [] }
        return entry.fence.area.isFixedArea
            ? state.changes(of: pair.fence, pair.person, at: received)
            : state.nearness(of: pair, at: received)
    }
}
