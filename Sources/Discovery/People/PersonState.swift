internal import Algorithms
internal import Geo
internal import Model
internal import Storage
internal import Structures

/// All that the live picture holds about one person.
struct PersonState: Sendable {
    private(set) var record: Shared<Versioned<Person>>
    /// What of the record tells who may know where the person is.
    private(set) var terms: SharingTerms
    private(set) var privacyZones: PrivacyZones
    /// The newest stored position that is not suspect.
    var last: JudgedPing?
    var homeCell: CubeCell?
    /// The level at which strangers may know the newest position.
    var publicLevel = CellLevels.coarsest
    /// From where the person looks for strangers, as it was when that was last decided.
    var viewpoint: Viewpoint?
    /// Since when the person can be found where they are.
    var residence: Residence?
    /// Where the person stays now and then near the border of a cell, latest last; before them the zones in which a cell was
    /// told.
    var rememberedCells: [RememberedCell] = []
    /// Stored positions that are not in the table of pings yet, by time; none is suspect.
    var unfolded = UnfoldedPings()
    var friends = SortedNumbers<PersonNumber>()
    /// What the person notes about friends, by their numbers; nobody else sees it.
    private(set) var notes: [FriendAttribute: [PersonNumber: String]] = [:]
    /// People this person asked, and people who asked this person.
    var asked = SortedNumbers<PersonNumber>()
    var askedBy = SortedNumbers<PersonNumber>()
    var blocks = SortedNumbers<PersonNumber>()
    var blockedBy = SortedNumbers<PersonNumber>()
    var likes = SortedNumbers<PersonNumber>()
    var dislikes = SortedNumbers<PersonNumber>()

    /// A person of whom only the document is known.
    init(_ record: Versioned<Person>, _ zones: SipKey?) {
        self.record = Shared(record)
        terms = SharingTerms(record.value.sharing)
        privacyZones = PrivacyZones(record.value.sharing.zones, of: record.value.id, zones)
    }

    /// Takes another document of the same person.
    mutating func take(_ record: Versioned<Person>, _ zones: SipKey?) {
        if record.value.sharing != person.sharing {
            terms = SharingTerms(record.value.sharing, after: terms)
            privacyZones = PrivacyZones(record.value.sharing.zones, of: record.value.id, zones)
        }
        self.record = Shared(record)
    }

    /// Takes note that what the person shared was in force until an instant, or that other terms were.
    mutating func endTerms(_ former: SharingTerms? = nil, at time: Timestamp) {
        terms.follow(former ?? terms, endedAt: time)
    }

    var person: Person { record.value.value }

    /// The cell by which strangers may find the person: that of the newest position, else of the city.
    ///
    /// It is never worked out from a position: the cell was recorded with it, and what is in force is that or a coarser one.
    var publicCell: CubeCell? { last.map { $0.publicCell.ancestor(publicLevel) } ?? homeCell }

    /// Where this person stands to another.
    func friendship(with other: PersonNumber) -> FriendshipState {
        if friends.contains(other) { return .friends }
        if asked.contains(other) { return .asked }
        return askedBy.contains(other) ? .pending : .none
    }

    mutating func note(_ attribute: FriendAttribute, _ text: String?, about friend: PersonNumber) {
        notes[attribute, default: [:]][friend] = text
        if notes[attribute]?.isEmpty ?? false { notes[attribute] = nil }
    }

    func isSeparated(from other: PersonNumber) -> Bool { blocks.contains(other) || blockedBy.contains(other) }
}

/// The stored positions of one person that are not in the table of pings yet, in the order of time and sequence.
struct UnfoldedPings: Sendable {
    private(set) var pings: [LoggedPing] = []

    var isEmpty: Bool { pings.isEmpty }

    mutating func insert(_ logged: LoggedPing) {
        pings.insert(logged, at: position(after: (logged.ping.time, logged.ping.sequence)))
    }

    func contains(_ key: PingKey) -> Bool { index(of: key) != nil }

    subscript(key: PingKey) -> LoggedPing? { index(of: key).map { pings[$0] } }

    private func index(of key: PingKey) -> Int? {
        let after = position(after: (key.time, key.sequence))
        return after > 0 && pings[after - 1].ping.key == key ? after - 1 : nil
    }

    /// Takes note of a stay that is in the table now, where folding passes over it.
    mutating func keep(_ key: PingKey, _ stay: Stay) { if let index = index(of: key) { pings[index].ping.stay = stay } }

    /// Takes pings out that are deleted for good.
    mutating func erase(_ keys: Set<PingKey>) { pings.removeAll { keys.contains($0.ping.key) } }

    mutating func forget(through logNumber: Int64) { pings.removeAll { $0.logNumber <= logNumber } }

    /// The pings from the latest time that is not after an instant to the first one after, those between them that are
    /// excepted included.
    ///
    /// - Complexity: O(log count + excepted).
    func neighbours(around time: Timestamp, except: Set<PingKey> = []) -> ArraySlice<LoggedPing> {
        let split = position(after: (time, .max))
        let latest = pings[..<split].last { !except.contains($0.ping.key) }?.ping.time
        let first = latest.map { position(after: ($0 - .milliseconds(1), .max)) } ?? 0
        let after = pings[split...].firstIndex { !except.contains($0.ping.key) } ?? pings.count - 1
        return pings[first..<after + 1]
    }

    private func position(after key: (Timestamp, UInt8)) -> Int {
        pings.partitioningIndex { ($0.ping.time, $0.ping.sequence) > key }
    }
}
