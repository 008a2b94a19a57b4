internal import Geo
internal import Model

/// Who comes near to whom.
///
/// After each upload of one of two people it is compared where both are. A person's fence goes by where the person is, and by
/// where they are shown a friend exactly, as far as the friend agrees; that of a service by where both were last heard of.
extension Picture {
    /// Calls `body` with each fence about how near somebody and another come to each other, and who of the two may come near.
    ///
    /// - Complexity: O(friends and members of groups that those fences are about).
    private func forEachNearness(of person: PersonNumber, _ body: (Fences.Entry, PersonNumber) -> Void) {
        let near = fences.near
        for entry in near.around[person]?.numbers.compactMap({ fences[$0] }) ?? [] {
            for who in others(in: entry) where who != person { body(entry, who) }
        }
        var numbers = near.naming[person]?.numbers ?? []
        let friends = people.friends(of: person)
        let middles =
            near.friendly.count < friends.count
            ? near.friendly.keys.filter(friends.contains) : friends.numbers.filter { near.friendly[$0] != nil }
        Effort.count(min(near.friendly.count, friends.count))
        numbers += middles.flatMap { near.friendly[$0]?.numbers ?? [] }
        if !near.groups.isEmpty {
            numbers += people.groups.joined(by: person).flatMap { near.groups[$0]?.numbers ?? [] }
        }
        for entry in numbers.sorted().compactMap({ fences[$0] }) where entry.middle != person { body(entry, person) }
    }

    /// Who may come near, in order.
    private func others(in entry: Fences.Entry) -> [PersonNumber] {
        if let people = entry.people { return people.sorted() }
        if let group = entry.group { return people.groups[group].map { $0.members.keys.sorted() } ?? [] }
        return entry.middle.map { people.friends(of: $0).numbers } ?? []
    }

    /// Whether a person's fence may tell of somebody who comes near; one of a service may.
    private func allowsNearness(_ entry: Fences.Entry, _ who: PersonNumber) -> Bool {
        guard let owner = entry.owner else { return true }
        if entry.people != nil { return allows(entry, toTellOf: who) }
        return people.isKnown(who, to: owner) && alerts(of: who, for: owner) == .friends
    }

    /// What follows for the fences about how near somebody and others come to each other, in the order of fences and people.
    fileprivate func nearness(of person: PersonNumber, at now: Timestamp) -> [FenceChange] {
        var found: [(fence: FenceNumber, who: PersonNumber, changes: [FenceChange])] = []
        forEachNearness(of: person) { entry, who in
            Effort.count(3)
            let number = entry.record.number
            guard found.count < NearFences.mostAtOnce, let middle = entry.middle, let here = lastFix(of: middle) else {
                return
            }
            let visit = fences.visits[who]?[number]
            // What may not be told is forgotten: it is not told later either.
            if visit != nil { Effort.count(3) }
            if visit != nil, !allowsNearness(entry, who) { return found.append((number, who, [.left(number, who)])) }
            guard let there = entry.owner == nil ? lastFix(of: who)?.place : exactPlace(of: who, at: now),
                Geodesic.isCloser(here.place, there, than: entry.reach(isInside: visit != nil)) != (visit != nil)
            else { return }
            let changes = crossing(entry, who, visit, of: here, at: now)
            if !changes.isEmpty { found.append((number, who, changes)) }
        }
        return found.sorted { ($0.fence, $0.who) < ($1.fence, $1.who) }.flatMap(\.changes)
    }

    /// What follows when somebody came near, or left, if that may be told.
    private func crossing(
        _ entry: Fences.Entry, _ who: PersonNumber, _ visit: FenceVisit?, of here: LiveFix, at now: Timestamp
    ) -> [FenceChange] {
        Effort.count(15)
        let number = entry.record.number
        guard allowsNearness(entry, who) else { return [] }
        var heard = lastFix(of: who)?.time
        if let owner = entry.owner {
            let shown = shownPlace(of: who, to: owner, at: now)
            heard = shown?.precision == .exact ? shown.map { $0.seenUntil ?? $0.time } : nil
        }
        guard let heard, max(heard, here.time) - min(heard, here.time) < NearFences.longestBetween else { return [] }
        let time = max(heard, here.time, visit?.since ?? heard)
        var passing = FencePassing(number, who, visit == nil ? .enter : .exit, at: time)
        passing.precision = entry.owner.map { _ in .exact }
        return [visit == nil ? .visited(number, who, FenceVisit(since: time)) : .left(number, who), .passed(passing)]
    }

    /// How far somebody may go at least before they come near to another, or leave, whom they are shown exactly; at most a limit.
    ///
    /// Both move, so each may go half of the way. Of others nothing is told: the hint would tell how far away they are.
    func distanceToNearness(
        of person: PersonNumber, from place: Coordinate, upTo limit: Double, at now: Timestamp
    ) -> Double {
        guard !fences.near.isEmpty else { return limit }
        var least = limit
        forEachNearness(of: person) { entry, who in
            Effort.count(3)
            let visit = fences.visits[who]?[entry.record.number]
            let reach = entry.reach(isInside: visit != nil)
            guard let other = who == person ? entry.middle : who, let last = exactPlace(of: other, at: now),
                Geodesic.isCloser(place, last, than: reach + 2 * least),
                !Geodesic.isCloser(place, last, than: reach - 2 * least)
            else { return }
            Effort.count(15)
            guard allowsNearness(entry, who), shownPlace(of: other, to: person, at: now)?.precision == .exact else {
                return
            }
            least = min(least, abs(Geodesic.distance(from: place, to: last) - reach) / 2)
        }
        return least
    }
}

extension Fences.Entry {
    /// Within how many metres of the middle somebody is near, or has not left.
    fileprivate func reach(isInside: Bool) -> Double {
        guard case .person(_, let metres) = fence.area else { return 0 }
        return isInside ? metres + (fence.margin ?? NearFences.margin) : metres
    }
}

extension Draft {
    /// Judges how near somebody and others are to each other now.
    mutating func judgeNearness(of person: PersonNumber) throws {
        guard !picture.fences.near.isEmpty else { return }
        for change in picture.nearness(of: person, at: received) { try follow(fence: change) }
    }

    /// Refuses a fence about coming near if nobody is in the middle, or a person has too many about more than they name.
    func refuseNearness(in fence: Fence, of owner: PersonNumber?, number: FenceNumber?) throws(Refusal) {
        guard case .person(let id, _) = fence.area else { return }
        guard let middle = picture.people.number(of: id) else { throw .unknown(.person, id.any) }
        guard let owner else { return }
        if case .group(let group) = fence.watched {
            let known = picture.people.groups.number(of: group).flatMap { picture.people.groups[$0] }
            guard known?.members[owner] != nil else { throw .unknown(.group, group.any) }
        }
        if case .people = fence.watched { return }
        let others = picture.fences.near.around[middle]?.numbers.count { other in
            picture.fences[other].map { $0.owner == owner && $0.people == nil && other != number } ?? false
        }
        try refuse(.nearFence, after: others ?? 0)
    }
}
