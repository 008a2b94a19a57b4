internal import Algorithms
internal import Geo
public import Model
internal import Storage

/// What is not written yet of where people are and how long they stayed, of those of whom there is such.
struct UnwrittenStays: Sendable {
    private var sightings: [PersonNumber: Sightings] = [:]

    subscript(person: PersonNumber) -> Sightings? { sightings[person] }

    /// Takes note of a stay.
    ///
    /// - Returns: whether it has become longer, which confirms the position.
    mutating func put(_ person: PersonNumber, _ key: PingKey, _ stay: Stay, at received: Timestamp) -> Bool {
        let known = sightings[person, default: Sightings(since: received)].put(key, stay)
        return stay.until > known ?? key.time
    }

    /// How long a person was near a position, as far as that is not written.
    func stay(of person: PersonNumber, at key: PingKey) -> Stay? { sightings[person]?.stays[key] }

    /// The earliest position of somebody about whom too much is kept in mind.
    func excess(of person: PersonNumber) -> PingKey? { sightings[person]?.excess }

    /// Forgets stays that are written now, or of positions that are deleted.
    mutating func remove(_ keys: some Sequence<PingKey>, of person: PersonNumber) {
        change(person) { sightings in for key in keys { sightings.remove(key) } }
    }

    /// Forgets of earlier positions than one that is stored now what is not worth keeping then: that the person had left.
    mutating func moveOn(_ person: PersonNumber, to next: PingKey) { change(person) { $0.removeBrief(before: next) } }

    /// Takes note of whether the person's live position is not written yet, because of a ping received at an instant.
    mutating func setFix(of person: PersonNumber, isUnwritten: Bool, at received: Timestamp? = nil) {
        if isUnwritten, let received {
            sightings[person, default: Sightings(since: received)].hasFix = true
        } else {
            change(person) { $0.hasFix = isUnwritten }
        }
    }

    private mutating func change(_ person: PersonNumber, _ change: (inout Sightings) -> Void) {
        guard let place = sightings.index(forKey: person) else { return }
        if sightings.values[place].isEmpty(after: change) { sightings.remove(at: place) }
    }

    mutating func forget(_ person: PersonNumber) { sightings[person] = nil }
}

/// How long a person was seen near stored positions: what is not written yet, with what is.
struct Sightings: Sendable {
    /// They are written at most so often for each person, as long as these are not too many.
    static let pause = Duration.seconds(600)
    /// So many are kept in mind of a person.
    static let most = 1_000

    /// When the first of them was received.
    let since: Timestamp
    private(set) var stays: [PingKey: Stay] = [:]
    /// Whether the live position is not written.
    fileprivate(set) var hasFix = false
    /// Those of which nothing is known but that the person had left, in order.
    private var brief: [PingKey] = []

    init(since: Timestamp) { self.since = since }

    fileprivate mutating func isEmpty(after change: (inout Sightings) -> Void) -> Bool {
        change(&self)
        return stays.isEmpty && !hasFix
    }

    /// - Returns: until when the person was known to be near.
    /// - Complexity: O(log of the brief ones), but for moving those after it.
    fileprivate mutating func put(_ key: PingKey, _ stay: Stay) -> Timestamp? {
        let known = stays.updateValue(stay, forKey: key)
        let wasBrief = known.map(Self.isBrief) ?? false
        guard wasBrief != Self.isBrief(stay) else { return known?.until }
        let position = brief.partitioningIndex { $0 >= key }
        if wasBrief { brief.remove(at: position) } else { brief.insert(key, at: position) }
        return known?.until
    }

    mutating func remove(_ key: PingKey) {
        guard let stay = stays.removeValue(forKey: key), Self.isBrief(stay) else { return }
        brief.remove(at: brief.partitioningIndex { $0 >= key })
    }

    /// - Complexity: O(what is removed), but for moving the brief ones after it.
    mutating func removeBrief(before next: PingKey) {
        let count = brief.partitioningIndex { $0 >= next }
        for key in brief.prefix(count) { stays[key] = nil }
        brief.removeFirst(count)
    }

    /// The earliest position of too many: what is known of it is to be written at once.
    ///
    /// - Complexity: O(stays) if there are too many, else O(1).
    var excess: PingKey? {
        guard stays.count > Self.most else { return nil }
        Effort.count(stays.count / 10)
        return stays.keys.min()
    }

    /// Whether it is time to write them, or was the clock ahead when they were received.
    func areDue(at now: Timestamp) -> Bool { now - since >= Self.pause || now < since }

    private static func isBrief(_ stay: Stay) -> Bool { stay.until == stay.since }
}

/// A position of a person near which it is to be written how long they stayed, or where they are.
public struct Sighted: Codable, Sendable {
    /// The number of the person.
    public var person: PersonNumber
    /// The position; nil for the live one.
    public var key: PingKey?
}

extension Picture {
    /// Of how many people at most it is looked up in one reading how long they stayed; with so many stays it ends as well.
    private static let sightedAtOnce = 1_000

    /// What can be written of the next people, by their numbers: since longer than the pause at an instant, or at all for nil.
    ///
    /// - Returns: that, and the number with which to go on; nil after the last.
    func sighted(from first: PersonNumber, dueAt now: Timestamp?) -> (sighted: [Sighted], next: PersonNumber?) {
        var sighted: [Sighted] = []
        var next = first
        while next < min(first.advanced(by: Self.sightedAtOnce), people.nextNumber), sighted.count < Self.sightedAtOnce
        {
            defer { next = next.advanced(by: 1) }
            guard let sightings = people.unwrittenStays[next], now.map({ sightings.areDue(at: $0) }) ?? true else {
                continue
            }
            // Also that somebody had left at once: seen there again later, they were not there meanwhile.
            sighted += sightings.stays.keys.sorted().map { Sighted(person: next, key: $0) }
            if sightings.hasFix { sighted.append(Sighted(person: next)) }
        }
        Effort.count(10 * (first.distance(to: next) + sighted.count))
        return (sighted, next < people.nextNumber ? next : nil)
    }
}

/// Writes until when somebody was seen near a position, or where they are.
struct KeepSighting: Action {
    let sighted: Sighted

    var weight: Int { 1 }

    func carryOut(on draft: inout Draft) throws {
        try draft.refusePeople()
        try draft.keep(sighted)
    }
}

extension Draft {
    /// Writes until when somebody was seen near a position, or where they are, if that is not written yet.
    mutating func keep(_ one: Sighted) throws {
        guard let sightings = picture.people.unwrittenStays[one.person] else { return }
        if let key = one.key, let stay = sightings.stays[key] {
            let logged = picture.people.unfolded[one.person][key]?.ping
            try follow(.pings(.seen(person: one.person, key, stay, logged: logged)))
        }
        if one.key == nil, sightings.hasFix {
            try follow(.pings(.kept(person: one.person, picture.people.live(of: one.person))))
        }
    }
}

extension Live {
    /// Writes where people are and until when they were seen near stored positions: of those of whom it is due, or of all for
    /// nil.
    ///
    /// - Throws: ``StorageError``.
    public func keepSightings(dueAt now: Timestamp?) async throws(StorageError) {
        var first: PersonNumber? = 0
        while let start = first {
            let (sighted, next) = read { $0.sighted(from: start, dueAt: now) }
            first = next
            guard !sighted.isEmpty else { continue }
            let all = Each(sighted.map(KeepSighting.init))
            do {
                try await perform(all, by: .service, at: now ?? Timestamp(milliseconds: 0), of: .maintenance)
            } catch { throw StorageError(error) }
        }
    }
}
