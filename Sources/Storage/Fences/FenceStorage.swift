internal import Foundation
internal import GRDB
internal import Geo
public import Model

extension FenceColumns {
    /// Computes the columns of a fence.
    public init(_ fence: Fence) throws {
        let area = AreaBlob.encode(fence.area)
        var fence = fence
        if area != nil { fence.area = .anywhere }
        self.init(document: try ColumnText.json(fence), area: area.map { (Array($0.geometry), $0.within) })
    }
}

extension Fence {
    /// The approximate cost of encoding the names and corners, in steps of `WorkBudget`.
    package var stepsOfWriting: Int {
        let names = if case .people(let names) = watched { names.count } else { 0 }
        let corners =
            switch area {
            case .polygons(let polygons): polygons.reduce(0) { $0 + $1.vertexCount }
            case .corridor(let line, _): line.count
            case .circle, .place, .places, .person, .anywhere: 0
            }
        return 20 * names + 5 * corners
    }
}

extension Transaction {
    func write(_ change: FenceChange) throws {
        switch change {
        case .put(let record, _, let columns?): try write(record, columns)
        case .put(let record, _, nil):
            WorkBudget.count(record.value.stepsOfWriting)
            try write(record, FenceColumns(record.value))
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
        case .watchEnded(let fence, let person):
            for table in ["fence_watches", "fence_visits"] {
                try run("DELETE FROM \(table) WHERE fence = ? AND person = ?", [fence, person])
            }
        case .alertDue, .passed, .asked: break
        }
    }

    private func write(_ record: Versioned<Fence>, _ columns: FenceColumns) throws {
        try run(
            """
            INSERT INTO fences (number, id, owner, revision, document, area, area_within_m)
            VALUES (?, ?, (SELECT number FROM people WHERE id = ?), ?, ?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET (revision, document, area, area_within_m)
                = (excluded.revision, excluded.document, excluded.area, excluded.area_within_m)
            """,
            [
                record.number, record.value.id.text, record.value.owner?.text, record.revision, columns.document,
                columns.area.map { Data($0.geometry) }, columns.area?.within,
            ])
    }
}

extension Store {
    /// Calls `body` with each fence.
    public func forEachFence(_ body: (Versioned<Fence>) throws -> Void) throws(StorageError) {
        try forEach("\(Self.fences) ORDER BY number") { row in
            let fence: Fence
            do { fence = try Self.fence(row) } catch {
                throw StorageError.damaged("fence \(row[0] as Int64): \(DatabaseFile.words(for: error))")
            }
            try body(Versioned(number: try row.integer(0), revision: row[1], value: fence))
        }
    }

    static let fences = "SELECT number, revision, document, area, area_within_m FROM fences"

    static func fence(_ row: Row) throws -> Fence {
        var fence: Fence = try ColumnText.value(row[2])
        if let geometry = row[3] as Data? { fence.area = try AreaBlob.decode(geometry, within: row[4]) }
        guard (fence.area == .anywhere) == (fence.silence != nil) else { throw StorageError.damaged("no area") }
        return fence
    }

    /// Calls `body` with each visit of a fence, and with each consent to a friend's fence.
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

extension Schema {
    /// Moves the areas of fences out of their documents, into the format of the places' areas.
    @Sendable static func addFenceAreas(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE fences ADD COLUMN area BLOB;
                ALTER TABLE fences ADD COLUMN area_within_m REAL CHECK (area_within_m >= 0);
                """)
        // Numbers first, so that no statement reads the table while rows change.
        let select = "SELECT document FROM fences WHERE number = ?"
        for number in try Int64.fetchAll(db, sql: "SELECT number FROM fences") {
            let found = try String.fetchOne(db, sql: select, arguments: [number])
            guard let found else { continue }
            let columns = try FenceColumns(ColumnText.value(found))
            guard let area = columns.area else { continue }
            try db.execute(
                sql: "UPDATE fences SET (document, area, area_within_m) = (?, ?, ?) WHERE number = ?",
                arguments: [columns.document, Data(area.geometry), area.within, number])
        }
    }
}
