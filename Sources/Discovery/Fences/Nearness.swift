internal import Geo
internal import Model

/// Who comes near to whom.
///
/// After each upload of one of two people it is compared where both are. A person's fence goes by where the person is, and by
/// where they are shown a friend exactly, as far as the friend agrees; that of a service by where both were last heard of.
///
/// After an upload distances come first, since they cost least, then consent and precision where an event would follow.
/// The number of pairs that are compared follows from friendships alone: a bound on the events would show a hidden place
/// by the events that others miss. For a hint, whose length is seen, a place that is not shown is not even compared.
extension Picture {
    /// Calls `body` with each fence about how near somebody and another come to each other, and who of the two may come near.
    ///
    /// A person's fence is about friends only, so nothing depends on the fences of strangers.
    ///
    /// - Complexity: O(friends, members of groups of the person's own fences, and fences that name the person).
    private func forEachNearness(of person: PersonNumber, _ body: (Fences.Entry, PersonNumber) -> Void) {
        let near = fences.near
        for entry in near.around[person]?.numbers.compactMap({ fences[$0] }) ?? [] {
            for who in others(in: entry) where who != person && mayKnow(entry, who) { body(entry, who) }
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
        Effort.count(numbers.count)
        for entry in numbers.sorted().compactMap({ fences[$0] }) where entry.middle != person && mayKnow(entry, person)
        {
            body(entry, person)
        }
    }

    /// Whether a fence about people near somebody is about a person, as far as its owner knows.
    private func mayKnow(_ entry: Fences.Entry, _ who: PersonNumber) -> Bool {
        guard let owner = entry.owner else { return true }
        guard people.isKnown(who, to: owner) else { return false }
        guard let group = entry.group else { return true }
        return people.groups[group].map { $0.members[who] != nil && $0.members[owner] != nil } ?? false
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

    /// The pairs that are compared after an upload of a person: those of the person's own fences, and those of others.
    ///
    /// All pairs of services' fences are compared, and at most ``NearFences/mostCompared`` of own fences and of those of other
    /// people, chosen by the time.
    ///
    /// - Complexity: that of ``forEachNearness(of:_:)``.
    func nearPairs(with person: PersonNumber, at now: Timestamp) -> FencedPairs {
        var (ofServices, own, others): ([FencedPair], [FencedPair], [FencedPair]) = ([], [], [])
        forEachNearness(of: person) { entry, who in
            let pair = FencedPair(fence: entry.record.number, person: who)
            if entry.owner == nil {
                ofServices.append(pair)
            } else if entry.owner == person {
                own.append(pair)
            } else {
                others.append(pair)
            }
        }
        Effort.count((ofServices.count + own.count + others.count) / 2)
        return (own.window(at: now).sorted(), (ofServices + others.window(at: now)).sorted())
    }

    /// The changes of a fence that follow from how near its middle and a person are now.
    func nearness(of pair: FencedPair, at now: Timestamp) -> [FenceChange] {
        guard let entry = fences[pair.fence] else { return [] }
        let visit = fences.visits[pair.person]?[pair.fence]
        let isCrossing = mayCross(entry, pair.person, isInside: visit != nil)
        Effort.count(isCrossing || visit != nil ? 8 : 4)
        guard isCrossing || visit != nil else { return [] }
        // What may not be reported is forgotten: it is not reported later either.
        guard allowsNearness(entry, pair.person) else { return visit == nil ? [] : [.left(pair.fence, pair.person)] }
        guard isCrossing else { return [] }
        Effort.count(NearFences.stepsOfPair - 8)
        return crossing(entry, pair.person, visit, at: now) ?? []
    }

    /// Whether somebody may have come near, or left, by one of the places that may be known of them.
    private func mayCross(_ entry: Fences.Entry, _ who: PersonNumber, isInside: Bool) -> Bool {
        guard let here = entry.middle.flatMap({ lastFix(of: $0) }) else { return false }
        let reach = entry.reach(isInside: isInside)
        func crosses(_ place: Coordinate, _ time: Timestamp) -> Bool {
            max(time, here.time) - min(time, here.time) < NearFences.longestBetween
                && Geodesic.isCloser(here.place, place, than: reach) != isInside
        }
        return people.reading(who) { state -> Bool? in
            if let live = state.live, crosses(live.place, live.time) { return true }
            guard let place = state.last?.place, let time = state.last?.lastSeen else { return false }
            return crosses(place, time)
        } ?? false
    }

    /// What follows when a person came near, or left; nil for nothing.
    private func crossing(
        _ entry: Fences.Entry, _ who: PersonNumber, _ visit: FenceVisit?, at now: Timestamp
    ) -> [FenceChange]? {
        let number = entry.record.number
        guard let here = entry.middle.flatMap({ lastFix(of: $0) }),
            let there = known(of: who, to: entry.owner, at: now),
            Geodesic.isCloser(here.place, there.place, than: entry.reach(isInside: visit != nil)) != (visit != nil),
            max(there.time, here.time) - min(there.time, here.time) < NearFences.longestBetween
        else { return nil }
        Effort.count(15)
        let time = max(there.time, here.time, visit?.since ?? there.time)
        var passing = FencePassing(number, who, visit == nil ? .enter : .exit, at: time)
        passing.precision = entry.owner.map { _ in .exact }
        return [visit == nil ? .visited(number, who, FenceVisit(since: time)) : .left(number, who), .passed(passing)]
    }

    /// Where a person was last heard of, as far as a fence may go by it: that of a service by any place, that of a person by one
    /// that the owner is shown exactly.
    private func known(of who: PersonNumber, to owner: PersonNumber?, at now: Timestamp) -> LiveFix? {
        guard let owner else { return lastFix(of: who) }
        guard agreed(who, owner, at: now) == .exact else { return nil }
        Effort.count(NearFences.stepsOfLook)
        guard let shown = shownPlace(of: who, to: owner, at: now), shown.precision == .exact else { return nil }
        return LiveFix(shown.seenUntil ?? shown.time, shown.place)
    }

    /// How far somebody may go at least before they come near to another, or leave, whom they are shown exactly; at most a limit.
    ///
    /// Both move, so each may go half of the way. Of others nothing is told: the hint would tell how far away they are.
    func distanceToNearness(
        of person: PersonNumber, from place: Coordinate, upTo limit: Double, at now: Timestamp
    ) -> Double {
        guard !fences.near.isEmpty else { return limit }
        // A hint beyond the looks at own fences is the shortest; beyond those at others' fences it is what it is without them.
        var (least, own, others) = (limit, 0, 0)
        forEachNearness(of: person) { entry, who in
            if entry.owner == person { own += 1 } else { others += 1 }
            guard max(own, others) <= NearFences.mostCompared else { return }
            Effort.count(6)
            guard allowsNearness(entry, who), let other = who == person ? entry.middle : who,
                let shown = shownPlace(of: other, to: person, at: now), shown.precision == .exact
            else { return }
            let visit = fences.visits[who]?[entry.record.number]
            let reach = entry.reach(isInside: visit != nil)
            guard Geodesic.isCloser(place, shown.place, than: reach + 2 * least),
                !Geodesic.isCloser(place, shown.place, than: reach - 2 * least)
            else { return }
            Effort.count(15)
            least = min(least, abs(Geodesic.distance(from: place, to: shown.place) - reach) / 2)
        }
        return own > NearFences.mostCompared ? 0 : least
    }

    /// What a person is charged, in steps, for a look at how near the others are whom their own fences are about.
    ///
    /// It is that of the most people whom the fences can be about, whoever of them is shown, and wherever: it follows from the
    /// fences, the number of friends, and what a group may have as members.
    func priceOfNearness(to person: PersonNumber) -> Int {
        let own = fences.near.around[person]?.numbers.compactMap { fences[$0] } ?? []
        return own.reduce(0) { sum, entry in
            guard entry.owner == person else { return sum }
            let most =
                entry.group == nil ? entry.people?.count ?? people.friends(of: person).count : Groups.mostMembers
            return sum + NearFences.price * most
        }
    }
}

extension Array {
    /// As many elements as are compared at most, from one on that follows from the time: so the others have their turn
    /// later, and machines that follow a log compare the same.
    fileprivate func window(at now: Timestamp) -> [Element] {
        guard count > NearFences.mostCompared else { return self }
        let mixed = UInt64(bitPattern: now.milliseconds) &* 0x9E37_79B9_7F4A_7C15
        let first = Int(mixed >> 33) % count
        return (0..<NearFences.mostCompared).map { self[(first + $0) % count] }
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
