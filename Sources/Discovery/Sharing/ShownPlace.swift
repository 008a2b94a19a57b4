public import Cities
internal import Geo
public import Model
internal import Structures

/// Where people are, as far as others may know: every answer that tells a person about the place of another goes through here.
extension Picture {
    /// A person's newest position, as exactly as a caller may know it: friends at the coarser of what the two chose.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, of the position when the caller may not know it, whether there is such a person, or
    ///   any position, or not; ``Refusal/noPosition(_:)``, to a service and the person, when there is none.
    public func position(of id: PersonID, for caller: Caller, at now: Timestamp) throws(Refusal) -> Position {
        guard case .person(let own) = caller, own != id else { return try position(of: id) }
        guard let viewer = people.number(of: own), let number = people.number(of: id),
            let position = shownPlace(of: number, to: viewer, at: now)
        else { throw .unknown(.position, id.any) }
        return position
    }

    /// A friend's newest position as far as the viewer may know it.
    ///
    /// - Parameters:
    ///   - other: the friend.
    ///   - viewer: who asks; their own place is exact.
    ///   - now: when it is asked, which ends a pause.
    /// - Returns: the position; nil if nothing may be known, or is.
    func shownPlace(of other: PersonNumber, to viewer: PersonNumber, at now: Timestamp) -> Position? {
        if other == viewer { return people.position(of: other) }
        let since = [people.beginningOfFriendship(other, viewer), people.terms(of: viewer)?.since]
        return shownPlace(of: other, agreed(other, viewer, at: now), since: since.compactMap(\.self).max(), at: now)
    }

    /// A person's newest position as whoever has a link is shown it: as a friend is since then who shares at the precision of the
    /// link.
    func shownPlace(of person: PersonNumber, by share: Share, at now: Timestamp) -> Position? {
        shownPlace(
            of: person, max(people.sharing(of: person, at: now), share.precision), since: share.since, at: now)
    }

    /// A person's newest position as somebody is shown it who agreed on a precision.
    ///
    /// Of one who was hidden nothing is shown until they are heard of again. Only who may know it exactly is shown the live
    /// position: all else follows from what is stored.
    ///
    /// - Parameters:
    ///   - other: the person.
    ///   - agreed: the precision.
    ///   - known: since when it is agreed on; nil for longer ago than ``Position/longestStayTold``.
    ///   - now: when it is asked.
    /// - Returns: the position; nil if nothing may be known.
    private func shownPlace(
        of other: PersonNumber, _ agreed: Precision, since known: Timestamp?, at now: Timestamp
    ) -> Position? {
        guard agreed < .hidden, let last = people.last(of: other), let terms = people.terms(of: other) else {
            return nil
        }
        let fix = agreed == .exact ? shownFix(of: other, at: now) : nil
        guard fix != nil || terms.shows(from: last.lastSeen, to: now) else { return nil }
        let precision = told(last.place, last.isInPrivacyZone, of: other, agreed)
        guard precision > .exact else {
            var position = Position(last, fix)
            // The arrival of a person who came while hidden is not shown.
            if !terms.shows(from: position.time, to: now) {
                (position.time, position.seenUntil) = (position.seenUntil ?? position.time, nil)
            }
            position.since = position.since.flatMap { since in
                let told = max(since, known ?? since, terms.since ?? since)
                let isTold = now - told <= Position.longestStayTold && told < position.time
                return isTold && terms.shows(from: since, to: now) ? told : nil
            }
            return position
        }
        // The cell that was stored: how coarse strangers see it where few people live is not what friends agreed on.
        guard let place = place(of: other, in: last.publicCell, precision) else { return nil }
        return Position(place: place, time: precision.rounded(last.lastSeen), precision: precision)
    }

    /// Where a person is by the live position, if who may know it exactly may know that one: neither it nor the stored one before
    /// lies in a privacy zone, and the person was not hidden since.
    private func shownFix(of person: PersonNumber, at now: Timestamp) -> LiveFix? {
        guard let fix = people.live(of: person), let last = people.last(of: person),
            told(last.place, last.isInPrivacyZone, of: person, .exact) == .exact,
            told(fix.place, fix.isInPrivacyZone, of: person, .exact) == .exact,
            people.terms(of: person)?.shows(from: fix.time, to: now) ?? false
        else { return nil }
        return fix
    }

    /// How exactly two people show each other their places now: hidden for those who are no friends.
    func agreed(_ other: PersonNumber, _ viewer: PersonNumber, at now: Timestamp) -> Precision {
        guard people.isKnown(other, to: viewer) else { return .hidden }
        return max(people.sharing(of: other, at: now), people.sharing(of: viewer, at: now))
    }

    /// The precision at which a stored position is told to whom a precision is agreed with: in a privacy zone never exactly.
    func told(_ place: Coordinate, _ wasInZone: Bool, of person: PersonNumber, _ agreed: Precision) -> Precision {
        agreed == .exact && people.privacyZones(of: person)?.covers(place, wasInZone) ?? wasInZone
            ? .approximate : agreed
    }

    /// The place that stands for a person who is in a public cell; nil if there is none.
    ///
    /// - Precondition: `precision` is not exact, for the exact place does not follow from the cell.
    func place(of person: PersonNumber, in cell: CubeCell, _ precision: Precision) -> Coordinate? {
        switch precision {
        case .exact: preconditionFailure("the exact place is none of a cell")
        case .approximate: cell.centre
        case .city: gazetteer.city(people.record(of: person)?.value.city, around: cell)?.coordinate
        case .hidden: nil
        }
    }
}

extension Position {
    /// The longest stay of which other people are told the beginning.
    static let longestStayTold = Duration.seconds(86_400)

    /// A stored position as it is, or the live one after it, which is part of the stay if it is the newest confirmation of that.
    init(_ last: JudgedPing, _ live: LiveFix?) {
        self.init(
            place: last.place, time: last.time, accuracy: last.accuracy > 0 ? last.accuracy : nil,
            seenUntil: last.seenUntil)
        guard let live else { return }
        (place, time, accuracy, seenUntil) = (live.place, live.time, live.accuracy, nil)
        let start = last.stay.latestStart
        if live.time == last.lastSeen, start < live.time { since = start }
    }
}

extension People {
    /// How exactly others are told at most where a person is; while the clock is doubted, by both clocks.
    func sharing(of number: PersonNumber, at time: Timestamp) -> Precision {
        guard let terms = terms(of: number) else { return .hidden }
        let precision = terms.precision(at: time)
        return doubt.other(time).map { max(precision, terms.precision(at: $0)) } ?? precision
    }

    /// Whether strangers may be told about where a person is: not while hidden, nor later of where they were then.
    func isShown(_ number: PersonNumber, at now: Timestamp) -> Bool {
        guard let terms = terms(of: number) else { return false }
        let seen = last(of: number)?.lastSeen
        return terms.shows(from: seen ?? now, to: now)
            && (doubt.other(now).map { terms.shows(from: seen ?? $0, to: $0) } ?? true)
    }
}

extension Gazetteer {
    /// The time zone by which a place's hours are read though it names none: that of the nearest city.
    ///
    /// nil for a place that names its zone, or has no hours or no position.
    public func timezone(guessedFor place: Place) -> String? {
        guard place.timezone == nil, place.hours != nil, let coordinate = place.coordinate else { return nil }
        return city(nearestTo: coordinate).timezone
    }

    /// The level of the cell around whose middle the city of somebody is looked for who declares none.
    private static let cityLevel = 9
    /// How far from there it may lie, in metres.
    private static let cityReach = 30_000.0

    /// The city that is told of somebody: that which they declare, of several of the name the nearest to the public cell, else
    /// the most populous near that; nil if there is none.
    func city(_ declared: String?, around cell: CubeCell) -> City? {
        let middle = cell.ancestor(min(Self.cityLevel, cell.level)).centre
        let named = declared.map { cities(named: $0) } ?? []
        if named.count > 1 {
            let origin = Origin(middle)
            return named.min { origin.decimetres(to: $0.coordinate) < origin.decimetres(to: $1.coordinate) }
        }
        return named.first ?? mostPopulousCity(within: Self.cityReach, of: middle)
    }
}
