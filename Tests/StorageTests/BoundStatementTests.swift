import Foundation
import GRDB
import Testing

@testable import Storage

/// Parameters that are bound one by one are what GRDB's arguments are.
@Suite struct BoundStatementTests {
    @Test func valuesComeBackAsTheyWere() throws {
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
            let rows = try Row.fetchAll(db, sql: "SELECT *, typeof(f) FROM t")
            #expect(rows.count == 2)
            for row in rows {
                #expect(
                    row.databaseValues == [
                        (-7).databaseValue, .null, 0.5.databaseValue, .null, "año".databaseValue, "".databaseValue,
                        Data([0, 255]).databaseValue, .null, 1.databaseValue, "text".databaseValue,
                    ])
            }
        }
    }

    @Test func whatIsNotBoundIsNullAndARowIsTold() throws {
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

    @Test func aRefusalSaysWhy() throws {
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
