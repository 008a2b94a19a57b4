internal import Geo
internal import Model
internal import Storage

/// Upper bounds of the cost of pings at the writer, in work units (`WorkBudget`).
extension LiveState {
    /// The cost of a ping without fences, of judging a fence, of judging a friend's fence, and of a fence that fires.
    private static var steps: (ping: Int, fence: Int, friend: Int, ring: Int) { (3_000, 60, 300, 1_100) }

    /// Maximum cost of a person's ping, by the number of their own fences and of services' fences that may watch them.
    ///
    /// Which of services' fences are near is not known in advance, so they count as if they were the person's.
    func mostSteps(ofPingOf person: PersonNumber) -> Int {
        let steps = Self.steps
        guard !fences.isEmpty, !hasNoWatchers(person) else { return steps.ping }
        let named = fences.named.people[person]?.numbers.count ?? 0
        let count = min(100, named + fences.named.everybody + fences.named.groups.count)
        let (own, ofServices) = (FenceJudge.ownBounds, FenceJudge.serviceBounds)
        let fired = min(count, own.firings + ofServices.firings)
        return steps.ping + count * steps.fence + fired * steps.ring + min(2_000 * count, own.steps + ofServices.steps)
            + mostStepsAmongPlaces(for: person)
    }

    /// Maximum cost of finding areas of services' places, and of examining each for a fence at a limit that is nearly
    /// used up.
    private func mostStepsAmongPlaces(for person: PersonNumber) -> Int {
        guard fences.overPlaces.isAny(about: person) else { return 0 }
        return min(10 * PlaceFences.mostSteps, 600 * catalogue.placeIndex.areas.count)
    }

    /// A person's charge for a ping: the cost of examining each of their own fences, near or far.
    func price(ofPingOf person: PersonNumber) -> Int {
        ownFences(of: person).reduce(WorkItem.price) { $0 + $1.price }
    }

    func ownFences(of person: PersonNumber) -> [Fences.Entry] {
        fences.named.people[person]?.numbers.compactMap { fences[$0] }.filter { $0.owner == person } ?? []
    }

    /// Maximum work units of judging a person's own proximity fences after an upload.
    func mostSteps(judgingOwn count: Int) -> Int {
        (ProximityFences.stepsOfPair + ProximityFences.stepsOfLook) * count + min(count, ProximityFences.mostAtOnce)
            * Self.steps.ring
    }

    /// Maximum work units of judging another owner's fence after an upload; a fence that fires once is deleted.
    func mostSteps(judging number: FenceNumber) -> Int {
        guard let entry = fences[number] else { return 1 }
        var steps = Self.steps.friend + Self.steps.ring
        if entry.fence.isOnce { steps += Portion.stepsOfFence + 60 * (entry.people?.count ?? 0) }
        if case .places = entry.fence.area {
            steps += min(4 * PlaceFences.mostSteps, 600 * catalogue.placeIndex.areas.count)
        }
        return steps
    }
}

extension LiveState {
    /// The first person's charge for ending a tie: for own fences that name the other, which are rewritten, and for
    /// visible fences of the other.
    func price(ofEnding id: PersonID, _ otherID: PersonID) -> Int {
        let price = 2 * WorkItem.price
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
    /// The charge of each person's pings with their own fences, plus once per person their own proximity fences.
    public func price(by state: borrowing LiveState) -> Int {
        var price = 0
        for (person, count) in Dictionary(reports.lazy.map { ($0.person, 1) }, uniquingKeysWith: +) {
            let number = state.people.number(of: person)
            price += count * (number.map { state.price(ofPingOf: $0) } ?? WorkItem.price)
            price += number.map { state.priceOfNearness(to: $0) } ?? 0
        }
        return price
    }
}
