public import Cities
internal import Geo
public import Model
internal import Structures

/// Visibility of positions; every answer that shows a person's place to another person goes through here.
extension LiveState {
    /// Returns a person's newest position as far as a caller may see it: friends at the coarser of both precisions.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` for a position that the caller may not see, even if no person or position
    ///   exists; ``Refusal/noPosition(_:)`` to a service and the person themselves, if there is none.
    public func position(of id: PersonID, for caller: Caller, at now: Timestamp) throws(Refusal) -> Position {
        guard case .person(let own) = caller, own != id else { return try position(of: id) }
        guard let viewer = people.number(of: own), let number = people.number(of: id),
            let position = shownPlace(of: number, to: viewer, at: now)
        else { throw .unknown(.position, id.any) }
        return position
    }

    /// Returns a friend's newest position as far as the viewer may see it.
    ///
    /// - Parameters:
    ///   - other: the friend.
    ///   - viewer: the person who asks; their own position is exact.
    ///   - now: the time of the query, which ends a pause.
    /// - Returns: the position; nil if none is visible or stored.
    func shownPlace(of other: PersonNumber, to viewer: PersonNumber, at now: Timestamp) -> Position? {
        if other == viewer { return people.position(of: other) }
        let since = [people.beginningOfFriendship(other, viewer), people.terms(of: viewer)?.since]
        return shownPlace(of: other, agreed(other, viewer, at: now), since: since.compactMap(\.self).max(), at: now)
    }

    /// Returns a person's newest position as shown by a link: as to a friend since its creation, at its precision.
    func shownPlace(of person: PersonNumber, by share: Share, at now: Timestamp) -> Position? {
        shownPlace(
            of: person, max(people.sharing(of: person, at: now), share.precision), since: share.since, at: now)
    }

    /// Returns a person's newest position at an agreed precision.
    ///
    /// A person who was hidden stays so until their next position. Only exact precision shows the live position.
    ///
    /// - Parameters:
    ///   - other: the person.
    ///   - agreed: the precision.
    ///   - known: since when it is agreed on; nil for longer ago than ``Position/longestStayShown``.
    ///   - now: the time of the query.
    /// - Returns: the position; nil if none is visible.
    private func shownPlace(
        of other: PersonNumber, _ agreed: Precision, since known: Timestamp?, at now: Timestamp
    ) -> Position? {
        guard agreed < .hidden, let last = people.last(of: other), let terms = people.terms(of: other) else {
            return nil
        }
        let fix = agreed == .exact ? shownFix(of: other, at: now) : nil
        guard fix != nil || terms.shows(from: last.lastSeen, to: now) else { return nil }
        let precision = shown(last.place, last.isInPrivacyZone, of: other, agreed)
        guard precision > .exact else {
            var position = Position(last, fix)
            // The arrival of a person who came while hidden is not shown.
            if !terms.shows(from: position.time, to: now) {
                (position.time, position.seenUntil) = (position.seenUntil ?? position.time, nil)
            }
            position.since = position.since.flatMap { since in
                let shown = max(since, known ?? since, terms.since ?? since)
                let isStartShown = now - shown <= Position.longestStayShown && shown < position.time
                return isStartShown && terms.shows(from: since, to: now) ? shown : nil
            }
            return position
        }
        // The stored cell: friends did not agree on the coarser cells that strangers see in sparsely populated areas.
        guard let place = place(of: other, in: last.publicCell, precision) else { return nil }
        return Position(place: place, time: precision.rounded(last.lastSeen), precision: precision)
    }

    /// Returns the live position of a person not hidden since, if it may be shown exactly: neither it nor the stored
    /// position before it lies in a privacy zone.
    private func shownFix(of person: PersonNumber, at now: Timestamp) -> LiveFix? {
        guard let fix = people.live(of: person), let last = people.last(of: person),
            shown(last.place, last.isInPrivacyZone, of: person, .exact) == .exact,
            shown(fix.place, fix.isInPrivacyZone, of: person, .exact) == .exact,
            people.terms(of: person)?.shows(from: fix.time, to: now) ?? false
        else { return nil }
        return fix
    }

    /// The precision at which two people show each other their places now; hidden unless they are friends.
    func agreed(_ other: PersonNumber, _ viewer: PersonNumber, at now: Timestamp) -> Precision {
        guard people.isKnown(other, to: viewer) else { return .hidden }
        return max(people.sharing(of: other, at: now), people.sharing(of: viewer, at: now))
    }

    /// The precision at which a stored position is shown for an agreed precision; never exact in a privacy zone.
    func shown(_ place: Coordinate, _ wasInZone: Bool, of person: PersonNumber, _ agreed: Precision) -> Precision {
        agreed == .exact && people.privacyZones(of: person)?.covers(place, wasInZone) ?? wasInZone
            ? .approximate : agreed
    }

    /// The place that represents a person in a public cell; nil if there is none.
    ///
    /// - Precondition: `precision` is not exact, because the exact place does not follow from the cell.
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
    /// The longest stay whose beginning is shown to others.
    static let longestStayShown = Duration.seconds(86_400)

    /// A stored position, or the live position after it, which is part of the stay if it newly confirms that.
    init(_ last: RecentPing, _ live: LiveFix?) {
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
    /// The finest precision at which others may see a person; while the clock is in doubt, the coarser by both clocks.
    func sharing(of number: PersonNumber, at time: Timestamp) -> Precision {
        guard let terms = terms(of: number) else { return .hidden }
        let precision = terms.precision(at: time)
        return doubt.other(time).map { max(precision, terms.precision(at: $0)) } ?? precision
    }

    /// Whether strangers may be shown where a person is; false while hidden, and later for a position from that time.
    func isShown(_ number: PersonNumber, at now: Timestamp) -> Bool {
        guard let terms = terms(of: number) else { return false }
        let seen = last(of: number)?.lastSeen
        return terms.shows(from: seen ?? now, to: now)
            && (doubt.other(now).map { terms.shows(from: seen ?? $0, to: $0) } ?? true)
    }
}

extension Gazetteer {
    /// The guessed time zone of a place's opening hours: the zone of the nearest city.
    ///
    /// nil for a place that specifies its zone, or has no hours or no position.
    public func timezone(guessedFor place: Place) -> String? {
        guard place.timezone == nil, place.hours != nil, let coordinate = place.coordinate else { return nil }
        return city(nearestTo: coordinate).timezone
    }

    /// The level of the cell around whose center a city is searched for a person who declares none.
    private static let cityLevel = 9
    /// The search radius, in meters.
    private static let cityReach = 30_000.0

    /// The city shown for a person: the declared one (of several the nearest to the public cell), or else the most
    /// populous city near that cell; nil if there is none.
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
