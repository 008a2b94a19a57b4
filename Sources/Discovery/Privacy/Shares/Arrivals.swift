internal import Geo
internal import Model

/// Share links that end when their person arrives at a place.
extension Draft {
    /// Ends the arrival links of a person whose end a fix at `time` shows; `former` is the public cell before that fix.
    mutating func endShares(of person: PersonNumber, _ time: Timestamp, from former: CubeCell?) throws {
        for number in state.shares.numbers(of: person) {
            guard let share = state.shares[number]?.share, time >= share.since,
                state.showsArrival(
                    of: person, by: share, from: former, at: received,
                    onlyIfShown: rules.defences.endsLinksWhereShown)
            else { continue }
            try write(.shares(.ended(number)))
        }
    }
}

extension LiveState {
    /// Whether a link ends because it shows that its person arrived at the link's destination.
    ///
    /// The end must not reveal more than the link shows, or the times of some evenings would locate the place within a
    /// cell or a privacy zone. At exact precision the person must be within the arrival radius, or in the privacy zone
    /// around the place if there is one. At cell precision the cell must have become the place's own or a neighbor.
    /// Coarser links never end by arrival.
    fileprivate func showsArrival(
        of person: PersonNumber, by share: Share, from former: CubeCell?, at now: Timestamp, onlyIfShown: Bool
    ) -> Bool {
        guard let arrival = share.arrival, let last = people.last(of: person) else { return false }
        WorkBudget.count(40)
        let place = people.live(of: person)?.place ?? last.place
        func isNear(_ place: Coordinate) -> Bool {
            Geodesic.isCloser(place, arrival.centre, than: arrival.metres.nextUp)
        }
        guard onlyIfShown else { return isNear(place) }
        guard let shown = shownPlace(of: person, by: share, at: now),
            let zones = people.privacyZones(of: person)
        else { return false }
        switch max(people.sharing(of: person, at: now), share.precision) {
        case .exact:
            if zones.covers(arrival.centre) { return zones.haveInOne(arrival.centre, place) }
            return shown.precision == .exact && isNear(shown.place)
        case .approximate: return last.publicCell != former && arrival.isBeside(last.publicCell)
        case .city, .hidden: return false
        }
    }

    /// Tightens a hint so that no arrival at a link's destination is missed, except within ``PingRules/minimumHintRadius``.
    func arriving(_ hint: Hint, of person: PersonNumber, _ rules: PingRules) -> Hint {
        guard let last = people.last(of: person) else { return hint }
        var hint = hint
        for number in shares.numbers(of: person) {
            guard let arrival = shares[number]?.share.arrival else { continue }
            WorkBudget.count(20)
            let border = Geodesic.distance(from: last.place, to: arrival.centre) - arrival.metres
            guard border < hint.beyond else { continue }
            hint.beyond = max(rules.minimumHintRadius, border)
            let reached =
                last.time + max(rules.minimumHintDuration, .milliseconds(Int64(border / rules.maximumSpeed * 1000)))
            hint.notBefore = min(hint.notBefore, reached)
        }
        return hint
    }
}

extension Share.Arrival {
    /// Whether a person shown in a cell may be within the arrival radius, judged by the place's own cell.
    fileprivate func isBeside(_ cell: CubeCell) -> Bool {
        let own = CubeCell(containing: centre, level: cell.level).centre
        return Geodesic.isCloser(cell.centre, own, than: metres + Position.reachOfPublicCell)
    }
}
