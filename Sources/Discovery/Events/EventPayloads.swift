internal import Geo
internal import Model

/// Events derived from changes: a function of a change and of the state before it, so that every node derives equal
/// events.
extension LiveState {
    /// The events of a change that will be made next.
    func payloads(of change: Change) -> [EventPayload] {
        switch change {
        case .people(let change): payloads(of: change)
        case .ties(let change): payloads(of: change)
        case .pings(let change): payloads(of: change)
        case .groups(let change): payloads(of: change)
        case .catalogue(let change): payloads(of: change)
        case .comments(let change): payloads(of: change)
        case .favourites(.added(_, let kind, let other, _)), .favourites(.removed(_, let kind, let other)):
            favourite(kind, other)
        case .fences(let change): payloads(of: change)
        case .shares(let change): payloads(of: change)
        case .strangers, .devices, .webhooks, .reported: []
        }
    }

    func participant(_ number: PersonNumber) -> EventPayload.Participant? {
        people.record(of: number).map { EventPayload.Participant(number, $0.value.id) }
    }

    private func payload(_ type: EventType, _ person: PersonNumber, _ other: PersonNumber) -> EventPayload {
        EventPayload(type, participant(person), participant(other))
    }

    private func payloads(of change: PeopleChange) -> [EventPayload] {
        switch change {
        case .shared(let person, _, _):
            people.last(of: person) == nil ? [] : [EventPayload(.pingMoved, participant(person))]
        // Deletion at once; otherwise the ties were ended one by one before. A block reports both events in this order.
        case .deleted(let person):
            people.friends(of: person).numbers.map { payload(.friendEnded, person, $0) }
                + matchesUndone(person, from: 0)
        case .put, .homeCell, .leaving, .tracesErased, .recentlyDeleted, .endedTokensKept, .eventCounted,
            .eventsLimited:
            []
        }
    }

    private func payloads(of change: TieChange) -> [EventPayload] {
        switch change {
        case .asked(let person, let other, _): [payload(.friendAsked, person, other)]
        case .made(let person, let other, _): [payload(.friendMade, person, other)]
        case .ended(let person, let other, _):
            people.isFriend(person, of: other) ? [payload(.friendEnded, person, other)] : []
        case .blocked(let person, let other, _): matches(person, other) ? [payload(.matchUndone, person, other)] : []
        case .unblocked(let person, let other):
            likeEachOther(person, other) && !people.blocks(other, person) ? [payload(.matchMade, person, other)] : []
        case .decided(let person, let other, let likes, _):
            switch (matches(person, other), likes) {
            case (false, true) where people.likes(other, person) && !people.isSeparated(person, other):
                [payload(.matchMade, person, other)]
            case (true, false): [payload(.matchUndone, person, other)]
            default: []
            }
        case .undecided(let person, let other): matches(person, other) ? [payload(.matchUndone, person, other)] : []
        case .allUndecided(let person, let first): matchesUndone(person, from: first)
        case .noted: []
        }
    }

    /// The events when a person no longer likes people from a number on.
    private func matchesUndone(_ person: PersonNumber, from first: PersonNumber) -> [EventPayload] {
        let likes = people[person]?.ties.likes.from(first) ?? []
        WorkBudget.count(5 * likes.count)
        return likes.filter { matches(person, $0) }.map { payload(.matchUndone, person, $0) }
    }

    private func likeEachOther(_ person: PersonNumber, _ other: PersonNumber) -> Bool {
        people.likes(person, other) && people.likes(other, person)
    }

    private func matches(_ person: PersonNumber, _ other: PersonNumber) -> Bool {
        likeEachOther(person, other) && !people.isSeparated(person, other)
    }

    private func payloads(of change: PingChange) -> [EventPayload] {
        switch change {
        case .stored(let ping):
            people.last(of: ping.person).map { $0.key < ping.key } ?? true
                ? [EventPayload(.pingMoved, participant(ping.person))] : []
        case .newest(let person, _), .erased(let person, _, _, _): [EventPayload(.pingMoved, participant(person))]
        // Nothing between two stored positions is numbered: the numbers would reveal pings to strangers.
        case .suspected, .outlierRun, .confirmed, .stayWritten, .livePositionChanged, .livePositionWritten,
            .eventsErased:
            []
        }
    }

    private func payloads(of change: GroupChange) -> [EventPayload] {
        switch change {
        case .put(let record): [payload(record)]
        case .deleted: []
        case .invited(let group, let person, let inviter, _):
            [EventPayload(.groupInvited, participant(inviter), participant(person), about: id(of: group))]
        case .joined(let group, let person, _): [EventPayload(.groupJoined, participant(person), about: id(of: group))]
        case .left(let group, let person):
            people.groups[group]?.members[person] == nil
                ? [] : [EventPayload(.groupLeft, participant(person), about: id(of: group))]
        }
    }

    private func payload(_ record: Versioned<Group>) -> EventPayload {
        var payload = EventPayload(.groupChanged, about: record.value.id.any)
        var former = people.groups[record.number]?.group
        former?.owner = record.value.owner
        payload.isForOwner = former == record.value
        return payload
    }

    private func id(of group: GroupNumber) -> AnyID? { people.groups[group]?.group.id.any }

    private func payloads(of change: CatalogueChange) -> [EventPayload] {
        switch change {
        case .place(let record):
            [
                EventPayload(
                    catalogue.placeIndex[record.number] == nil ? .placeCreated : .placeChanged,
                    about: record.value.id.any)
            ]
        case .placeDeleted(let place): [EventPayload(.placeDeleted, about: id(of: place))]
        case .stock(let store, let product, _, _), .stockDeleted(let store, let product):
            [
                EventPayload(
                    .stockChanged, about: id(of: store),
                    product: catalogue.inventory[product]?.record.value.id)
            ]
        case .product, .productDeleted: []
        }
    }

    private func id(of place: PlaceNumber) -> AnyID? { catalogue.placeIndex[place]?.record.value.id.any }

    private func payloads(of change: CommentChange) -> [EventPayload] {
        switch change {
        case .put(let comment, _):
            [payload(comments[comment.number] == nil ? .commentCreated : .commentChanged, comment)]
        case .deleted(let number): comments[number].map { [payload(.commentDeleted, $0)] } ?? []
        }
    }

    private func payload(_ type: EventType, _ comment: PlaceComment) -> EventPayload {
        EventPayload(type, participant(comment.author), about: id(of: comment.place))
    }

    private func payloads(of change: FenceChange) -> [EventPayload] {
        if case .asked(let number, let person) = change { return asked(number, person) }
        guard case .passed(let passing) = change, isReported(change), let entry = fences[passing.fence] else {
            return []
        }
        let person = participant(passing.person)
        var payload =
            entry.centerPerson.map { middle in
                EventPayload(
                    passing.passage == .enter ? .nearEnter : .nearExit, participant(middle), person,
                    about: entry.fence.id.any)
            }
            ?? EventPayload(
                EventType(passing.passage), person, entry.owner.flatMap { participant($0) }, about: entry.fence.id.any)
        (payload.happened, payload.isThrough, payload.note) = (passing.time, passing.isThrough, entry.fence.note)
        payload.precision = passing.precision
        return [payload]
    }

    /// An event for the friend, if the friend wants to be asked.
    private func asked(_ number: FenceNumber, _ person: PersonNumber) -> [EventPayload] {
        guard let entry = fences[number], let owner = entry.owner, alerts(of: person, for: owner) == .asked else {
            return []
        }
        return [EventPayload(.fenceAsked, participant(owner), participant(person), about: entry.fence.id.any)]
    }

    private func payloads(of change: ShareChange) -> [EventPayload] {
        switch change {
        case .opened(_, let person, let share): [EventPayload(.shareOpened, participant(person), about: share.id.any)]
        case .ended(let number):
            shares[number].map { [EventPayload(.shareEnded, participant($0.person), about: $0.share.id.any)] } ?? []
        case .viewed: []
        }
    }

    /// A person's favorite people are private; the number of favorites of a place or product is public.
    private func favourite(_ kind: FavouriteKind, _ other: AnyNumber) -> [EventPayload] {
        switch kind {
        case .people: []
        case .places: [EventPayload(.favouriteCount, about: id(of: PlaceNumber(other)))]
        case .products:
            [EventPayload(.favouriteCount, product: catalogue.inventory[ProductNumber(other)]?.record.value.id)]
        }
    }
}

extension EventType {
    fileprivate init(_ passage: Fence.Passage) {
        self =
            switch passage {
            case .enter: .fenceEnter
            case .exit: .fenceExit
            case .dwell: .fenceDwell
            case .silent: .fenceSilent
            }
    }
}
