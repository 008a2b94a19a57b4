public import Model
internal import Storage

/// A person's history, read some pings at a time while others write; nothing is held between two pieces but a few of them.
public struct HistoryReader: Sendable {
    /// How many pings a transaction reads at most; few, for many may read slowly at the same time.
    private static let size = 2_000

    private let live: Live
    private let number: PersonNumber
    private let query: HistoryQuery
    private let seen: PingKey?
    private var start: HistoryStart
    private var lines: HistoryLines
    private var isOver = false

    fileprivate init(_ live: Live, _ query: HistoryQuery, after position: HistoryPosition?) throws(Refusal) {
        self.live = live
        self.query = query
        number = try live.number(of: query.person)
        lines = HistoryLines(query)
        seen = position?.last
        start = position?.start ?? .beginning
    }

    /// The next pings, at least one; nil at the end.
    ///
    /// - Throws: ``StorageError``.
    public mutating func next() async throws(StorageError) -> [HistoryPoint]? {
        while !isOver {
            let rows = try await live.pings(of: number, in: query.times, from: start, limit: Self.size)
            if let last = rows.items.last { start = .after(last.key) }
            isOver = rows.isLast
            var points: [HistoryPoint] = []
            for ping in rows.items { lines.take(ping, &points) }
            if isOver { lines.finish(&points) }
            if let seen { points.removeAll { $0.ping.key <= seen } }
            if !points.isEmpty { return points }
        }
        return nil
    }
}

extension Live {
    /// A person's history, from its beginning or a place in it.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func history(_ query: HistoryQuery, after position: HistoryPosition? = nil) throws(Refusal) -> HistoryReader
    {
        try HistoryReader(self, query, after: position)
    }
}
