public import Geo
public import Model
package import Storage

/// A query for the stored pings of a person, and their form.
public struct HistoryQuery: Sendable {
    /// The ID of the person.
    public var person: PersonID
    /// The interval of fix times, half-open.
    public var times: Range<Timestamp>
    /// The area; nil for everywhere.
    public var area: Region?
    /// Maximum distance in meters of a simplified line from the pings it omits; nil for all pings.
    public var tolerance: Double?
    /// Whether pings are joined to a line.
    ///
    /// Lines omit suspect pings; a simplified history is always a line.
    public var isLine = false

    /// A query for all pings of a person in an interval of fix times.
    public init(of person: PersonID, in times: Range<Timestamp>) {
        self.person = person
        self.times = times
    }
}

/// A ping of a history that is read in pages.
public struct HistoryPoint: Sendable {
    /// The ping.
    public var ping: StoredPing
    /// Whether a line is interrupted before this ping, by pings outside the area or a silence longer than
    /// ``HistoryLines/gap``.
    public var startsLine: Bool
    /// The first ping of the block that was simplified together with this one; nil without simplification.
    fileprivate(set) var block: PingKey?

    fileprivate init(ping: StoredPing, startsLine: Bool, block: PingKey? = nil) {
        self.ping = ping
        self.startsLine = startsLine
        self.block = block
    }

    /// The cursor after this ping.
    public var position: HistoryPosition { HistoryPosition(last: ping.key, block: block) }
}

/// A cursor in a history.
public struct HistoryPosition: Hashable, Sendable {
    /// The last ping on the page.
    public var last: PingKey
    /// The first ping of the block that was simplified together with it; nil without simplification.
    public var block: PingKey?

    /// Where reading starts to continue from here; a block to simplify is read again from its start.
    package var start: HistoryStart { block.map { .at($0) } ?? .after(last) }

    /// The cursor after a ping.
    public init(last: PingKey, block: PingKey? = nil) {
        self.last = last
        self.block = block
    }
}

/// A streaming filter that selects pings in an area, and simplifies lines.
///
/// **Lines are simplified in blocks.** Each block of 4,096 pings begins with the last ping of the block before, and is
/// simplified by itself. Its first and last ping are kept, so the tolerance holds for every ping. The cost is at most
/// one ping in 4,095 that a simplification of the whole line would omit. Blocks are counted from the start of the line,
/// and a ``HistoryPosition`` knows its block, so paging does not change the result.
package struct HistoryLines: Sendable {
    /// The longest silence within one line.
    ///
    /// Phones in battery-saving mode report every half hour that they have not moved.
    package static let gap = Duration.seconds(3600)

    private let query: HistoryQuery
    private let block: Int
    /// The end of the last stay.
    private var lastContact: Timestamp?
    /// Whether the next ping starts a line.
    private var isCut = true
    /// The current block of a simplified line.
    private var open: [HistoryPoint] = []

    package init(_ query: HistoryQuery, block: Int = 4_096) {
        self.query = query
        self.block = block
    }

    /// Takes the next ping, and appends the pings that are now known to belong to the result.
    package mutating func take(_ ping: StoredPing, _ points: inout [HistoryPoint]) {
        if query.isLine || query.tolerance != nil {
            if ping.isSuspect { return }
            if let lastContact, ping.time - lastContact > Self.gap { isCut = true }
            lastContact = ping.stay.until
        }
        guard query.area?.contains(ping.place) ?? true else {
            isCut = true
            return
        }
        let point = HistoryPoint(ping: ping, startsLine: isCut)
        isCut = false
        guard query.tolerance != nil else { return points.append(point) }
        if point.startsLine { finish(&points) }
        open.append(point)
        guard open.count == block else { return }
        finish(&points)
        // Already appended as the end of the previous block.
        open = [HistoryPoint(ping: ping, startsLine: false, block: ping.key)]
    }

    /// Appends the simplified rest.
    package mutating func finish(_ points: inout [HistoryPoint]) {
        guard let tolerance = query.tolerance, let first = open.first else { return }
        for index in Simplification.kept(open.map(\.ping.place), tolerance: tolerance) {
            guard index > 0 || first.block == nil else { continue }
            open[index].block = first.ping.key
            points.append(open[index])
        }
        open.removeAll(keepingCapacity: true)
    }
}
