import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// The areas of places in the file.
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

    @Test func areasAreReadAsTheyWereWrittenAndBySpatiaLiteToo() async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            let areas = try Self.areas()
            try await store.commit(
                areas.enumerated().map { number, area in
                    var place = Place(id: try ID("p\(number)"), kind: "zone", name: "Z")
                    place.area = PlaceArea(area.0)
                    return .catalogue(.place(Versioned(number: PlaceNumber(number), revision: 1, value: place)))
                })
            let texts = try store.inspect { db in
                try String.fetchAll(db, sql: "SELECT AsWKT(GeomFromWKB(area, 4326), 6) FROM places ORDER BY number")
            }
            #expect(texts.map { $0.replacing(",", with: ", ") } == areas.map(\.1))
            try store.close()
            let again = try Store(folder: folder)
            var read: [Fence.Area?] = []
            try again.forEachPlace { read.append($0.value.area?.shape) }
            #expect(read == areas.map(\.0))
            // A place loses its area.
            let bare = Place(id: try ID("p0"), kind: "zone", name: "Z")
            try await again.commit([.catalogue(.place(Versioned(number: 0, revision: 2, value: bare)))])
            try again.forEachPlace { if $0.number == 0 { #expect($0.value == bare) } }
            try again.close()
        }
    }

    @Test(arguments: [
        "UPDATE places SET area = x'0107'", "UPDATE places SET area = substr(area, 1, length(area) - 1)",
        "UPDATE places SET area_within_m = NULL", "UPDATE places SET area = area || x'00'",
    ])
    func aCheckTellsOfADamagedArea(damage: String) async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            var place = Place(id: try ID("sol"), kind: "zone", name: "Z")
            place.area = PlaceArea(.circle(try TestSupport.place(39, 0), metres: 5))
            try await store.commit([.catalogue(.place(Versioned(number: 0, revision: 1, value: place)))])
            try store.close()
            let file = folder.appending(path: Store.fileName)
            #expect(try DatabaseFile(file).integrity { _, _ in }.faults == [])
            try await openFile(folder).write { db in try db.execute(sql: damage) }
            let faults = try DatabaseFile(file).integrity { _, _ in }.faults
            #expect(faults.count == 1 && faults[0].hasPrefix("places: 'sol': the area of a place"), "\(faults)")
        }
    }
}
