internal import Geo
internal import Model

/// Links that end where their person comes.
extension Draft {
    /// Ends the links of a person that end where a fix of a time shows that the person has come, whose public cell before that fix
    /// is the former one.
    mutating func endShares(of person: PersonNumber, _ time: Timestamp, from former: CubeCell?) throws {
        for number in picture.shares.numbers(of: person) {
            guard let share = picture.shares[number]?.share, time >= share.since,
                picture.showsArrival(
                    of: person, by: share, from: former, at: received,
                    onlyIfShown: rules.defences.endsLinksWhereShown)
            else { continue }
            try follow(.shares(.ended(number)))
        }
    }
}

extension Picture {
    /// Whether a link ends because it shows that its person has come to where it does.
    ///
    /// The end is told, and is not allowed to tell more than what is shown: else the moments of some evenings would tell where in a
    /// cell, or in a privacy zone, the place is. So where exact places are shown the person is so near, but of a place in a privacy
    /// zone has come into that. Where cells are shown the cell has changed to that of the place, or one beside it. Where a city or
    /// nothing is shown a link does not end so.
    fileprivate func showsArrival(
        of person: PersonNumber, by share: Share, from former: CubeCell?, at now: Timestamp, onlyIfShown: Bool
    ) -> Bool {
        guard let arrival = share.arrival, let last = people.last(of: person) else { return false }
        Effort.count(40)
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

    /// A hint that lets nobody come unseen to where a link ends, but by ``PingRules/leastBeyond``.
    func arriving(_ hint: Hint, of person: PersonNumber, _ rules: PingRules) -> Hint {
        guard let last = people.last(of: person) else { return hint }
        var hint = hint
        for number in shares.numbers(of: person) {
            guard let arrival = shares[number]?.share.arrival else { continue }
            Effort.count(20)
            let border = Geodesic.distance(from: last.place, to: arrival.centre) - arrival.metres
            guard border < hint.beyond else { continue }
            hint.beyond = max(rules.leastBeyond, border)
            let reached = last.time + max(rules.leastPause, .milliseconds(Int64(border / rules.maximumSpeed * 1000)))
            hint.notBefore = min(hint.notBefore, reached)
        }
        return hint
    }
}

extension Share.Arrival {
    /// Whether who is shown in a cell may be so near to the place, as far as that follows from the cell of the place.
    fileprivate func isBeside(_ cell: CubeCell) -> Bool {
        let own = CubeCell(containing: centre, level: cell.level).centre
        return Geodesic.isCloser(cell.centre, own, than: metres + Position.reachOfPublicCell)
    }
}
