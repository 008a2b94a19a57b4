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

    /// Takes note of a stay, and that somebody confirmed the position.
    mutating func sight(_ person: Int32, _ key: PingKey, until: Timestamp, at received: Timestamp) {
        sightings[person, default: Sightings(since: received)].add(key, until)
        if doubts[person]?.accused.contains(key) == true { doubts[person] = nil }
    }

    /// Forgets a stay that is written now, unless it has become longer.
    mutating func keep(_ person: Int32, _ key: PingKey, until: Timestamp) {
        sightings[person]?.remove(key, until)
        if sightings[person]?.until.isEmpty == true { sightings[person] = nil }
    }

    /// Forgets a person who was deleted.
    mutating func forget(_ person: Int32) {
        doubts[person] = nil
        newestSuspects[person] = nil
        sightings[person] = nil
    }
}

/// Until when a person was seen near stored positions, as far as it is not written.
struct Sightings: Sendable {
    /// They are written at most so often for each person.
    static let pause = Duration.seconds(600)

    /// When the first of them was received.
    let since: Timestamp
    private(set) var until: [PingKey: Timestamp] = [:]

    init(since: Timestamp) { self.since = since }

    mutating func add(_ key: PingKey, _ time: Timestamp) { until[key] = max(time, until[key] ?? time) }

    mutating func remove(_ key: PingKey, _ time: Timestamp) { if until[key] == time { until[key] = nil } }
}

extension Picture {
    /// The people of whom something can be written: since longer than the pause at an instant, or at all for nil.
    func sighted(dueAt now: Timestamp?) -> [Int32] {
        crowd.hindsight.sightings.filter { person, sightings in
            (now.map { $0 - sightings.since >= Sightings.pause } ?? true) && !folded(sightings, of: person).isEmpty
        }.map(\.key).sorted()
    }

    /// Writes until when people were seen, near positions that are in the table of pings.
    func keepSightings(of people: [Int32]) -> [Change] {
        people.flatMap { person in
            crowd.hindsight.sightings[person].map { folded($0, of: person) }?.map { key, until in
                Change.seen(person: person, key, until: until)
            } ?? []
        }
    }

    private func folded(_ sightings: Sightings, of person: Int32) -> [(PingKey, Timestamp)] {
        let tail = crowd.tail(of: person)
        return sightings.until.filter { !tail.contains($0.key) }.sorted { $0.key < $1.key }
    }
}
