import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Areas of places and fences in the database file.
@Suite struct AreaRowTests {
    private static let square: [(longitude: Double, latitude: Double)] = [
        (-180, 10), (-179.9999999, 10), (-179.5, 11.25), (-180, 10),
    ]

    private static func areas() throws -> [(Fence.Area, String)] {
        let hole = try Polygon(rings: [
            [(0, 0), (9, 0), (9, 9), (0, 0)], [(5, 1), (6, 1), (6, 2), (5, 1)],
        ])
        let corner = try Polygon(rings: [square])
        return [
            (.circle(try place(39.47, -0.376), metres: 250.5), "POINT(-0.376 39.47)"),
            (.corridor([try place(0, 180), try place(1, -179.5)], metres: 50), "LINESTRING(180 0, -179.5 1)"),
            (.polygons([hole]), "POLYGON((0 0, 9 0, 9 9, 0 0), (5 1, 6 1, 6 2, 5 1))"),
            (
                .polygons([corner, hole]),
                "MULTIPOLYGON(((-180 10, -180 10, -179.5 11.25, -180 10)), ((0 0, 9 0, 9 9, 0 0), (5 1, 6 1, 6 2, 5 1)))"
            ),
        ]
    }

    @Test("Areas round-trip, and SpatiaLite reads them") func roundTrip() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let areas = try Self.areas()
            try await store.commit(
                areas.enumerated().flatMap { number, area -> [Change] in
                    var place = Place(id: try ID("p\(number)"), kind: "zone", name: "Z")
                    place.area = PlaceArea(area.0)
                    let fence = Fence(id: try ID("f\(number)"), area.0, watching: .everybody)
                    return [
                        .catalogue(.place(Versioned(number: PlaceNumber(number), revision: 1, value: place))),
                        .fences(.put(Versioned(number: FenceNumber(number), revision: 1, value: fence))),
                    ]
                })
            for table in ["places", "fences"] {
                let sql = "SELECT AsWKT(GeomFromWKB(area, 4326), 6) FROM \(table) ORDER BY number"
                let texts = try store.inspect { db in try String.fetchAll(db, sql: sql) }
                #expect(texts.map { $0.replacing(",", with: ", ") } == areas.map(\.1))
            }
            try store.close()
            let again = try Store(folder: folder)
            var read: [Fence.Area?] = []
            try again.forEachPlace { read.append($0.value.area?.shape) }
            #expect(read == areas.map(\.0))
            read = []
            try again.forEachFence { read.append($0.value.area) }
            #expect(read == areas.map(\.0))
            // Removes the area of a place.
            let bare = Place(id: try ID("p0"), kind: "zone", name: "Z")
            try await again.commit([.catalogue(.place(Versioned(number: 0, revision: 2, value: bare)))])
            try again.forEachPlace { if $0.number == 0 { #expect($0.value == bare) } }
            try again.close()
        }
    }

    /// Such a fence keeps its places, if any, in its document and clears its area column.
    @Test("A fence without its own area round-trips") func withoutOwnArea() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var fence = Fence(id: try ID("f"), .circle(try place(39, 0), metres: 5), watching: .everybody)
            var silent = Fence(id: try ID("s"), .anywhere, watching: .everybody)
            (silent.passages, silent.silence) = ([.silent], .seconds(60))
            let other = FenceNumber(1)
            try await store.commit([
                .fences(.put(Versioned(number: 0, revision: 1, value: fence))),
                .fences(.put(Versioned(number: other, revision: 1, value: silent))),
            ])
            fence.area = .places(kind: "zone")
            try await store.commit([.fences(.put(Versioned(number: 0, revision: 2, value: fence)))])
            var read: [Fence] = []
            try store.forEachFence { read.append($0.value) }
            #expect(read == [fence, silent])
            try store.close()
            #expect(try DatabaseFile(folder.appending(path: Store.fileName)).integrity { _, _ in }.faults == [])
        }
    }

    /// In a file of schema 34 each fence is one document.
    @Test("Fences of older files are migrated unchanged") func olderFiles() async throws {
        try await withMigratedFolder { folder in
            try Store(folder: folder).close()
            let documents = [
                #"{"area":{"circle":{"_0":{"latitudeE7":394700000,"longitudeE7":-3760000},"metres":250.5}},"id":{"text":"f"},"#
                    + #""isOnce":false,"passages":["enter"],"watched":{"everybody":{}}}"#,
                #"{"area":{"place":{"_0":{"text":"sol"}}},"id":{"text":"g"},"isOnce":false,"passages":["exit"],"watched":{"everybody":{}}}"#,
            ]
            try await openFile(folder).write { db in
                for column in ["area", "area_within_m"] {
                    try db.execute(sql: "ALTER TABLE fences DROP COLUMN \(column)")
                }
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '35 %'")
                for (number, document) in documents.enumerated() {
                    try db.execute(
                        sql: "INSERT INTO fences (number, id, revision, document) VALUES (?, ?, 1, ?)",
                        arguments: [number, number == 0 ? "f" : "g", document])
                }
            }
            let store = try Store(folder: folder)
            var read: [Fence.Area] = []
            try store.forEachFence { read.append($0.value.area) }
            #expect(read == [.circle(try place(39.47, -0.376), metres: 250.5), .place(try ID("sol"))])
            let areas = try store.inspect { db in
                try String?.fetchAll(db, sql: "SELECT AsWKT(GeomFromWKB(area, 4326), 6) FROM fences ORDER BY number")
            }
            #expect(areas == ["POINT(-0.376 39.47)", nil])
            try store.close()
        }
    }

    @Test(
        "The integrity check names a damaged area",
        arguments: ["places": "'sol'", "fences": "number 0"],
        [
            "area = x'0107'", "area = substr(area, 1, length(area) - 1)", "area_within_m = NULL",
            "area = CAST(area || x'00' AS BLOB)",
        ])
    func damagedArea(of table: (key: String, value: String), damage: String) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let area = Fence.Area.circle(try TestSupport.place(39, 0), metres: 5)
            var place = Place(id: try ID("sol"), kind: "zone", name: "Z")
            place.area = PlaceArea(area)
            let fence = Fence(id: try ID("f"), area, watching: .everybody)
            try await store.commit([
                .catalogue(.place(Versioned(number: 0, revision: 1, value: place))),
                .fences(.put(Versioned(number: 0, revision: 1, value: fence))),
            ])
            try store.close()
            let file = folder.appending(path: Store.fileName)
            #expect(try DatabaseFile(file).integrity { _, _ in }.faults == [])
            try await openFile(folder).write { db in try db.execute(sql: "UPDATE \(table.key) SET \(damage)") }
            let faults = try DatabaseFile(file).integrity { _, _ in }.faults
            #expect(faults.count == 1 && faults[0].hasPrefix("\(table.key): \(table.value): the area"), "\(faults)")
        }
    }

    @Test("The integrity check names a fence that lost its area") func missingArea() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let fence = Fence(id: try ID("f"), .circle(try place(39, 0), metres: 5), watching: .everybody)
            try await store.commit([.fences(.put(Versioned(number: 0, revision: 1, value: fence)))])
            try store.close()
            try await openFile(folder).write { db in try db.execute(sql: "UPDATE fences SET area = NULL") }
            let file = try DatabaseFile(folder.appending(path: Store.fileName))
            #expect(try file.integrity { _, _ in }.faults == ["fences: number 0: no area"])
        }
    }
}
