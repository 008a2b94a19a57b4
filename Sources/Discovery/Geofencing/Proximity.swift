internal import Geo
internal import Model

/// Proximity detection: fences that report when two people come near each other.
///
/// Positions are compared after each upload of either person. A person's fence uses the owner's fix and the friend's
/// exactly visible position, with the friend's consent. A service's fence uses the last fixes.
///
/// Distances are checked first, since they are the cheapest, then consent and precision where an event would follow.
/// The number of pairs depends on friendships alone: a limit on events would reveal a hidden position by the events
/// that others miss. For a hint, whose length is visible, hidden positions are not compared.
extension LiveState {
    /// Calls `body` with each fence about a person's proximity to another, and with the watched person of the two.
    ///
    /// A person's fence watches friends only, so nothing depends on the fences of strangers.
    ///
    /// - Complexity: O(friends, members of the groups of own fences, and fences that name the person).
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
        WorkBudget.count(min(near.friendly.count, friends.count))
        numbers += middles.flatMap { near.friendly[$0]?.numbers ?? [] }
        if !near.groups.isEmpty {
            numbers += people.groups.joined(by: person).flatMap { near.groups[$0]?.numbers ?? [] }
        }
        WorkBudget.count(numbers.count)
        for entry in numbers.sorted().compactMap({ fences[$0] })
        where entry.centerPerson != person && mayKnow(entry, person) {
            body(entry, person)
        }
    }

    /// Whether a proximity fence watches a person, as far as its owner may know.
    private func mayKnow(_ entry: Fences.Entry, _ who: PersonNumber) -> Bool {
        guard let owner = entry.owner else { return true }
        guard people.isKnown(who, to: owner) else { return false }
        guard let group = entry.group else { return true }
        return people.groups[group].map { $0.members[who] != nil && $0.members[owner] != nil } ?? false
    }

    /// The watched people, in order.
    private func others(in entry: Fences.Entry) -> [PersonNumber] {
        if let people = entry.people { return people.sorted() }
        if let group = entry.group { return people.groups[group].map { $0.members.keys.sorted() } ?? [] }
        return entry.centerPerson.map { people.friends(of: $0).numbers } ?? []
    }

    /// Whether the fence may report a watched person; a service's always may.
    private func allowsNearness(_ entry: Fences.Entry, _ who: PersonNumber) -> Bool {
        guard let owner = entry.owner else { return true }
        if entry.people != nil { return allows(entry, toReport: who) }
        return people.isKnown(who, to: owner) && alerts(of: who, for: owner) == .friends
    }

    /// The pairs to compare after a person's upload: of the person's own fences, and of others'.
    ///
    /// All pairs of services' fences are compared. Of own and of other people's fences at most
    /// ``ProximityFences/mostCompared`` each are compared, in a window chosen by the time.
    ///
    /// - Complexity: as ``forEachNearness(of:_:)``.
    func nearPairs(with person: PersonNumber, at now: Timestamp) -> (own: [FencedPair], others: [FencedPair]) {
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
        WorkBudget.count((ofServices.count + own.count + others.count) / 2)
        return (own.window(at: now), ofServices + others.window(at: now))
    }

    /// The changes of a fence by the current distance of the two people.
    func nearness(of pair: FencedPair, at now: Timestamp) -> [FenceChange] {
        guard let entry = fences[pair.fence] else { return [] }
        let visit = fences.visits[pair.person]?[pair.fence]
        let isCrossing = mayCross(entry, pair.person, isInside: visit != nil)
        WorkBudget.count(isCrossing || visit != nil ? 8 : 4)
        guard isCrossing || visit != nil else { return [] }
        // A visit without consent is deleted, and not reported later either.
        guard allowsNearness(entry, pair.person) else { return visit == nil ? [] : [.left(pair.fence, pair.person)] }
        guard isCrossing else { return [] }
        WorkBudget.count(ProximityFences.stepsOfPair - 8)
        return crossing(entry, pair.person, visit, at: now) ?? []
    }

    /// Whether a watched person may have entered or left, by any of their known positions.
    private func mayCross(_ entry: Fences.Entry, _ who: PersonNumber, isInside: Bool) -> Bool {
        guard let here = entry.centerPerson.flatMap({ lastFix(of: $0) }) else { return false }
        let reach = entry.reach(isInside: isInside)
        func crosses(_ place: Coordinate, _ time: Timestamp) -> Bool {
            max(time, here.time) - min(time, here.time) < ProximityFences.longestBetween
                && Geodesic.isCloser(here.place, place, than: reach) != isInside
        }
        return people.reading(who) { state -> Bool? in
            if let live = state.live, crosses(live.place, live.time) { return true }
            guard let place = state.last?.place, let time = state.last?.lastSeen else { return false }
            return crosses(place, time)
        } ?? false
    }

    /// The changes when a person entered or left; nil for none.
    private func crossing(
        _ entry: Fences.Entry, _ who: PersonNumber, _ visit: FenceVisit?, at now: Timestamp
    ) -> [FenceChange]? {
        let number = entry.record.number
        guard let here = entry.centerPerson.flatMap({ lastFix(of: $0) }),
            let there = known(of: who, to: entry.owner, at: now),
            Geodesic.isCloser(here.place, there.place, than: entry.reach(isInside: visit != nil)) != (visit != nil),
            max(there.time, here.time) - min(there.time, here.time) < ProximityFences.longestBetween
        else { return nil }
        WorkBudget.count(15)
        let time = max(there.time, here.time, visit?.since ?? there.time)
        var passing = FenceTransition(number, who, visit == nil ? .enter : .exit, at: time)
        passing.precision = entry.owner.map { _ in .exact }
        return [visit == nil ? .visited(number, who, FenceVisit(since: time)) : .left(number, who), .passed(passing)]
    }

    /// The fix of a person that a fence may use: the last one for services, an exactly visible one for a person's
    /// fence.
    private func known(of who: PersonNumber, to owner: PersonNumber?, at now: Timestamp) -> LiveFix? {
        guard let owner else { return lastFix(of: who) }
        guard agreed(who, owner, at: now) == .exact else { return nil }
        WorkBudget.count(ProximityFences.stepsOfLook)
        guard let shown = shownPlace(of: who, to: owner, at: now), shown.precision == .exact else { return nil }
        return LiveFix(shown.seenUntil ?? shown.time, shown.place)
    }

    /// A lower bound of the distance to entering or leaving a proximity fence, up to `limit`.
    ///
    /// Both people move, so each gets half. Only people visible exactly count, because the hint reveals their distance.
    func distanceToNearness(
        of person: PersonNumber, from place: Coordinate, upTo limit: Double, at now: Timestamp
    ) -> Double {
        guard !fences.near.isEmpty else { return limit }
        // With too many own fences the hint is the shortest; with too many fences of others it ignores the rest.
        var (least, own, others) = (limit, 0, 0)
        forEachNearness(of: person) { entry, who in
            if entry.owner == person { own += 1 } else { others += 1 }
            guard max(own, others) <= ProximityFences.mostCompared else { return }
            WorkBudget.count(6)
            guard allowsNearness(entry, who), let other = who == person ? entry.centerPerson : who,
                let shown = shownPlace(of: other, to: person, at: now), shown.precision == .exact
            else { return }
            let visit = fences.visits[who]?[entry.record.number]
            let reach = entry.reach(isInside: visit != nil)
            guard Geodesic.isCloser(place, shown.place, than: reach + 2 * least),
                !Geodesic.isCloser(place, shown.place, than: reach - 2 * least)
            else { return }
            WorkBudget.count(15)
            least = min(least, abs(Geodesic.distance(from: place, to: shown.place) - reach) / 2)
        }
        return own > ProximityFences.mostCompared ? 0 : least
    }

    /// A person's charge, in work units, for comparing the people watched by their own fences.
    ///
    /// It assumes the maximum number of people that the fences can watch, visible or not. So it depends only on the
    /// fences, the number of friends, and the size limit of groups.
    func priceOfNearness(to person: PersonNumber) -> Int {
        let own = fences.near.around[person]?.numbers.compactMap { fences[$0] } ?? []
        return own.reduce(0) { sum, entry in
            guard entry.owner == person else { return sum }
            let most =
                entry.group == nil ? entry.people?.count ?? people.friends(of: person).count : Groups.mostMembers
            return sum + ProximityFences.price * most
        }
    }
}

extension Array {
    /// A window of at most ``ProximityFences/mostCompared`` elements that moves with the time, equally on all nodes.
    fileprivate func window(at now: Timestamp) -> [Element] {
        guard count > ProximityFences.mostCompared else { return self }
        let mixed = UInt64(bitPattern: now.milliseconds) &* 0x9E37_79B9_7F4A_7C15
        let first = Int(mixed >> 33) % count
        return (0..<ProximityFences.mostCompared).map { self[(first + $0) % count] }
    }
}

extension Fences.Entry {
    /// Distance in meters from the center within which a person is near, or has not left.
    fileprivate func reach(isInside: Bool) -> Double {
        guard case .person(_, let metres) = fence.area else { return 0 }
        return isInside ? metres + (fence.margin ?? ProximityFences.margin) : metres
    }
}

extension Draft {
    /// Refuses a proximity fence without a known center, or beyond the limit of a person's fences that name no people.
    func refuseNearness(in fence: Fence, of owner: PersonNumber?, number: FenceNumber?) throws(Refusal) {
        guard case .person(let id, _) = fence.area else { return }
        guard let middle = state.people.number(of: id) else { throw .unknown(.person, id.any) }
        guard let owner else { return }
        if case .group(let group) = fence.watched {
            let known = state.people.groups.number(of: group).flatMap { state.people.groups[$0] }
            guard known?.members[owner] != nil else { throw .unknown(.group, group.any) }
        }
        if case .people = fence.watched { return }
        let others = state.fences.near.around[middle]?.numbers.count { other in
            state.fences[other].map { $0.owner == owner && $0.people == nil && other != number } ?? false
        }
        try refuse(.nearFence, after: others ?? 0)
    }
}
