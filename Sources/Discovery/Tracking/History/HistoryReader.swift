public import Model
internal import Storage

/// A reader of a person's history in pages during writes, which holds only a few pings between pages.
public struct HistoryReader: Sendable {
    /// Maximum number of pings per transaction; few, because many slow readers may run concurrently.
    private static let size = 2_000

    private let engine: Engine
    private let number: PersonNumber
    private let query: HistoryQuery
    private let seen: PingKey?
    private var start: HistoryStart
    private var lines: HistoryLines
    private var isOver = false

    fileprivate init(_ engine: Engine, _ query: HistoryQuery, after position: HistoryPosition?) throws(Refusal) {
        self.engine = engine
        self.query = query
        number = try engine.number(of: query.person)
        lines = HistoryLines(query)
        seen = position?.last
        start = position?.start ?? .beginning
    }

    /// Returns the next pings, at least one; nil at the end.
    ///
    /// - Throws: ``StorageError``.
    public mutating func next() async throws(StorageError) -> [HistoryPoint]? {
        while !isOver {
            let rows = try await engine.pings(of: number, in: query.times, from: start, limit: Self.size)
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

extension Engine {
    /// A reader of a person's history, from the beginning or after a cursor.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func history(_ query: HistoryQuery, after position: HistoryPosition? = nil) throws(Refusal) -> HistoryReader
    {
        try HistoryReader(self, query, after: position)
    }
}
