internal import Storage

/// What later pings tell of stored positions, of those people of whom there is something to tell.
struct Hindsight: Sendable {
    /// What speaks against stored positions.
    private(set) var doubts: [Int32: Doubt] = [:]
    /// The fix time of the newest suspect position.
    private(set) var newestSuspects: [Int32: Timestamp] = [:]
    /// What is not written yet of how long people stayed.
    private(set) var sightings: [Int32: Sightings] = [:]

    mutating func doubt(_ person: Int32, _ doubt: Doubt?) { doubts[person] = doubt }

    mutating func suspect(_ person: Int32, at time: Timestamp) {
        newestSuspects[person] = max(time, newestSuspects[person] ?? time)
        doubts[person] = nil
    }

    /// Takes note of a stay, and of whether it has become longer, which confirms the position.
    mutating func sight(_ person: Int32, _ key: PingKey, _ stay: Stay, at received: Timestamp) {
        let known = sightings[person]?.stays[key]?.until ?? key.time
        sightings[person, default: Sightings(since: received)].stays[key] = stay
        if stay.until > known, doubts[person]?.accused.contains(key) == true { doubts[person] = nil }
    }

    /// Forgets a stay that is written now, unless it has changed.
    mutating func keep(_ person: Int32, _ key: PingKey, _ stay: Stay) {
        if sightings[person]?.stays[key] == stay { forget(person) { $0 == key } }
    }

    /// Forgets of earlier positions than one that is stored now what is not worth keeping then: that the person had left.
    mutating func moveOn(_ person: Int32, to next: PingKey) {
        guard let stays = sightings[person]?.stays else { return }
        forget(person) { key in key < next && stays[key].map { $0.until == $0.since } ?? false }
    }

    /// Forgets what is known of positions that are deleted.
    mutating func erase(_ keys: Set<PingKey>, of person: Int32) {
        forget(person) { keys.contains($0) }
        if doubts[person]?.accused.isDisjoint(with: keys) == false { doubts[person] = nil }
    }

    private mutating func forget(_ person: Int32, where isOver: (PingKey) -> Bool) {
        for key in sightings[person]?.stays.keys.filter(isOver) ?? [] { sightings[person]?.stays[key] = nil }
        if sightings[person]?.stays.isEmpty == true { sightings[person] = nil }
    }

    /// Forgets a person who was deleted.
    mutating func forget(_ person: Int32) {
        doubts[person] = nil
        newestSuspects[person] = nil
        sightings[person] = nil
    }
}

/// How long a person was seen near stored positions: what is not written yet, with what is.
struct Sightings: Sendable {
    /// They are written at most so often for each person.
    static let pause = Duration.seconds(600)

    /// When the first of them was received.
    let since: Timestamp
    var stays: [PingKey: Stay] = [:]

    init(since: Timestamp) { self.since = since }
}

extension Picture {
    /// Whether something can be written of a person: since longer than the pause at an instant, or at all for nil.
    func isSighted(_ person: Int32, dueAt now: Timestamp?) -> Bool {
        guard let sightings = crowd.hindsight.sightings[person] else { return false }
        return (now.map { $0 - sightings.since >= Sightings.pause } ?? true) && !folded(sightings, of: person).isEmpty
    }

    /// Writes until when people were seen, near positions that are in the table of pings.
    func keepSightings(of people: [Int32]) -> [Change] {
        people.flatMap { person in
            crowd.hindsight.sightings[person].map { folded($0, of: person) }?.map { key, stay in
                Change.seen(person: person, key, stay)
            } ?? []
        }
    }

    private func folded(_ sightings: Sightings, of person: Int32) -> [(PingKey, Stay)] {
        let tail = crowd.tail(of: person)
        // Also that somebody had left at once: seen there again later, they were not there meanwhile.
        return sightings.stays.filter { key, stay in
            !tail.contains(key) && (stay.until > stay.since || !stay.gaps.isEmpty)
        }.sorted { $0.key < $1.key }
    }
}
