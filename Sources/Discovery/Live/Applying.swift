internal import Cities
internal import Geo
internal import Model
internal import Storage
internal import Structures

/// What each command does. Nothing here reads a clock or draws a random number.
extension Picture {
    /// Carries a command out on this picture and in a transaction.
    ///
    /// - Returns: what the caller is told, and the changes that were made.
    /// - Throws: ``Refusal`` when nothing was done; whatever the storage throws when it could not be read or written.
    mutating func apply(
        _ command: Command, rules: PingRules, in transaction: Transaction
    ) throws -> (outcome: Outcome, changes: [Change]) {
        if case .record(let reports) = command.action {
            let (verdicts, hints, changes) = try record(
                reports, of: command, rules: rules, in: transaction)
            return (.recorded(verdicts, hints: hints), changes)
        }
        let (outcome, changes) =
            switch command.action {
            case .erase(let id, let keys):
                try erase(of: id, by: command.caller, at: command.received) { picture, number in
                    try picture.erasure(of: keys, number, received: command.received, in: transaction)
                }
            case .forgetStay(let id, let times, let area):
                try erase(of: id, by: command.caller, at: command.received) { picture, number in
                    try picture.forgetting(times, area, number, received: command.received, in: transaction)
                }
            case .deletePerson(let id, let condition):
                try deletePerson(id, condition, command, in: transaction)
            default: try carryOut(command, rules)
            }
        for change in changes { try transaction.write(change) }
        return (outcome, changes)
    }

    private mutating func erase(
        of id: EntityID, by caller: Caller, at received: Timestamp,
        _ erasure: (borrowing Picture, Int32) throws -> (outcome: Outcome, changes: [Change])
    ) throws -> (outcome: Outcome, changes: [Change]) {
        guard caller.mayAct(for: id) else { throw Refusal.notAllowed }
        guard let number = crowd.number(of: id) else { throw Refusal.unknown(.person, id) }
        let before = crowd.whereabouts(of: number)
        let (outcome, changes) = try erasure(self, number)
        let made = follow(changes)
        let erased = made.compactMap { if case .pingsErased(_, let keys, _, _) = $0 { keys } else { nil } }.first
        guard let erased else { return (outcome, made) }
        let after = crowd.consequences(of: number, erasing: erased, from: before, at: received)
        return (outcome, made + follow(after))
    }

    private mutating func carryOut(
        _ command: Command, _ rules: PingRules
    ) throws(Refusal) -> (outcome: Outcome, changes: [Change]) {
        let received = command.received
        let caller = command.caller
        switch command.action {
        case .record, .erase, .forgetStay, .deletePerson:
            preconditionFailure("what depends on the history was done before")
        case .put(let writes):
            return each(writes) { picture, write throws(Refusal) in
                guard caller.mayAct(for: write.value.id) else { throw .notAllowed }
                if caller != .service { try picture.refuseLowThrottle(write.value, rules) }
                return try picture.put(write, received)
            }
        case .putPlaces(let writes):
            return each(writes) { picture, write throws(Refusal) in
                try picture.put(write, received, by: caller, rules)
            }
        case .putProducts(let writes):
            return each(writes) { picture, write throws(Refusal) in
                guard caller == .service else { throw .notAllowed }
                return try picture.put(write, received)
            }
        case .putStock(let items):
            return each(items) { picture, item throws(Refusal) in
                guard caller == .service else { throw .notAllowed }
                return try picture.put(item, received)
            }
        case .makeFriends(let pairs):
            return each(pairs) { picture, pair throws(Refusal) in
                guard caller == .service else { throw .notAllowed }
                let (a, b) = try picture.pair(pair.0, pair.1)
                guard !picture.crowd.isSeparated(a, b) else { throw .separated }
                let written = Written(isNew: !picture.crowd.isFriend(a, of: b), revision: received.milliseconds)
                return (written, written.isNew ? [.friendshipMade(a, b, at: received)] : [])
            }
        case .befriend, .unfriend, .block, .unblock, .decide, .undecide:
            let (outcome, changes) = try relate(command, rules.allowance)
            return (outcome, follow(withPartings(changes)))
        case .group(let action):
            let (outcome, changes) = try groupChange(action, command)
            return (outcome, follow(changes))
        case .label(let id, let friend, let label):
            let (outcome, changes) = try labelChange(label, of: friend, by: id, caller)
            return (outcome, follow(changes))
        case .addDevice, .rotateDevice, .removeDevice:
            let (outcome, changes) = try deviceChange(command)
            return (outcome, follow(changes))
        case .keepSightings(let sighted):
            guard caller == .service else { throw .notAllowed }
            return (.done, follow(keepSightings(sighted)))
        case .levelCells(let step):
            guard caller == .service else { throw .notAllowed }
            return (.done, follow(levelling(step, received: received)))
        case .deletePlace(let id, let condition):
            let (outcome, changes) = try deletePlace(id, condition, command)
            return (outcome, follow(changes))
        case .deleteProduct(let id, let condition):
            let (outcome, changes) = try deleteProduct(id, condition, command)
            return (outcome, follow(changes))
        case .deleteStock(let store, let product):
            return (.done, follow([try unstocking(product, of: store, caller)]))
        case .comment, .editComment, .deleteComment:
            let (outcome, changes) = try commentChange(command, rules.allowance)
            return (outcome, follow(changes))
        case .mark, .unmark:
            return (.done, follow(try favouriteChange(command, rules.allowance)))
        }
    }

    /// Makes changes on this picture.
    mutating func follow(_ changes: [Change]) -> [Change] {
        for change in changes { apply(change) }
        return changes
    }

    /// Does one thing after another; one that is refused leaves the others alone.
    private mutating func each<Item>(
        _ items: [Item],
        _ body: (borrowing Picture, Item) throws(Refusal) -> (Written, [Change])
    ) -> (outcome: Outcome, changes: [Change]) {
        var results: [Result<Written, Refusal>] = []
        var all: [Change] = []
        for item in items {
            do throws(Refusal) {
                let (written, changes) = try body(self, item)
                all += follow(changes)
                results.append(.success(written))
            } catch { results.append(.failure(error)) }
        }
        return (.written(results), all)
    }

    // MARK: - People

    func put(_ write: Write<Person>, _ received: Timestamp) throws(Refusal) -> (Written, [Change]) {
        guard crowd.leaving[write.value.id] == nil else { throw .beingDeleted(write.value.id) }
        let old = crowd.number(of: write.value.id).flatMap { crowd.record(of: $0)?.value }
        let person = old.map { write.value.keeping(write.kept, of: $0.value) } ?? write.value
        let revision = try Self.revision(of: old?.revision, write.condition, received)
        if let old, old.value == person { return (Written(isNew: false, revision: old.revision, person: person), []) }
        let number = old?.number ?? crowd.nextNumber
        let record = Versioned(number: number, revision: revision, value: person)
        var changes = [Change.person(record)]
        if person.sharing.dated != (old?.value.sharing ?? Sharing()).dated {
            // It ends what somebody shared who is there, so it comes before what is shared now.
            changes.insert(.shared(person: number, person.sharing.dated, at: received), at: old == nil ? 1 : 0)
        }
        if person.city != old?.value.city {
            let city = person.city.flatMap { gazetteer.city(named: $0) }
            let cell = city.map { CubeCell(containing: $0.coordinate, level: CubeCell.publicLevel) }
            changes.append(.homeCell(person: number, cell))
        }
        var state = crowd[number] ?? PersonState(record, crowd.zones)
        if old == nil, let waiting = crowd.departed.viewpoint(of: person.id, at: received) {
            changes.append(.viewpoint(person: number, waiting))
            state.viewpoint = waiting
        }
        let before = state.whereabouts
        state.take(record, crowd.zones)
        for case .homeCell(_, let cell) in changes { state.homeCell = cell }
        changes += state.consequences(from: before, at: received)
        if person.sharing.zones != (old?.value.sharing.zones ?? []) { changes += state.consequencesOfZones() }
        return (Written(isNew: old == nil, revision: revision, person: person), changes)
    }

    /// Refuses thresholds below the service's that the person did not have before.
    private func refuseLowThrottle(_ person: Person, _ rules: PingRules) throws(Refusal) {
        let old = crowd.state(of: person.id)?.person.throttle
        let (distance, interval) = (person.throttle.distance, person.throttle.interval)
        guard distance.map({ $0 >= rules.distance || $0 == old?.distance }) ?? true,
            interval.map({ $0 >= rules.interval || $0 == old?.interval }) ?? true
        else { throw .throttleTooLow(distance: rules.distance, interval: rules.interval) }
    }

    private func relate(_ command: Command, _ allowance: Allowance) throws(Refusal) -> (Outcome, [Change]) {
        switch command.action {
        case .befriend(let id, let other):
            return try befriend(try visiblePair(id, other, command.caller), command, allowance)
        case .unfriend(let id, let other):
            let (a, b) = try visiblePair(id, other, command.caller)
            let state = crowd.friendship(of: a, with: b)
            return (.friendship(.none), state == .none ? [] : [.friendshipEnded(a, b, at: command.received)])
        case .block(let id, let other):
            let (a, b) = try pair(id, other, command.caller)
            guard !crowd.blocks(a, b) else { return (.done, []) }
            guard !crowd.blocks(b, a) else { throw .unknown(.person, other) }
            try allowance.refuse(.block, after: crowd[a]?.blocks.count ?? 0, of: command.caller)
            let ending: [Change] =
                crowd.friendship(of: a, with: b) == .none ? [] : [.friendshipEnded(a, b, at: command.received)]
            return (.done, ending + [.blocked(by: a, b, at: command.received)])
        case .unblock(let id, let other):
            let (a, b) = try pair(id, other, command.caller)
            if crowd.blocks(a, b) { return (.done, [.unblocked(by: a, b)]) }
            guard !crowd.blocks(b, a) else { throw .unknown(.person, other) }
            return (.done, [])
        case .decide(let id, let other, let likes):
            let (a, b) = try visiblePair(id, other, command.caller)
            guard crowd[a]?.person.isAdult(at: command.received) == true else { throw .notAdult(id) }
            guard let person = crowd[b]?.person, person.isToldAdult(at: command.received), person.isDiscoverable else {
                throw .unknown(.person, other)
            }
            if crowd.decision(of: a, about: b) == nil {
                let count = crowd[a].map { $0.likes.count + $0.dislikes.count } ?? 0
                try allowance.refuse(.decision, after: count, of: command.caller)
            }
            let change = Change.decided(by: a, about: b, likes: likes, at: command.received)
            return (
                .decided(isMatch: likes && crowd.likes(b, a)), crowd.decision(of: a, about: b) == likes ? [] : [change]
            )
        case .undecide(let id, let other):
            let (a, b) = try visiblePair(id, other, command.caller)
            return (.done, crowd.decision(of: a, about: b) == nil ? [] : [.undecided(by: a, about: b)])
        default: preconditionFailure("only what ties people comes here")
        }
    }

    /// The numbers of two different people of whom neither has blocked the other: who has, or was, is as if not there.
    private func visiblePair(
        _ id: EntityID, _ other: EntityID, _ caller: Caller
    ) throws(Refusal) -> (Int32, Int32) {
        let (a, b) = try pair(id, other, caller)
        guard !crowd.isSeparated(a, b) else { throw .unknown(.person, other) }
        return (a, b)
    }

    private func befriend(
        _ pair: (Int32, Int32), _ command: Command, _ allowance: Allowance
    ) throws(Refusal) -> (Outcome, [Change]) {
        let ((a, b), received) = (pair, command.received)
        let state = crowd.friendship(of: a, with: b)
        if state == .none || state == .pending {
            let count = crowd[a].map { $0.friends.count + $0.asked.count } ?? 0
            try allowance.refuse(.friend, after: count, of: command.caller)
        }
        return switch state {
        case .friends: (.friendship(.friends), [])
        case .asked: (.friendship(.asked), [])
        case .pending: (.friendship(.friends), [.friendshipMade(a, b, at: received)])
        case .none: (.friendship(.asked), [.friendshipAsked(by: a, of: b, at: received)])
        }
    }

    /// The numbers of two different people, of whom the caller may act for the first.
    private func pair(
        _ id: EntityID, _ other: EntityID, _ caller: Caller = .service
    ) throws(Refusal) -> (Int32, Int32) {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        guard id != other else { throw .oneself }
        guard let a = crowd.number(of: id) else { throw .unknown(.person, id) }
        guard let b = crowd.number(of: other) else { throw .unknown(.person, other) }
        return (a, b)
    }

    /// The revision that a document gets: later than its old one, and at least the milliseconds of the receipt, so that
    /// one that was deleted and made again never has an old revision.
    static func revision(
        of old: Int64?, _ condition: Condition, _ received: Timestamp
    ) throws(Refusal) -> Int64 {
        let holds =
            switch condition {
            case .always: true
            case .isRevision(let revisions): old.map(revisions.contains) ?? false
            case .exists: old != nil
            case .isAbsent: old == nil
            }
        guard holds else { throw .conditionFailed }
        return max((old ?? 0) + 1, received.milliseconds)
    }
}
