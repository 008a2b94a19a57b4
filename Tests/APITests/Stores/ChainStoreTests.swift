import API
import Cities
import Discovery
import Foundation
import Geo
import Hours
import Interchange
import Model
import Storage
import TestSupport
import Testing

/// The nearest real stores, and made-up ones, compared with a scan of all.
@Suite struct ChainStoreTests {
    private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../../../data/sample")

    @Test("The nearest stores to cities worldwide agree with a brute-force scan") func bruteForce() async throws {
        try await withServer { server in
            var all: [(place: Place, coordinate: Coordinate)] = []
            for name in ["stores-bestbuy", "stores-shoes"] {
                let file = try Data(contentsOf: Self.sample.appending(path: "\(name).csv"))
                var session = ImportSession(.places, .csv, into: server.engine, now: { morning })
                try await session.read(file)
                _ = try await session.finish()
            }
            try server.store.forEachPlace { record in
                if let coordinate = record.value.coordinate { all.append((record.value, coordinate)) }
            }
            #expect(all.count == 1367)
            let cities = gazetteer.all
            #expect(cities.count == gazetteer.count)
            let opening = OpeningQuery(at: morning)
            for category in [nil, "shoes", "electronics"] {
                let some = all.filter { category == nil || $0.place.category == category }
                #expect(!some.isEmpty, "\(category ?? "")")
                var filter = PlaceFilter()
                filter.kind = "store"
                filter.categories = category.map { [$0] } ?? []
                for city in stride(from: 0, to: cities.count, by: 331).map({ cities[$0] }) {
                    let expected = some.map { store in
                        (micrometres: Geodesic.micrometres(from: city.coordinate, to: store.coordinate), store.place.id)
                    }.sorted { $0 < $1 }.prefix(3).map(\.1)
                    let page = server.engine.read { [filter] in
                        NearestPlaces(to: city.coordinate, filter, opening, NearestQuery(limit: 3)).whole(in: $0).page
                    }
                    #expect(page.items.map(\.place.value.id) == expected, "\(city.name), \(category ?? "any")")
                }
            }
        }
    }
}
