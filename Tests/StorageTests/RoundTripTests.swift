import Foundation
import GRDB
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test("Documents round-trip") func documents() async throws {
        var ana = Person(id: try ID("ana"))
        ana.name = "Ana María"
        ana.born = CalendarDate(year: 1997, month: 3, day: 13)
        ana.sex = .female
        ana.relationship = .single
        ana.attributes = [
            "shoe_size": .text("EU:37"), "tall": .flag(true), "height": .number(1.7), "likes": .list(["a", "b"]),
        ]
        ana.isDiscoverable = true
        ana.throttle = ThrottleOverride(distance: 50, interval: .milliseconds(1500))
        var shop = Place(id: try ID("shop"), kind: "store", name: "Zapatería \"Sol\"")
        shop.coordinate = try place(39.47, -0.376)
        shop.tags = ["a", "b"]
        shop.owner = ana.id
        shop.attributes = ["floor": .number(2)]
        var shoe = Product(id: try ID("shoe"), name: "Pump")
        shoe.colors = ["red"]
        shoe.attributes = ["heel": .number(9.5), "care": .list(["wax"]), "vegan": .flag(false)]
        shoe.sizes = ["EU:37", "EU:37.5"].compactMap { ProductSize($0) }
        shoe.price = Currency("eur").map { Money(minor: 5990, currency: $0) }
        ana.isSearchable = false
        ana.isSearchableByEmail = true
        ana.tokensNotBefore = Timestamp(milliseconds: 1_795_168_800_000)
        ana.sharing = Sharing(.city)
        ana.sharing.pausedUntil = Timestamp(milliseconds: 1_795_168_800_001)
        ana.sharing.timetable = ZonedHours(hours: "Mo-Fr 09:00-18:00", timezone: "Europe/Madrid")
        ana.sharing.zones = [
            PrivacyZone(id: try ID("home"), centre: try place(39.4699001, -0.3763), radius: 300.5)
        ]
        let cell = CubeCell(containing: try place(39.47, -0.376), level: 13)
        let records = (
            Versioned(number: 4, revision: 77, value: ana), Versioned(number: 2, revision: 78, value: shop),
            Versioned(number: 9, revision: 79, value: shoe)
        )
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let sizes = shoe.sizes.map { SizeQuantity(size: $0, quantity: 3) }
            try await store.commit([
                .people(.put(records.0)), .people(.homeCell(person: 4, cell)), .catalogue(.place(records.1)),
                .catalogue(.product(records.2, made: Timestamp(milliseconds: 5))),
                .catalogue(.stock(store: 2, product: 9, price: shoe.price, sizes: sizes)),
            ])
            try store.close()
            let again = try Store(folder: folder)
            try again.forEachPerson { record, home, _ in
                #expect(record.number == 4 && record.revision == 77 && record.value == ana && home == cell)
            }
            try again.forEachPlace { #expect($0.number == 2 && $0.revision == 78 && $0.value == shop) }
            try again.forEachProduct { record, made in
                #expect(record.number == 9 && record.revision == 79 && record.value == shoe && made.milliseconds == 5)
            }
            var stock = 0
            try again.forEachStockItem { store, product, price, quantities in
                #expect(store == 2 && product == 9 && price == shoe.price && quantities == sizes)
                stock += 1
            }
            #expect(stock == 1)
            try again.close()
        }
    }

    /// SpatiaLite itself writes equal bytes and reads ours.
    @Test("Points have SpatiaLite's format") func points() async throws {
        var random = SeededGenerator(seed: 3)
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let places = (0..<500).map { _ in random.place() }
            try await store.commit([try person(0, "ana")])
            try await store.commit(
                places.enumerated().map { .pings(.stored(ping(0, at: Int64($0.offset), $0.element))) })
            _ = try await store.compact()
            let (wrong, known) = try store.inspect { db in
                (
                    try Int.fetchOne(
                        db,
                        sql: """
                            SELECT count(*) FROM pings WHERE position IS NOT MakePoint(ST_X(position), ST_Y(position), 4326)
                            """),
                    try Row.fetchAll(db, sql: "SELECT ST_Y(position), ST_X(position) FROM pings ORDER BY time_ms")
                        .map { [$0[0] as Double, $0[1] as Double] }
                )
            }
            #expect(wrong == 0)
            #expect(known == places.map { [$0.latitude, $0.longitude] })
            let read = try await store.pings(
                of: 0, in: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 1000), limit: 1000)
            #expect(read.items.map(\.place) == places)
            try store.close()
        }
    }

    @Test("Calendar dates and ages agree with Foundation") func dates() {
        var random = SeededGenerator(seed: 4)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for _ in 0..<1000 {
            let instant = Timestamp(milliseconds: Int64(random.integer(-2_000_000_000_000...4_000_000_000_000)))
            let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let day = CalendarDate(instant)
            #expect(day == CalendarDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0))
            #expect(day.flatMap { CalendarDate($0.description) } == day)
            #expect(day?.daysSinceEpoch == Int((Double(instant.milliseconds) / 86_400_000).rounded(.down)))
        }
        #expect(
            CalendarDate("2023-02-29") == nil && CalendarDate("2024-02-29") != nil && CalendarDate("24-02-29") == nil)
        let leap = CalendarDate("2004-02-29")
        #expect(CalendarDate("2022-02-28").flatMap { leap?.age(on: $0) } == 17)
        #expect(CalendarDate("2022-03-01").flatMap { leap?.age(on: $0) } == 18)
    }

    @Test(
        "Ids are 1 to 128 printable ASCII characters, and no dots that clients remove from paths",
        arguments: [
            ("ana", nil), ("way/123:é", IDError.character), ("", .empty), ("a b", .character), ("a\n", .character),
            (".", .dots), ("..", .dots), ("...", nil), (".a", nil),
            (String(repeating: "x", count: 129), .tooLong(129)), (String(repeating: "x", count: 128), nil),
        ])
    func validIDs(text: String, expected: IDError?) {
        do {
            _ = try PersonID(text)
            #expect(expected == nil)
        } catch { #expect(error == expected) }
    }
}
