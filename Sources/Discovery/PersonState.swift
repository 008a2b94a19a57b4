internal import Geo
internal import Storage

/// All that the live picture holds about one person.
struct PersonState: Sendable {
    var record: Shared<Record<Person>>
    /// The newest stored position.
    var last: Waypoint?
    /// The cell of the person's city.
    var homeCell: CubeCell?
    /// Stored positions that are not in the table of pings yet, by time.
    var tail: [LoggedPing] = []
    var friends = SortedNumbers()
    /// People this person asked, and people who asked this person.
    var asked = SortedNumbers()
    var askedBy = SortedNumbers()
    var blocks = SortedNumbers()
    var blockedBy = SortedNumbers()
    var likes = SortedNumbers()
    var dislikes = SortedNumbers()

    init(_ record: Record<Person>) { self.record = Shared(record) }

    var person: Person { record.value.value }

    /// The cell by which strangers may find the person: that of the newest position, else of the city.
    var publicCell: CubeCell? { last?.publicCell ?? homeCell }

    /// Where this person stands to another.
    func friendship(with other: Int32) -> FriendshipState {
        if friends.contains(other) { return .friends }
        if asked.contains(other) { return .asked }
        return askedBy.contains(other) ? .pending : .none
    }

    /// Whether either of the two blocked the other.
    func isSeparated(from other: Int32) -> Bool { blocks.contains(other) || blockedBy.contains(other) }
}

/// A stored ping with the number of the log row that holds it.
struct LoggedPing: Sendable {
    var ping: StoredPing
    var logNumber: Int64
}
