internal import GRDB
public import Model

/// Fences, and who is inside.
extension Transaction {
    func write(_ change: FenceChange) throws {
        switch change {
        case .put(let record, _): try write(record)
        case .deleted(let number): try run("DELETE FROM fences WHERE number = ?", [number])
        case .visited(let fence, let person, let visit):
            try run(
                "INSERT OR REPLACE INTO fence_visits (fence, person, since_ms, is_dwelling) VALUES (?, ?, ?, ?)",
                [fence, person, visit.since.milliseconds, visit.isDwelling])
        case .left(let fence, let person):
            try run("DELETE FROM fence_visits WHERE fence = ? AND person = ?", [fence, person])
        case .watched(let fence, let person, let watch):
            try run(
                "INSERT OR REPLACE INTO fence_watches (fence, person, state, asked_ms, answered_ms) VALUES (?, ?, ?, ?, ?)",
                [fence, person, watch.state.rawValue, watch.asked.milliseconds, watch.answered?.milliseconds])
        case .unwatched(let fence, let person):
            for table in ["fence_watches", "fence_visits"] {
                try run("DELETE FROM \(table) WHERE fence = ? AND person = ?", [fence, person])
            }
        case .awaited, .passed: break
        }
    }

    private func write(_ record: Versioned<Fence>) throws {
        try run(
            """
            INSERT INTO fences (number, id, owner, revision, document)
            VALUES (?, ?, (SELECT number FROM people WHERE id = ?), ?, ?)
            ON CONFLICT (number) DO UPDATE SET (revision, document) = (excluded.revision, excluded.document)
            """,
            [
                record.number, record.value.id.text, record.value.owner?.text, record.revision,
                try ColumnText.json(record.value),
            ])
    }
}

extension Store {
    /// Calls `body` with each fence.
    public func forEachFence(_ body: (Versioned<Fence>) throws -> Void) throws(StorageError) {
        try forEach("SELECT number, revision, document FROM fences ORDER BY number") { row in
            let fence: Fence
            do { fence = try ColumnText.value(row[2]) } catch {
                throw StorageError.damaged("fence \(row[0] as Int64): \(error)")
            }
            try body(Versioned(number: try row.integer(0), revision: row[1], value: fence))
        }
    }

    /// Calls `body` with each stay in a fence, and each person about whom a friend has a fence.
    public func forEachVisit(_ body: (FenceChange) throws -> Void) throws(StorageError) {
        try forEach("SELECT fence, person, since_ms, is_dwelling FROM fence_visits ORDER BY fence, person") { row in
            var visit = FenceVisit(since: try row.timestamp(2))
            visit.isDwelling = row[3]
            try body(.visited(row.integer(0), row.integer(1), visit))
        }
        try forEach("SELECT fence, person, state, asked_ms, answered_ms FROM fence_watches") { row in
            guard let state = FenceWatch.State(rawValue: row[2]) else {
                throw StorageError.damaged("a fence's consent")
            }
            var watch = FenceWatch(asked: try row.timestamp(3))
            (watch.state, watch.answered) = (state, (row[4] as Int64?).map { Timestamp(milliseconds: $0) })
            try body(.watched(row.integer(0), row.integer(1), watch))
        }
    }
}
