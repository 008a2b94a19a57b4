internal import Model

/// A fence and a person whom it is about.
struct FencedPair: Codable, Comparable, Sendable {
    let fence: FenceNumber
    let person: PersonNumber

    static func < (a: FencedPair, b: FencedPair) -> Bool { (a.fence, a.person) < (b.fence, b.person) }
}

extension FencedPair {
    /// How many pairs are judged in one turn of the writer.
    ///
    /// All pairs are judged, however many of them ring: a fence that stays silent because others rang would show its owner
    /// their events.
    static let mostInTurn = 40
}

/// The pairs to judge after an upload of a person: of the person's own near-fences, and of the fences of others.
typealias FencedPairs = (own: [FencedPair], others: [FencedPair])

extension Picture {
    /// The pairs to judge after an upload of a person.
    func fencedPairs(with person: PersonNumber, at now: Timestamp) -> FencedPairs {
        let watched = (fences.watches[person] ?? [:]).keys.filter { fences[$0]?.fence.area.isSomewhere ?? false }
            .sorted().map { FencedPair(fence: $0, person: person) }
        guard !fences.near.isEmpty else { return ([], watched) }
        let near = nearPairs(with: person, at: now)
        return (near.own, watched + near.others)
    }
}

extension Draft {
    /// Judges the fences of friends by where each friend is shown the person now, and near-fences by how near two people are.
    ///
    /// - Returns: the pairs that are left for further turns.
    mutating func judge(_ pairs: [FencedPair]) throws -> [FencedPair] {
        for (index, pair) in pairs.prefix(FencedPair.mostInTurn).enumerated() {
            // Machines that follow a log count different steps, and must all do the same.
            if index > 0, !isShared, isHalfOver { return Array(pairs.dropFirst(index)) }
            for change in changes(of: pair) { try follow(fence: change) }
        }
        return Array(pairs.dropFirst(FencedPair.mostInTurn))
    }

    /// Judges how near friends are to a person by the person's own fences; at most ``NearFences/mostAtOnce`` ring.
    mutating func judgeOwn(_ pairs: [FencedPair]) throws {
        var left = NearFences.mostAtOnce
        for pair in pairs where left > 0 {
            let changes = changes(of: pair)
            if !changes.isEmpty { left -= 1 }
            for change in changes { try follow(fence: change) }
        }
    }

    private func changes(of pair: FencedPair) -> [FenceChange] {
        guard let entry = picture.fences[pair.fence] else { return [] }
        return entry.fence.area.isSomewhere
            ? picture.changes(of: pair.fence, pair.person, at: received)
            : picture.nearness(of: pair, at: received)
    }
}
