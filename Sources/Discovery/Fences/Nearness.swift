internal import Geo
internal import Model

/// Who comes near to whom.
///
/// After each upload of one of two people it is compared where both are. A person's fence goes by where the person is, and by
/// where they are shown a friend exactly, as far as the friend agrees; that of a service by where both were last heard of.
///
/// After an upload distances come first, since they cost least, then consent and precision where something would be
/// told. How many pairs are compared follows from friendships alone: a bound on what is looked up of those who come near
/// would show a place that is hidden, by what others are no longer told. For a hint, whose length is seen, a place that
/// is not shown is not even compared.
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

    /// A fence about how near two people come to each other, and who of the two may come near.
    private typealias Pair = (entry: Fences.Entry, who: PersonNumber)

    /// The pairs that are compared after an upload of a person: those of services' fences, and of own ones and those of
    /// others some if they are many.
    ///
    /// - Complexity: that of ``forEachNearness(of:_:)``.
    private func compared(with person: PersonNumber, at now: Timestamp) -> [Pair] {
        var (ofServices, own, others): ([Pair], [Pair], [Pair]) = ([], [], [])
        forEachNearness(of: person) { entry, who in
            if entry.owner == nil {
                ofServices.append((entry, who))
            } else if entry.owner == person {
                own.append((entry, who))
            } else {
                others.append((entry, who))
            }
        }
        Effort.count((ofServices.count + own.count + others.count) / 2)
        return ofServices + own.window(at: now) + others.window(at: now)
    }

    /// What follows for the fences about how near a person and others come to each other, in the order of fences and people.
    fileprivate func nearness(of person: PersonNumber, at now: Timestamp) -> [FenceChange] {
        var found: [Crossing] = []
        // How many more are told, of own fences and of those of others.
        var (own, others, forgotten) = (NearFences.mostAtOnce, NearFences.mostAtOnce, 0)
        var steps = 0
        defer { Effort.count(steps) }
        for (entry, who) in compared(with: person, at: now) {
            steps += 4
            let visit = fences.visits[who]?[entry.record.number]
            let isCrossing = mayCross(entry, who, isInside: visit != nil)
            guard isCrossing || visit != nil else { continue }
            steps += 4
            guard allowsNearness(entry, who) else {
                guard visit != nil, forgotten < NearFences.mostAtOnce else { continue }
                forgotten += 1
                // What may not be told is forgotten: it is not told later either.
                found.append(Crossing(entry, who, [.left(entry.record.number, who)]))
                continue
            }
            let isOwn = entry.owner == person
            guard isCrossing, isOwn ? own > 0 : others > 0 else { continue }
            steps += NearFences.stepsOfPair - 8
            guard let changes = crossing(entry, who, visit, at: now) else { continue }
            found.append(Crossing(entry, who, changes))
            if isOwn { own -= 1 } else { others -= 1 }
        }
        return found.sorted { ($0.fence, $0.who) < ($1.fence, $1.who) }.flatMap(\.changes)
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

    /// What follows for a fence from one person.
    private struct Crossing {
        let fence: FenceNumber
        let who: PersonNumber
        let changes: [FenceChange]

        init(_ entry: Fences.Entry, _ who: PersonNumber, _ changes: [FenceChange]) {
            (fence, self.who, self.changes) = (entry.record.number, who, changes)
        }
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
