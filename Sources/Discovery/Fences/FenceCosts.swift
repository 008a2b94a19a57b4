internal import Geo
internal import Model
internal import Storage

/// What pings cost the writer at most, in steps of `Effort`.
extension Picture {
    /// A ping beside fences; a fence that is judged, and that of a friend; and a fence that rings.
    private static var steps: (ping: Int, fence: Int, friend: Int, ring: Int) { (3_000, 60, 300, 1_100) }

    /// What a ping of a person costs at most, by the number of fences of the person, and of services' that may watch the person.
    ///
    /// What is near of those of services is not known before, so they count as if they were the person's.
    func mostSteps(ofPingOf person: PersonNumber) -> Int {
        let steps = Self.steps
        guard !fences.isEmpty, !isUnwatched(person) else { return steps.ping }
        let named = fences.named.people[person]?.numbers.count ?? 0
        let count = min(100, named + fences.named.everybody + fences.named.groups.count)
        let (own, ofServices) = (FenceJudge.ownBounds, FenceJudge.boundsOfServices)
        let rung = min(count, own.rings + ofServices.rings)
        return steps.ping + count * steps.fence + rung * steps.ring + min(2_000 * count, own.steps + ofServices.steps)
            + mostStepsAmongPlaces(for: person)
    }

    /// What it costs at most to look for areas of services' places, and at them for a fence of each bound when that is nearly
    /// used up.
    private func mostStepsAmongPlaces(for person: PersonNumber) -> Int {
        guard fences.overPlaces.isAny(about: person) else { return 0 }
        return min(10 * PlaceFences.mostSteps, 600 * catalogue.placeIndex.areas.count)
    }

    /// What a person is charged for a ping: for a look at each of the person's own fences, near or far.
    func price(ofPingOf person: PersonNumber) -> Int {
        ownFences(of: person).reduce(Turn.price) { $0 + $1.price }
    }

    /// The fences that a person has.
    func ownFences(of person: PersonNumber) -> [Fences.Entry] {
        fences.named.people[person]?.numbers.compactMap { fences[$0] }.filter { $0.owner == person } ?? []
    }

    /// The most steps that the judgement of fences after an upload takes in its turn.
    func mostSteps(judging pairs: FencedPairs) -> Int {
        let looks = (NearFences.stepsOfPair + NearFences.stepsOfLook) * pairs.own.count
        return looks + min(pairs.own.count, NearFences.mostAtOnce) * Self.steps.ring
            + min(pairs.others.count, FencedPair.mostInTurn) * (Self.steps.friend + Self.steps.ring)
    }
}

extension Picture {
    /// What the first of two people is charged for the end of what ties them: for each of their own fences that names
    /// the other, which is written again, and for each of the other's that they are shown.
    func price(ofEnding id: PersonID, _ otherID: PersonID) -> Int {
        let price = 2 * Turn.price
        guard let person = people.number(of: id), let other = people.number(of: otherID) else { return price }
        let isKnown = people.isKnown(person, to: other)
        return fences(between: person, other).reduce(price) { sum, one in
            guard let entry = fences[one.fence], entry.people?.contains(one.person) ?? false else { return sum }
            if entry.owner == person { return sum + Portion.stepsOfFence + entry.fence.stepsOfWriting }
            let state = fences.watches[one.person]?[one.fence]?.state ?? .ended
            return isKnown && state != .ended ? sum + Portion.stepsOfFence : sum
        }
    }
}

extension Record {
    /// What the pings of each person cost, with the person's own fences, and once what the person's fences about coming near do.
    public func price(by picture: borrowing Picture) -> Int {
        var price = 0
        for (person, count) in Dictionary(reports.lazy.map { ($0.person, 1) }, uniquingKeysWith: +) {
            let number = picture.people.number(of: person)
            price += count * (number.map { picture.price(ofPingOf: $0) } ?? Turn.price)
            price += number.map { picture.priceOfNearness(to: $0) } ?? 0
        }
        return price
    }
}
