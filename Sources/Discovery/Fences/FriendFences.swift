internal import Geo
internal import Model

/// Fences about friends: they tell no more than whose fence it is could ask for at that moment, and only as far as the friend
/// agrees.
///
/// After each upload of a friend it is asked where they are shown. So a friend who shares an approximate place crosses in whole
/// cells and quarters of an hour, one who is hidden does not, and nothing is said of the way between two places.
extension Picture {
    /// Whether a friend's fence may tell of a person now.
    func allows(_ entry: Fences.Entry, toTellOf person: PersonNumber) -> Bool {
        guard let owner = entry.owner, let watch = fences.watches[person]?[entry.record.number], watch.state != .ended,
            people.isKnown(person, to: owner)
        else { return false }
        switch alerts(of: person, for: owner) {
        case .nobody: return false
        case .asked: return watch.state == .accepted
        case .friends: return true
        }
    }

    /// What a person allows the fences of a friend: what the person chose for all friends, or less if they chose less for this one.
    func alerts(of person: PersonNumber, for friend: PersonNumber) -> Alerts {
        let chosen: Alerts = people.reading(person) { $0.record.value.sharing.alerts } ?? .nobody
        guard chosen != .nobody, let own = people.reading(person, { $0.ties.notes[.alerts]?[friend] }) else {
            return chosen
        }
        return min(chosen, Alerts(rawValue: own) ?? .nobody)
    }

    /// Where a friend whose fence it is is shown a person now, if that is inside and the person allows to tell it.
    func shownInside(_ entry: Fences.Entry, _ person: PersonNumber, at now: Timestamp) -> Position? {
        guard allows(entry, toTellOf: person), let owner = entry.owner,
            let shown = shownPlace(of: person, to: owner, at: now)
        else { return nil }
        var steps = 0
        defer { Effort.count(steps) }
        let area = areas(of: entry, from: shown.place, to: shown.place, margin: 0, steps: &steps)
        return area?.contains(shown.place, steps: &steps) ?? false ? shown : nil
    }

    /// The changes of a friend's fence that follow from where the friend is shown a person now.
    func changes(of number: FenceNumber, _ person: PersonNumber, at now: Timestamp) -> [FenceChange] {
        Effort.count(20)
        guard let entry = fences[number], entry.fence.area.isSomewhere, let owner = entry.owner else { return [] }
        let visit = fences.visits[person]?[number]
        // What may not be told is forgotten: it is not told later either.
        guard allows(entry, toTellOf: person) else { return visit == nil ? [] : [.left(number, person)] }
        guard let shown = shownPlace(of: person, to: owner, at: now) else { return [] }
        let accuracy = Double(shown.accuracy ?? 0)
        guard entry.fence.margin.map({ accuracy <= $0 }) ?? true else { return [] }
        let margin = entry.fence.margin ?? accuracy
        var steps = 0
        defer { Effort.count(steps) }
        guard let area = areas(of: entry, from: shown.place, to: shown.place, margin: margin, steps: &steps) else {
            return []
        }
        func passed(_ passage: Fence.Passage, _ time: Timestamp) -> FenceChange {
            var passing = FencePassing(number, person, passage, at: time)
            passing.precision = shown.precision
            return .passed(passing)
        }
        guard visit == nil else {
            guard area.isOutside(shown.place, by: margin, steps: &steps) else {
                return []
            }
            return [.left(number, person), passed(.exit, shown.time)]
        }
        guard area.contains(shown.place, steps: &steps) else { return [] }
        return [.visited(number, person, FenceVisit(since: shown.time)), passed(.enter, shown.time)]
    }

    /// The fences that two people have about each other, each with whom of them it is about.
    func fences(between a: PersonNumber, _ b: PersonNumber) -> [(fence: FenceNumber, person: PersonNumber)] {
        [(a, b), (b, a)].flatMap { owner, person -> [(fence: FenceNumber, person: PersonNumber)] in
            let numbers = fences.ofOthers(about: person).filter { fences[$0]?.owner == owner }
            return numbers.map { (fence: $0, person: person) }
        }
    }

    /// The changes that end consent at once, where more fences are about a friendship than are written again in a turn.
    ///
    /// A near-fence about friends or a group has no consent of its own, so its visit ends. No fence reports anything after that,
    /// even if the two are friends again.
    func disallowing(_ a: PersonNumber, _ b: PersonNumber) -> [Change] {
        fences(between: a, b).compactMap { one -> Change? in
            guard var watch = fences.watches[one.person]?[one.fence] else {
                return .fences(.left(one.fence, one.person))
            }
            guard watch.state != .ended else { return nil }
            watch.state = .ended
            return .fences(.watched(one.fence, one.person, watch))
        }
    }

    /// The owners of fences that name a former friend, each with that one.
    ///
    /// - Complexity: O(people whom fences of others name).
    func unfinishedEnds() -> [(owner: PersonID, person: PersonID)] {
        var ends: [(owner: PersonID, person: PersonID)] = []
        for (person, watches) in fences.watches {
            let owners = Set(watches.compactMap { $0.value.state == .ended ? fences[$0.key]?.owner : nil })
            for owner in owners where !people.isKnown(person, to: owner) {
                guard let owner = people.record(of: owner), let person = people.record(of: person) else { continue }
                ends.append((owner: owner.value.id, person: person.value.id))
            }
        }
        return ends
    }

    /// What becomes of a fence that is about a person no more: it does not name them, and one about nobody is gone.
    func unwatching(_ person: PersonNumber, _ number: FenceNumber, _ received: Timestamp) -> [Change] {
        guard let entry = fences[number] else { return [] }
        guard case .people(let names) = entry.fence.watched else { return [.fences(.left(number, person))] }
        let id = people.record(of: person)?.value.id
        let rest = names.filter { $0 != id }
        guard !rest.isEmpty else { return [.fences(.deleted(number))] }
        let record = entry.record.changed(at: received) { $0.watched = .people(rest) }
        return [.fences(.unwatched(number, person)), .fences(.put(record))]
    }

    /// What becomes of a fence of ``Fences/concerning(_:)`` when the person is deleted: one of a service that names others too is
    /// about those from now on.
    func bereaving(_ number: FenceNumber, of person: PersonNumber, _ received: Timestamp) -> [Change] {
        guard let entry = fences[number] else { return [] }
        return entry.owner == nil && entry.middle != person
            ? unwatching(person, number, received) : [.fences(.deleted(number))]
    }
}

extension Fences {
    /// The fences of other people that are about somebody, or that they are in, in order.
    func ofOthers(about person: PersonNumber) -> [FenceNumber] {
        let numbers = Set(watches[person, default: [:]].keys).union(visits[person, default: [:]].keys)
        return numbers.filter { number in
            guard let owner = self[number]?.owner else { return false }
            return owner != person
        }.sorted()
    }
}

extension Draft {
    /// Asks the friends whom a fence names, unless they were asked about the same before.
    ///
    /// Another fence is another question, but a friend who has not answered is not told of it again, nor is one who was asked
    /// less than a minute ago.
    ///
    /// - Parameters:
    ///   - record: the fence as it is now.
    ///   - former: the fence and its questions as they were before; nil for a new one.
    /// - Throws: whatever the storage throws.
    mutating func askFriends(
        about record: Versioned<Fence>, after former: (fence: Fence, watches: [PersonNumber: FenceWatch])?
    ) throws {
        guard let entry = picture.fences[record.number], let owner = entry.owner else { return }
        var old = former?.fence
        old?.note = record.value.note
        let isAskedByService = caller == .service
        for person in entry.people?.sorted() ?? [] where person != owner {
            let known = former?.watches[person]
            if old == record.value, known != nil { continue }
            let isRecent = known.map { $0.state == .asked || abs(($0.asked - received).milliseconds) < 60_000 } ?? false
            let question = FenceWatch(asked: isRecent ? known?.asked ?? received : received)
            if picture.fences.watches[person]?[record.number] != question {
                try follow(.fences(.watched(record.number, person, question)))
            }
            let mayAsk = try isAskedByService || old == record.value || countEvent(of: owner)
            if !isRecent, mayAsk { try follow(.fences(.asked(record.number, person))) }
        }
    }

    /// Refuses a fence of somebody about people who are no friends, or about whom friends have too many.
    func refuseStrangers(in fence: Fence, of owner: PersonNumber, number: FenceNumber?) throws(Refusal) {
        guard case .people(let names) = fence.watched else { return }
        for name in names where name != fence.owner {
            guard let person = picture.people.number(of: name), picture.people.isKnown(person, to: owner) else {
                throw .unknown(.friend, name.any)
            }
            let watches = picture.fences.watches[person] ?? [:]
            if number.flatMap({ watches[$0] }) == nil { try refuse(.watcher, after: watches.count) }
        }
    }
}
