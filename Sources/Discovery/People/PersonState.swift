internal import Geo
internal import Model
internal import Storage
internal import Structures

/// All that the live picture holds about one person but for positions that wait to be folded.
///
/// There are two of it for each person, so what most people have none of is in ``Seldom``.
struct PersonState: Sendable {
    private(set) var record: Versioned<Person>
    /// The newest stored position that is not suspect.
    var last: JudgedPing?
    /// The newest position that is believed, if it is later than ``last``: it is in no history.
    @Seldom var live: LiveFix?
    private var level = Int8(CellLevels.coarsest)
    /// From where the person looks for strangers, as it was when that was last decided.
    var viewpoint: Viewpoint?
    @Seldom private var sharing: SharingRules
    @Seldom var traces: Traces
    @Seldom var ties: Ties

    /// How the person stands to others.
    struct Ties: Equatable, Usual {
        static let usual = Ties()
        var friends = SortedNumbers<PersonNumber>()
        /// When the friendships began that were made since the start, or in the day before the newest one at the start.
        var newFriends: [PersonNumber: Timestamp] = [:]
        /// What the person notes about friends, by their numbers; nobody else sees it.
        fileprivate(set) var notes: [FriendAttribute: [PersonNumber: String]] = [:]
        /// People this person asked, and people who asked this person.
        var asked = SortedNumbers<PersonNumber>()
        var askedBy = SortedNumbers<PersonNumber>()
        var blocks = SortedNumbers<PersonNumber>()
        var blockedBy = SortedNumbers<PersonNumber>()
        var likes = SortedNumbers<PersonNumber>()
        var dislikes = SortedNumbers<PersonNumber>()

        var isUsual: Bool {
            [friends, asked, askedBy, blocks, blockedBy, likes, dislikes].allSatisfy(\.isEmpty) && notes.isEmpty
        }
    }

    /// What discovery goes by beside the newest position.
    struct Traces: Equatable, Usual {
        static let usual = Traces()
        /// The cell of the city that the person names.
        var homeCell: CubeCell?
        /// Since when the person can be found where they are.
        var residence: Residence?
        /// Where the person stays now and then near the border of a cell, latest last; before them the zones in which a cell was
        /// told.
        var rememberedCells: [RememberedCell] = []
    }

    /// What of the record tells who may know where the person is.
    private struct SharingRules: Usual {
        static let usual = SharingRules(terms: SharingTerms(Sharing()), zones: PrivacyZones())
        var terms: SharingTerms
        var zones: PrivacyZones

        var isUsual: Bool { terms.isUsual && zones.isEmpty }
    }

    /// What stands where nobody is.
    static let nobody = PersonState(
        Versioned(number: PersonNumber(-1), revision: 0, value: Person(id: ID(known: ""))), nil)

    /// A person of whom only the document is known.
    init(_ record: Versioned<Person>, _ zones: SipKey?) {
        self.record = record
        if record.value.sharing != Sharing() { share(zones, SharingTerms(record.value.sharing)) }
    }

    /// Takes another document of the same person.
    mutating func take(_ record: Versioned<Person>, _ zones: SipKey?) {
        let isShared = record.value.sharing == person.sharing
        self.record = record
        if !isShared { share(zones, SharingTerms(record.value.sharing, after: terms)) }
    }

    private mutating func share(_ zones: SipKey?, _ terms: SharingTerms) {
        sharing = SharingRules(
            terms: terms, zones: PrivacyZones(person.sharing.zones, of: person.id, zones))
    }

    /// Takes note that what the person shared was in force until an instant, or that other terms were.
    mutating func endTerms(_ former: SharingTerms? = nil, at time: Timestamp) {
        sharing.terms.follow(former ?? terms, endedAt: time)
    }

    /// The bytes of memory beside itself, but for those of the document.
    var bytes: Int {
        let numbers = [
            ties.friends, ties.asked, ties.askedBy, ties.blocks, ties.blockedBy, ties.likes, ties.dislikes,
        ]
        return _live.bytes + _sharing.bytes + _traces.bytes + _ties.bytes + numbers.reduce(0) { $0 + $1.bytes }
    }

    var terms: SharingTerms { sharing.terms }

    var privacyZones: PrivacyZones { sharing.zones }

    /// The level at which strangers may know the newest position.
    var publicLevel: Int {
        get { Int(level) }
        set { level = Int8(newValue) }
    }

    var person: Person { record.value }

    /// Where the person is, as they and services know it; nil for who never sent a position.
    var position: Position? { last.map { Position($0, live) } }

    /// The cell by which strangers may find the person: that of the newest position, else of the city.
    ///
    /// It is never worked out from a position: the cell was recorded with it, and what is in force is that or a coarser one.
    var publicCell: CubeCell? { last.map { $0.publicCell.ancestor(publicLevel) } ?? traces.homeCell }

    /// Where this person stands to another.
    func friendship(with other: PersonNumber) -> FriendshipState {
        if ties.friends.contains(other) { return .friends }
        if ties.asked.contains(other) { return .asked }
        return ties.askedBy.contains(other) ? .pending : .none
    }

    mutating func note(_ attribute: FriendAttribute, _ text: String?, about friend: PersonNumber) {
        ties.notes[attribute, default: [:]][friend] = text
        if ties.notes[attribute]?.isEmpty ?? false { ties.notes[attribute] = nil }
    }

    func isSeparated(from other: PersonNumber) -> Bool {
        ties.blocks.contains(other) || ties.blockedBy.contains(other)
    }
}

extension People {
    func throttle(of number: PersonNumber) -> ThrottleOverride? { reading(number) { $0.person.throttle } }
    func retention(of number: PersonNumber) -> Duration? { reading(number) { $0.person.retention } }
    func terms(of number: PersonNumber) -> SharingTerms? { reading(number) { $0.terms } }
    func privacyZones(of number: PersonNumber) -> PrivacyZones? { reading(number) { $0.privacyZones } }
}
