public import Geo
public import Model
package import Storage

/// Which stored pings of a person are asked for, and as what.
public struct HistoryQuery: Sendable {
    /// Whose.
    public var person: PersonID
    /// Fix times, half-open.
    public var times: Range<Timestamp>
    /// Where; nil for everywhere.
    public var area: Region?
    /// The metres by which a line may leave the pings it passes over; nil for all pings.
    public var tolerance: Double?
    /// Whether pings are joined to a line.
    ///
    /// Suspect ones are no part of it; a simplified history is always a line.
    public var isLine = false

    /// All pings of a person in an interval of fix times.
    public init(of person: PersonID, in times: Range<Timestamp>) {
        self.person = person
        self.times = times
    }
}

/// A ping of a history that is read a piece at a time.
public struct HistoryPoint: Sendable {
    /// The ping.
    public var ping: StoredPing
    /// Whether a line does not lead here from the ping before, because there are pings outside of the area in between, or
    /// because nothing was heard for longer than ``HistoryLines/gap``.
    public var startsLine: Bool
    /// The first ping of the block that was simplified together with this one; nil when nothing is simplified.
    fileprivate(set) var block: PingKey?

    fileprivate init(ping: StoredPing, startsLine: Bool, block: PingKey? = nil) {
        self.ping = ping
        self.startsLine = startsLine
        self.block = block
    }

    /// Where the history goes on after this ping.
    public var position: HistoryPosition { HistoryPosition(last: ping.key, block: block) }
}

/// A place in a history from which it can be gone on with.
public struct HistoryPosition: Hashable, Sendable {
    /// The last ping that was seen.
    public var last: PingKey
    /// The first ping of the block that was simplified together with it; nil when nothing is simplified.
    public var block: PingKey?

    /// What has to be read to go on from here; what was seen already is among it when it is simplified.
    package var start: HistoryStart { block.map { .at($0) } ?? .after(last) }

    /// The place after a ping.
    public init(last: PingKey, block: PingKey? = nil) {
        self.last = last
        self.block = block
    }
}

/// Makes of pings, one after the other, what is asked for: those in the area, and of lines those that are needed.
///
/// **Simplified a block at a time.** A line is cut into blocks of 4,096 pings, of which each begins with the ping that ends the
/// one before, and each is simplified for itself. First and last of a block are kept, so the tolerance holds for every ping;
/// the price is at most one ping in 4,095 that a look at the whole would leave out. Blocks are counted from the beginning of
/// the line, and a ``HistoryPosition`` knows its block: however a history is paged, it has the same pings.
package struct HistoryLines: Sendable {
    /// How long nothing may be heard of somebody within one line.
    ///
    /// Phones that save their battery tell every half an hour that they are still there.
    package static let gap = Duration.seconds(3600)

    private let query: HistoryQuery
    private let block: Int
    /// Until when the person was heard of.
    private var heard: Timestamp?
    /// Whether the next ping begins a line.
    private var isCut = true
    /// Of a line that is simplified: what there is of the block.
    private var open: [HistoryPoint] = []

    package init(_ query: HistoryQuery, block: Int = 4_096) {
        self.query = query
        self.block = block
    }

    /// Takes the next ping, and appends those to `points` of which it is known now that they are needed.
    package mutating func take(_ ping: StoredPing, _ points: inout [HistoryPoint]) {
        if query.isLine || query.tolerance != nil {
            if ping.isSuspect { return }
            if let heard, ping.time - heard > Self.gap { isCut = true }
            heard = ping.stay.until
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
        // Given already, as the end of the block before.
        open = [HistoryPoint(ping: ping, startsLine: false, block: ping.key)]
    }

    /// Appends what is needed of the pings that came last.
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
