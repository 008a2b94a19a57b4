internal import Geo
internal import Model
internal import Storage
internal import Structures

/// All that is held in memory about one person, except positions that wait for compaction.
///
/// Two copies exist for each person, so members that most people do not have are in ``BoxedIfNonDefault``.
struct PersonState: Sendable {
    private(set) var record: Versioned<Person>
    /// The newest stored position that is not suspect.
    var last: RecentPing?
    /// The newest believed position, if later than ``last``; it is not part of the history.
    @BoxedIfNonDefault var live: LiveFix?
    private var level = Int8(CellLevels.coarsest)
    /// The origin of the person's searches for strangers, when it was last decided.
    var searchOrigin: SearchOrigin?
    @BoxedIfNonDefault private var sharing: SharingRules
    @BoxedIfNonDefault var traces: Traces
    @BoxedIfNonDefault var ties: Ties

    /// The person's relations to others.
    struct Ties: Equatable, HasDefault {
        static let usual = Ties()
        var friends = SortedNumbers<PersonNumber>()
        /// The start of friendships made since startup, or within a day before the newest friendship at startup.
        var newFriends: [PersonNumber: Timestamp] = [:]
        /// The person's private notes about friends, by the friends' numbers.
        fileprivate(set) var notes: [FriendAttribute: [PersonNumber: String]] = [:]
        /// Outgoing and incoming friend requests.
        var asked = SortedNumbers<PersonNumber>()
        var askedBy = SortedNumbers<PersonNumber>()
        var blocks = SortedNumbers<PersonNumber>()
        var blockedBy = SortedNumbers<PersonNumber>()
        var likes = SortedNumbers<PersonNumber>()
        var dislikes = SortedNumbers<PersonNumber>()

        var isUsual: Bool {
            friends.isEmpty && asked.isEmpty && askedBy.isEmpty && blocks.isEmpty && blockedBy.isEmpty
                && likes.isEmpty && dislikes.isEmpty && notes.isEmpty
        }

        /// Whether another person is a friend, or one of the two has requested the friendship.
        func hasFriendship(with other: PersonNumber) -> Bool {
            friends.contains(other) || asked.contains(other) || askedBy.contains(other)
        }

        mutating func befriend(_ other: PersonNumber, since time: Timestamp?) {
            friends.insert(other)
            newFriends[other] = time
        }

        mutating func endFriendship(with other: PersonNumber) {
            friends.remove(other)
            newFriends[other] = nil
            asked.remove(other)
            askedBy.remove(other)
        }
    }

    /// Inputs of discovery besides the newest position.
    struct Traces: Equatable, HasDefault {
        static let usual = Traces()
        /// The cell of the person's declared city.
        var homeCell: CubeCell?
        /// Since when the person can be found at their place.
        var residence: Residence?
        /// The remembered cells: first cells of privacy zones, then places of stays near cell borders, latest last.
        var rememberedCells: [RememberedCell] = []
    }

    /// The compiled rules for the visibility of the person's position.
    private struct SharingRules: HasDefault {
        static let usual = SharingRules(terms: SharingTerms(Sharing()), zones: PrivacyZones())
        var terms: SharingTerms
        var zones: PrivacyZones

        var isUsual: Bool { terms.isUsual && zones.isEmpty }
    }

    /// A placeholder for unused numbers.
    static let nobody = PersonState(
        Versioned(number: PersonNumber(-1), revision: 0, value: Person(id: ID(known: ""))), nil)

    /// A person with a document only.
    init(_ record: Versioned<Person>, _ zones: SipKey?) {
        self.record = record
        if record.value.sharing != Sharing() { share(zones, SharingTerms(record.value.sharing)) }
    }

    /// Replaces the person's document.
    mutating func take(_ record: Versioned<Person>, _ zones: SipKey?) {
        let isShared = record.value.sharing == person.sharing
        self.record = record
        if !isShared { share(zones, SharingTerms(record.value.sharing, after: terms)) }
    }

    private mutating func share(_ zones: SipKey?, _ terms: SharingTerms) {
        sharing = SharingRules(
            terms: terms, zones: PrivacyZones(person.sharing.zones, of: person.id, zones))
    }

    /// Records that the current sharing settings, or other ones, were in force until an instant.
    mutating func endTerms(_ former: SharingTerms? = nil, at time: Timestamp) {
        sharing.terms.follow(former ?? terms, endedAt: time)
    }

    /// The memory referred to, in bytes, without the document's.
    var bytes: Int {
        let numbers = [
            ties.friends, ties.asked, ties.askedBy, ties.blocks, ties.blockedBy, ties.likes, ties.dislikes,
        ]
        return _live.bytes + _sharing.bytes + _traces.bytes + _ties.bytes + numbers.reduce(0) { $0 + $1.bytes }
    }

    var terms: SharingTerms { sharing.terms }

    var privacyZones: PrivacyZones { sharing.zones }

    /// The finest level at which strangers may see the newest position.
    var publicLevel: Int {
        get { Int(level) }
        set { level = Int8(newValue) }
    }

    var person: Person { record.value }

    /// The position as shown to the person and to services; nil for a person who never sent one.
    var position: Position? { last.map { Position($0, live) } }

    /// The cell by which strangers may find the person, from the newest position or otherwise the city.
    ///
    /// It is never computed from a position: it is the cell recorded with the position, or a coarser one.
    var publicCell: CubeCell? { last.map { $0.publicCell.ancestor(publicLevel) } ?? traces.homeCell }

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
