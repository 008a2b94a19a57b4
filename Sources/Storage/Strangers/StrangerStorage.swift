internal import Foundation
internal import GRDB
internal import Geo
public import Model

extension Transaction {
    func write(_ change: StrangerChange) throws {
        switch change {
        case .searchOrigin(let person, let searchOrigin):
            guard let searchOrigin else { return try run("DELETE FROM discovery_positions WHERE person = ?", [person]) }
            try run(
                "INSERT OR REPLACE INTO discovery_positions (person, moved_ms, position) VALUES (?, ?, ?)",
                [person, searchOrigin.moved.milliseconds, searchOrigin.place.map(PointBlob.encode)])
        case .residence(let person, let residence):
            guard let residence else { return try run("DELETE FROM residences WHERE person = ?", [person]) }
            try run(
                "INSERT OR REPLACE INTO residences (person, cell, since_ms) VALUES (?, ?, ?)",
                [person, Int64(bitPattern: residence.cell.id), residence.since.milliseconds])
        case .rememberedCells(let person, let rememberedCells):
            guard !rememberedCells.isEmpty else {
                return try run("DELETE FROM remembered_places WHERE person = ?", [person])
            }
            let places = RememberedCell.pack(rememberedCells)
            try run("INSERT OR REPLACE INTO remembered_places (person, places) VALUES (?, ?)", [person, places])
        case .levelsMade(let made):
            try run("INSERT OR REPLACE INTO cell_levels (number, made_ms) VALUES (0, ?)", [made.milliseconds])
        case .levels(let since, let denser, let sparser):
            for cell in sparser { try run("DELETE FROM dense_cells WHERE cell = ?", [Int64(bitPattern: cell.id)]) }
            for cell in denser {
                try run(
                    "INSERT OR IGNORE INTO dense_cells (cell, since_ms) VALUES (?, ?)",
                    [Int64(bitPattern: cell.id), since.milliseconds])
            }
        case .levelled: break
        }
    }
}

extension Store {
    /// Calls `body` with each person's search origin.
    public func forEachSearchOrigin(_ body: (_ person: PersonNumber, SearchOrigin) throws -> Void) throws(StorageError)
    {
        try forEach("SELECT person, moved_ms, position FROM discovery_positions") { row in
            try body(try row.integer(0), SearchOrigin(row))
        }
    }

    /// Calls `body` with each person's residence in a neighborhood.
    public func forEachResidence(_ body: (_ person: PersonNumber, Residence) throws -> Void) throws(StorageError) {
        try forEach("SELECT person, cell, since_ms FROM residences") { row in
            try body(try row.integer(0), Residence(cell: CubeCell(row, 1), since: try row.timestamp(2)))
        }
    }

    /// Calls `body` with each person's remembered cells: stays near the border of a cell, and privacy zones.
    public func forEachRememberedCells(_ body: (_ person: PersonNumber, [RememberedCell]) throws -> Void)
        throws(StorageError)
    {
        try forEach("SELECT person, places FROM remembered_places") { row in
            try body(try row.integer(0), try RememberedCell.unpack(row[1]))
        }
    }

    /// The resolution of public cells.
    public func cellLevels() throws(StorageError) -> CellLevels {
        var levels = CellLevels()
        try forEach("SELECT made_ms FROM cell_levels") { row in levels.made = try row.timestamp(0) }
        try forEach("SELECT cell, since_ms FROM dense_cells") { row in
            levels.dense[try CubeCell(row, 0)] = try row.timestamp(1)
        }
        return levels
    }
}

extension DatabaseFile {
    /// Checks that the data of discovery can be decoded.
    static func discovery(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        for (table, read) in [
            ("discovery_positions", { row in _ = try SearchOrigin(row) }),
            ("remembered_places", { row in _ = try RememberedCell.unpack(row[1]) }),
            ("residences", { row in _ = try (CubeCell(row, 1), row.timestamp(2)) }),
            ("dense_cells", { row in _ = try (CubeCell(row, 0), row.timestamp(1)) }),
        ] as [(String, (Row) throws -> Void)] {
            try examine("SELECT * FROM \(table)", &integrity, db, { "\(table): row \($0[0] as Int64)" }, read)
        }
    }
}

extension SearchOrigin {
    fileprivate init(_ row: Row) throws {
        let place = try row.withUnsafeData(atIndex: 2) { data in data.map { $0.withUnsafeBytes(PointBlob.decode) } }
        if case .some(.none) = place { throw StorageError.damaged("not a point in WGS 84") }
        self.init(place: place ?? nil, moved: try row.timestamp(1))
    }
}

extension CubeCell {
    fileprivate init(_ row: Row, _ index: Int) throws {
        guard let cell = CubeCell(id: UInt64(bitPattern: row[index])) else {
            throw StorageError.damaged("a cell that does not exist")
        }
        self = cell
    }
}
