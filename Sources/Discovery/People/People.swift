internal import Geo
internal import Model
internal import Storage
internal import Structures

/// The people in memory.
struct People: ~Copyable, Sendable {
    private(set) var ids = Identifiers()
    /// People whose deletion has begun, by their ids, which lookups no longer find.
    private(set) var leaving: [PersonID: PersonNumber] = [:]
    /// By number; ``PersonState/nobody`` for deleted people, because reading a field of an optional copies all of it.
    private var states = Pages<PersonState>()
    /// The discoverable people by public cell.
    private(set) var cells: CellIndex
    /// The levels of public cells; nil if all cells are of the finest level.
    private(set) var levels: CellLevels?
    var logTail = PingLogTail()
    var outliers = Outliers()
    var pendingStays = PendingStays()
    var devices = Devices()
    var groups = Groups()
    var recentlyDeleted = RecentlyDeleted()
    private(set) var endedTokens: EndedTokens

    /// The key that displaces privacy zones; nil for no displacement.
    let zones: SipKey?
    /// The clock doubt, shared by both copies of the state.
    let doubt: ClockDoubt

    init(key: SipKey, levels: CellLevels?, zones: SipKey?) {
        cells = CellIndex(key: key.derived(for: "members of cells"))
        endedTokens = EndedTokens(key: key.derived(for: "ended tokens"))
        (self.levels, self.zones, doubt) = (levels, zones, ClockDoubt())
    }

    private init(copying other: borrowing People) {
        zones = other.zones
        doubt = other.doubt
        ids = other.ids
        leaving = other.leaving
        states = other.states
        cells = other.cells.copy()
        levels = other.levels
        logTail = other.logTail
        outliers = other.outliers
        pendingStays = other.pendingStays
        devices = other.devices
        groups = other.groups
        recentlyDeleted = other.recentlyDeleted
        endedTokens = other.endedTokens
    }

    func copy() -> People { People(copying: self) }

    var count: Int { ids.count }

    mutating func reserveCapacity(_ count: Int) { ids.reserveCapacity(count) }

    /// The memory of the states in bytes, without what they refer to.
    var bytesOfStates: Int { states.bytes }

    var nextNumber: PersonNumber { PersonNumber(ids.handleLimit) }

    subscript(number: PersonNumber) -> PersonState? { reading(number) { $0 } }

    /// Whether a number belongs to a person.
    func contains(_ number: PersonNumber) -> Bool {
        (0..<states.count).contains(Int(number)) && states[Int(number)].record.number == number
    }

    /// Reads part of a person's state without copying the rest; nil if the number belongs to no person.
    @inline(__always) func reading<Result>(_ number: PersonNumber, _ body: (PersonState) -> Result?) -> Result? {
        contains(number) ? body(states[Int(number)]) : nil
    }

    func number(of id: PersonID) -> PersonNumber? { ids[id.text].map(PersonNumber.init(rawValue:)) }

    /// The number of the person with an id, also if their deletion has begun.
    func present(_ id: PersonID) -> PersonNumber? { number(of: id) ?? leaving[id] }

    func last(of number: PersonNumber) -> RecentPing? { reading(number) { $0.last } }

    /// The fix time of a person's newest stored position, suspect or not.
    func newestTime(of number: PersonNumber) -> Timestamp? {
        let (stored, suspect) = (last(of: number)?.time, outliers.newestSuspects[number])
        guard let stored, let suspect else { return stored ?? suspect }
        return max(stored, suspect)
    }

    /// The person's place as far as the service knows.
    func whereabouts(of number: PersonNumber) -> Coordinate? { reading(number) { $0.whereabouts } }

    /// The changes to discovery from a person's new place; see ``PersonState/consequences(from:at:)``.
    func consequences(of number: PersonNumber, from before: Coordinate?, at received: Timestamp) -> [Change] {
        reading(number) { $0.consequences(from: before, at: received) } ?? []
    }

    /// The changes to discovery from a deletion; see ``PersonState/consequences(erasing:from:at:)``.
    func consequences(
        of number: PersonNumber, erasing keys: Set<PingKey>, from before: Coordinate?, at received: Timestamp
    ) -> [Change] {
        reading(number) { $0.consequences(erasing: keys, from: before, at: received) } ?? []
    }

    func rememberedCells(of number: PersonNumber) -> [RememberedCell] {
        reading(number) { $0.traces.rememberedCells } ?? []
    }

    func friends(of number: PersonNumber) -> SortedNumbers<PersonNumber> {
        reading(number) { $0.ties.friends } ?? SortedNumbers()
    }

    func record(of number: PersonNumber) -> Versioned<Person>? { reading(number) { $0.record } }

    func state(of id: PersonID) -> PersonState? { number(of: id).flatMap { self[$0] } }

    /// Changes a person's state, and updates the cell index.
    mutating func update(_ number: PersonNumber, _ change: (inout PersonState) -> Void) {
        guard contains(number) else { return }
        let before = Self.listing(states[Int(number)])
        change(&states[Int(number)])
        Self.level(&states[Int(number)], by: levels)
        relist(number, before, Self.listing(states[Int(number)]))
    }

    /// Changes state of a person that no index contains.
    mutating func updateUnindexed(_ number: PersonNumber, _ change: (inout PersonState) -> Void) {
        if contains(number) { change(&states[Int(number)]) }
    }

    mutating func apply(_ change: PeopleChange) {
        switch change {
        case .put(let record): put(record)
        case .shared(let person, let sharing, let at):
            // A new person had no settings before, and counts as having shared by the defaults until now.
            updateUnindexed(person) { state in
                state.endTerms(state.person.sharing.dated == sharing ? SharingTerms(Sharing()) : nil, at: at)
            }
        case .homeCell(let person, let cell): update(person) { $0.traces.homeCell = cell }
        case .leaving(let number): leave(number)
        case .tracesErased, .eventCounted, .eventsLimited: break
        case .deleted(let number): remove(number)
        case .endedTokensKept(let hash, let bound): endedTokens.keep(hash, before: bound)
        case .recentlyDeleted(let id, let at): recentlyDeleted.insert(id, at: at)
        }
    }

    mutating func put(_ record: Versioned<Person>) {
        let number = record.number
        if contains(number) {
            endedTokens.follow(record.value)
            update(number) { [zones] in $0.take(record, zones) }
            return
        }
        insert(PersonState(record, zones))
    }

    /// Ensures that new numbers start at `number` or above.
    mutating func skip(to number: PersonNumber) {
        ids.skip(to: number.rawValue)
        states.fill(upTo: Int(number), with: .nobody)
    }

    /// Inserts a person whose number is above all others.
    mutating func insert(_ new: PersonState) {
        var state = new
        Self.level(&state, by: levels)
        endedTokens.follow(state.person)
        let number = state.record.number
        ids.insert(state.person.id.text, as: number.rawValue)
        states.fill(upTo: Int(number), with: .nobody)
        states.append(state)
        relist(number, nil, Self.listing(state))
    }

    /// Removes a person's id from lookups, and reserves it until ``remove(_:)``.
    mutating func leave(_ number: PersonNumber) {
        guard let id = self[number]?.person.id else { return }
        ids.remove(id.text)
        leaving[id] = number
    }

    /// Removes a person and all ties to them.
    ///
    /// Others' decisions about them keep a number that is never reused.
    mutating func remove(_ number: PersonNumber) {
        guard let state = self[number] else { return }
        let ties = state.ties
        let all = [ties.friends, ties.asked, ties.askedBy, ties.blocks, ties.blockedBy]
        WorkBudget.count(10 * all.reduce(0) { $0 + $1.count })
        for friend in ties.friends.numbers { unfriend(number, of: friend) }
        for other in ties.asked.numbers { updateUnindexed(other) { $0.ties.askedBy.remove(number) } }
        for other in ties.askedBy.numbers { updateUnindexed(other) { $0.ties.asked.remove(number) } }
        for other in ties.blocks.numbers { updateUnindexed(other) { $0.ties.blockedBy.remove(number) } }
        for other in ties.blockedBy.numbers { updateUnindexed(other) { $0.ties.blocks.remove(number) } }
        relist(number, Self.listing(state), nil)
        ids.remove(state.person.id.text)
        leaving[state.person.id] = nil
        endedTokens.forget(state.person.id)
        states[Int(number)] = .nobody
        logTail.forget(number)
        outliers.forget(number)
        pendingStays.forget(number)
        devices.forget(number)
    }

    /// Drops uncompacted pings of people that are in the tables now: those in log rows up to a number.
    mutating func dropCompacted(of people: ArraySlice<PersonNumber>, through logNumber: Int64) {
        for number in people { logTail.forget(through: logNumber, of: number) }
        outliers.forgetLog(through: logNumber)
    }

    /// Adds a stored ping that is not in the ping table yet.
    mutating func append(_ logged: LoggedPing) {
        let ping = logged.ping
        guard contains(ping.person) else { return }
        update(ping.person) { $0.follow(ping) }
        forgetOvertakenFix(of: ping.person)
        logTail.insert(logged)
        outliers.setRun(nil, of: ping.person)
        pendingStays.moveOn(ping.person, to: ping.key)
    }

    /// Drops a stored ping that became suspect, and keeps only the log row that still contains it; it is in the ping
    /// table.
    mutating func suspect(_ ping: StoredPing) {
        let row = logTail[ping.person][ping.key]?.logNumber
        logTail.erase([ping.key], of: ping.person)
        outliers.suspect(ping.person, ping.key, inRow: row)
    }

    /// The log rows of a person's stored positions that are still in the log.
    func rows(of keys: Set<PingKey>, _ person: PersonNumber) -> [PingKey: Int64] {
        let logged = logTail[person].pings.filter { keys.contains($0.ping.key) }.map {
            ($0.ping.key, $0.logNumber)
        }
        return outliers.rows(of: keys, person).merging(logged) { $1 }
    }

    /// Records that the duration of a stay at a stored position is stored.
    mutating func keep(_ person: PersonNumber, _ key: PingKey, _ stay: Stay) {
        pendingStays.remove([key], of: person)
        logTail.keep(key, stay, of: person)
    }

    /// Records the duration of a stay at a stored position.
    mutating func confirm(_ person: PersonNumber, _ key: PingKey, _ stay: Stay, at received: Timestamp) {
        if pendingStays.put(person, key, stay, at: received) { outliers.confirm(person, key) }
        updateUnindexed(person) { state in
            if state.last?.key == key { state.last?.stay = stay }
        }
    }

    /// Replaces a person's newest position.
    mutating func relocate(_ person: PersonNumber, to ping: StoredPing?) {
        var last = ping.map(RecentPing.init)
        if let key = last?.key, let stay = pendingStays.stay(of: person, at: key) { last?.stay = stay }
        update(person) { $0.take(last) }
        forgetOvertakenFix(of: person)
    }

    /// Records a decision about the levels of public cells, which ``level(_:)`` then applies to people.
    mutating func decide(since: Timestamp, denser: [CubeCell], sparser: [CubeCell]) {
        WorkBudget.count(2 * (denser.count + sparser.count))
        levels?.decide(since: since, denser: denser, sparser: sparser)
    }

    /// Records when the last decision was made.
    mutating func decide(made: Timestamp) { levels?.made = made }

    /// Applies the decision to people.
    ///
    /// - Complexity: O(people).
    mutating func level(_ people: Range<PersonNumber>) {
        WorkBudget.count(20 * people.count)
        for number in people.clamped(to: 0..<nextNumber) { update(number) { _ in } }
    }

    private static func level(_ state: inout PersonState, by levels: CellLevels?) {
        let known = state.last.map { levels?.level(of: $0.publicCell, received: $0.received) ?? $0.publicCell.level }
        state.publicLevel = known ?? CellLevels.coarsest
    }

    /// The cell and signature under which strangers find a person; nil for people who are not discoverable.
    static func listing(_ state: PersonState) -> CellIndex.Listing? {
        guard state.person.isDiscoverable, let cell = state.publicCell else { return nil }
        // People who show friends only a city do not show strangers more.
        let isCoarse = state.person.sharing.precision == .city
        return CellIndex.Listing(
            cell: isCoarse ? cell.ancestor(CellLevels.coarsest) : cell, signature: StrangerSignature(state.person).bits
        )
    }

    private mutating func relist(_ number: PersonNumber, _ before: CellIndex.Listing?, _ after: CellIndex.Listing?) {
        guard before != after else { return }
        if let before { cells.remove(number, from: before.cell) }
        if let after { cells.insert(number, after) }
    }
}
