import GRDB
import Storage
import Testing

/// Statements whose parameters are bound one at a time, without GRDB's arguments.
@Suite struct BoundStatementTests {
    @Test("Values of every type round-trip") func roundTrip() throws {
        try DatabaseQueue().write { db in
            try db.execute(
                sql: "CREATE TABLE t (a INTEGER, b INTEGER, c REAL, d REAL, e TEXT, f TEXT, g BLOB, h BLOB, i INTEGER)")
            let insert = try db.cachedStatement(sql: "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for _ in 0..<2 {
                let found = try insert.run(in: db) { parameters in
                    parameters.append(Int32(-7))
                    parameters.append(nil as Int64?)
                    parameters.append(0.5 as Float?)
                    parameters.append(nil as Float?)
                    parameters.append("año")
                    parameters.append("")
                    parameters.append([0, 255] as [UInt8]?)
                    parameters.append(nil as [UInt8]?)
                    parameters.append(true)
                }
                #expect(!found)
            }
            let columns = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map { "quote(\($0))" }.joined(
                separator: " || ' ' || ")
            let rows = try String.fetchAll(db, sql: "SELECT \(columns) FROM t")
            #expect(rows == Array(repeating: "-7 NULL 0.5 NULL 'año' '' X'00FF' NULL 1", count: 2))
        }
    }

    @Test("Unbound parameters are NULL, and a result row is reported") func unbound() throws {
        try DatabaseQueue().write { db in
            let statement = try db.cachedStatement(sql: "SELECT 1 WHERE ?1 = 5 AND ?2 IS NULL")
            #expect(try statement.run(in: db) { $0.append(5) })
            #expect(try !statement.run(in: db) { $0.append(6) })
            #expect(
                try !statement.run(in: db) { parameters in
                    parameters.append(5)
                    parameters.append(5)
                })
            #expect(try statement.run(in: db) { $0.append(5) }, "the second is not that of the last time")
        }
    }

    @Test("A failed statement throws and can be run again") func errors() throws {
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY CHECK (a > 0))")
            let insert = try db.cachedStatement(sql: "INSERT INTO t VALUES (?)")
            #expect(throws: DatabaseError.self) { try insert.run(in: db) { $0.append(-1) } }
            #expect(throws: DatabaseError.self) {
                try insert.run(in: db) { parameters in
                    parameters.append(1)
                    parameters.append(2)
                }
            }
            try insert.run(in: db) { $0.append(3) }
            #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [3])
        }
    }
}
