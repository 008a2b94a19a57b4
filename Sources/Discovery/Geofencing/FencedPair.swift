internal import Model

/// A fence and a person whom it watches.
struct FencedPair: Codable, Comparable, Sendable {
    let fence: FenceNumber
    let person: PersonNumber

    static func < (a: FencedPair, b: FencedPair) -> Bool { (a.fence, a.person) < (b.fence, b.person) }
}

extension FencedPair {
    /// Maximum number of pairs judged in one writer turn.
    ///
    /// All pairs are judged, however many fire: a fence that stays silent because others fired would reveal their
    /// events to its owner.
    static let mostInTurn = 40
}

/// The pairs to judge after a person's upload: of the person's own proximity fences, and of the fences of others.
typealias FencedPairs = (own: [FencedPair], others: [FencedPair])

extension LiveState {
    func fencedPairs(with person: PersonNumber, at now: Timestamp) -> FencedPairs {
        let watched = (fences.watches[person] ?? [:]).keys.filter { fences[$0]?.fence.area.isSomewhere ?? false }
            .sorted().map { FencedPair(fence: $0, person: person) }
        guard !fences.near.isEmpty else { return ([], watched) }
        let near = nearPairs(with: person, at: now)
        return (near.own, watched + near.others)
    }
}

extension Draft {
    /// Judges friends' fences by the position of the person that each friend sees, and proximity fences by distance.
    ///
    /// - Returns: the pairs left for further turns.
    mutating func judge(_ pairs: [FencedPair]) throws -> [FencedPair] {
        for (index, pair) in pairs.prefix(FencedPair.mostInTurn).enumerated() {
            // Nodes of a replicated log count different work units, and must all make equal changes.
            if index > 0, !isShared, isHalfOver { return Array(pairs.dropFirst(index)) }
            for change in changes(of: pair) { try follow(fence: change) }
        }
        return Array(pairs.dropFirst(FencedPair.mostInTurn))
    }

    /// Judges a person's own proximity fences; at most ``NearFences/mostAtOnce`` fire.
    mutating func judgeOwn(_ pairs: [FencedPair]) throws {
        var left = NearFences.mostAtOnce
        for pair in pairs where left > 0 {
            let changes = changes(of: pair)
            if !changes.isEmpty { left -= 1 }
            for change in changes { try follow(fence: change) }
        }
    }

    private func changes(of pair: FencedPair) -> [FenceChange] {
        guard let entry = state.fences[pair.fence] else { return [] }
        return entry.fence.area.isSomewhere
            ? state.changes(of: pair.fence, pair.person, at: received)
            : state.nearness(of: pair, at: received)
    }
}
