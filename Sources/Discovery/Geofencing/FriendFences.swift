internal import Geo
internal import Model

/// Friends' fences: they report only what their owner could query at that moment, and only with the friend's consent.
///
/// They are judged after each upload by the position that the owner sees. So a friend who shares an approximate
/// position moves in whole cells and quarters of an hour, a hidden friend does not move, and no path between two
/// positions is interpolated.
extension LiveState {
    /// Whether a friend's fence may report a person now.
    func allows(_ entry: Fences.Entry, toReport person: PersonNumber) -> Bool {
        guard let owner = entry.owner, let watch = fences.watches[person]?[entry.record.number], watch.state != .ended,
            people.isKnown(person, to: owner)
        else { return false }
        switch alerts(of: person, for: owner) {
        case .nobody: return false
        case .asked: return watch.state == .accepted
        case .friends: return true
        }
    }

    /// The alerts that a person allows a friend's fences: the choice for all friends, or a stricter one.
    func alerts(of person: PersonNumber, for friend: PersonNumber) -> Alerts {
        let chosen: Alerts = people.reading(person) { $0.record.value.sharing.alerts } ?? .nobody
        guard chosen != .nobody, let own = people.reading(person, { $0.ties.notes[.alerts]?[friend] }) else {
            return chosen
        }
        return min(chosen, Alerts(rawValue: own) ?? .nobody)
    }

    /// The position at which the fence's owner sees a person, if it is inside and the person allows the report.
    func shownInside(_ entry: Fences.Entry, _ person: PersonNumber, at now: Timestamp) -> Position? {
        guard allows(entry, toReport: person), let owner = entry.owner,
            let shown = shownPlace(of: person, to: owner, at: now)
        else { return nil }
        var steps = 0
        defer { WorkBudget.count(steps) }
        let area = areas(of: entry, from: shown.place, to: shown.place, margin: 0, steps: &steps)
        return area?.contains(shown.place, steps: &steps) ?? false ? shown : nil
    }

    /// The changes of a friend's fence by the position at which its owner sees a person now.
    func changes(of number: FenceNumber, _ person: PersonNumber, at now: Timestamp) -> [FenceChange] {
        WorkBudget.count(20)
        guard let entry = fences[number], entry.fence.area.isFixedArea, let owner = entry.owner else { return [] }
        let visit = fences.visits[person]?[number]
        // A visit without consent is deleted, and not reported later either.
        guard allows(entry, toReport: person) else { return visit == nil ? [] : [.left(number, person)] }
        guard let shown = shownPlace(of: person, to: owner, at: now) else { return [] }
        let accuracy = Double(shown.accuracy ?? 0)
        guard entry.fence.margin.map({ accuracy <= $0 }) ?? true else { return [] }
        let margin = entry.fence.margin ?? accuracy
        var steps = 0
        defer { WorkBudget.count(steps) }
        guard let area = areas(of: entry, from: shown.place, to: shown.place, margin: margin, steps: &steps) else {
            return []
        }
        func passed(_ passage: Fence.Passage, _ time: Timestamp) -> FenceChange {
            var passing = FenceTransition(number, person, passage, at: time)
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

    /// The fences of two people on each other, with the watched person.
    func fences(between a: PersonNumber, _ b: PersonNumber) -> [(fence: FenceNumber, person: PersonNumber)] {
        [(a, b), (b, a)].flatMap { owner, person -> [(fence: FenceNumber, person: PersonNumber)] in
            let numbers = fences.ofOthers(about: person).filter { fences[$0]?.owner == owner }
            return numbers.map { (fence: $0, person: person) }
        }
    }

    /// The changes that revoke consent at once, for a friendship with more fences than one writer turn can rewrite.
    ///
    /// A proximity fence on friends or a group has no consent of its own, so its visit ends. No fence reports anything
    /// after that, even if the two are friends again.
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

    /// Pairs of a fence's owner and a former friend whom the fence still names.
    ///
    /// - Complexity: O(people named by fences of others).
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

    /// The changes when a fence stops watching a person: it drops the name, and is deleted if no name is left.
    func endingWatch(_ person: PersonNumber, _ number: FenceNumber, _ received: Timestamp) -> [Change] {
        guard let entry = fences[number] else { return [] }
        guard case .people(let names) = entry.fence.watched else { return [.fences(.left(number, person))] }
        let id = people.record(of: person)?.value.id
        let rest = names.filter { $0 != id }
        guard !rest.isEmpty else { return [.fences(.deleted(number))] }
        let record = entry.record.changed(at: received) { $0.watched = .people(rest) }
        return [.fences(.watchEnded(number, person)), .fences(.put(record))]
    }

    /// The changes of a fence of ``Fences/concerning(_:)`` when the person is deleted; a service's keeps its other
    /// names.
    func changesAfterDeletion(_ number: FenceNumber, of person: PersonNumber, _ received: Timestamp) -> [Change] {
        ends(number, with: person) ? [.fences(.deleted(number))] : endingWatch(person, number, received)
    }

    /// Whether a fence that concerns a person is deleted with the person.
    func ends(_ number: FenceNumber, with person: PersonNumber) -> Bool {
        fences[number].map { $0.owner != nil || $0.centerPerson == person } ?? false
    }
}

extension Fences {
    /// The fences of other people that watch a person, or that the person is inside, in order.
    func ofOthers(about person: PersonNumber) -> [FenceNumber] {
        let numbers = Set(watches[person, default: [:]].keys).union(visits[person, default: [:]].keys)
        return numbers.filter { number in
            guard let owner = self[number]?.owner else { return false }
            return owner != person
        }.sorted()
    }
}

extension Draft {
    /// Asks the friends whom a fence names for consent, unless they were asked about an equal fence before.
    ///
    /// A changed fence needs new consent. No event repeats a question that has no answer yet, or is less than a minute
    /// old.
    ///
    /// - Parameters:
    ///   - record: the new fence.
    ///   - former: the old fence and its consents; nil for a new one.
    /// - Throws: errors of the storage.
    mutating func askFriends(
        about record: Versioned<Fence>, after former: (fence: Fence, watches: [PersonNumber: FenceWatch])?
    ) throws {
        guard let entry = state.fences[record.number], let owner = entry.owner else { return }
        var old = former?.fence
        old?.note = record.value.note
        let isAskedByService = caller == .service
        for person in entry.people?.sorted() ?? [] where person != owner {
            let known = former?.watches[person]
            if old == record.value, known != nil { continue }
            let isRecent = known.map { $0.state == .asked || abs(($0.asked - received).milliseconds) < 60_000 } ?? false
            let question = FenceWatch(asked: isRecent ? known?.asked ?? received : received)
            if state.fences.watches[person]?[record.number] != question {
                try write(.fences(.watched(record.number, person, question)))
            }
            let mayAsk = try isAskedByService || old == record.value || countEvent(of: owner)
            if !isRecent, mayAsk { try write(.fences(.asked(record.number, person))) }
        }
    }

    /// Refuses a person's fence that names non-friends, or friends with the maximum number of watching fences.
    func refuseStrangers(in fence: Fence, of owner: PersonNumber, number: FenceNumber?) throws(Refusal) {
        guard case .people(let names) = fence.watched else { return }
        for name in names where name != fence.owner {
            guard let person = state.people.number(of: name), state.people.isKnown(person, to: owner) else {
                throw .unknown(.friend, name.any)
            }
            let watches = state.fences.watches[person] ?? [:]
            if number.flatMap({ watches[$0] }) == nil { try refuse(.watcher, after: watches.count) }
        }
    }
}
