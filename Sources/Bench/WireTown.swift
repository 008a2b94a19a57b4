internal import AsyncHTTPClient
internal import Foundation
internal import Geo
internal import NIOHTTP1

/// The synthetic world of `tools/bench wire`, and its requests.
struct WireTown {
    let places: Int
    let people: Int
    private let work: Work
    /// Number of different requests per kind.
    private static let questions = 5_000
    private static let products = 1_000
    /// One in this many people has friends.
    private static let sociable = 10

    init(places: Int, people: Int, seed: UInt64) throws {
        (self.places, self.people) = (places, people)
        work = try Work(seed: seed)
    }

    /// Loads everything with the command line program.
    func load(into data: URL) throws {
        var work = work
        let (stocked, ring) = (places / 10, people / Self.sociable)
        try RunningService.load("places", places, into: data, header: "id,kind,name,lat,lon") { number in
            let place = work.place()
            return "s\(number),store,Place \(number),\(place.latitude),\(place.longitude)"
        }
        try RunningService.load("people", people, into: data, header: "id,name,born,sex,discoverable") { number in
            "p\(number),Person \(number),19\(50 + number % 50)-01-11,\(number % 2 == 0 ? "female" : "male"),true"
        }
        try RunningService.load("pings", people, into: data, header: "person,t,lat,lon,accuracy_m") { number in
            let place = work.place()
            return "p\(number),2026-01-01T00:00:00Z,\(place.latitude),\(place.longitude),10"
        }
        try RunningService.load("friends", ring * 5, into: data, header: "a,b") { number in
            let (a, step) = (number % ring, number / ring + 1)
            return "p\(a * Self.sociable),p\((a + step) % ring * Self.sociable)"
        }
        try RunningService.load("products", Self.products, into: data, header: "id,name,brand") { number in
            "q\(number),Product \(number),Brand \(number % 10)"
        }
        try RunningService.load("stock", stocked * 2, into: data, header: "store,product,price,currency") { number in
            "s\(number / 2 * 10),q\((number * 7 + number / 2) % Self.products),7995,EUR"
        }
    }

    /// The positions of the places, by number.
    var coordinates: [Coordinate] {
        var work = work
        return (0..<places).map { _ in work.place() }
    }

    static let livez = "GET /livez"

    /// The requests by name, each as lines of method, path and body.
    var all: [(name: String, lines: [String])] {
        [
            ("nearest 10 places", nearest(10)), ("nearest 100 places", nearest(100)),
            (
                "nearest 10 stores with a product",
                lines { work in
                    "GET /v1/stores/nearest?product=q\(work.number(below: Self.products))&\(Self.query(work.place()))&limit=10"
                }
            ),
            (
                "nearest friends, of 10",
                lines { work in
                    "GET /v1/people/p\(work.number(below: people / Self.sociable) * Self.sociable)/friends/nearest"
                }
            ),
            ("20 strangers", lines { work in "GET /v1/people/p\(work.number(below: people))/discovery?limit=20" }),
            ("a place's document", lines { work in "GET /v1/places/s\(work.number(below: places))" }),
            (
                "100 queries in one",
                lines { work in
                    let questions = (0..<100).map { _ in
                        let place = work.place()
                        return #"{"nearest":"places","lat":\#(place.latitude),"lon":\#(place.longitude),"limit":10}"#
                    }
                    return "POST /v1/query {\"queries\":[\(questions.joined(separator: ","))]}"
                }
            ),
        ]
    }

    /// Search origins, each with the distance in meters of its tenth nearest place.
    func reaches(_ service: RunningService) async throws -> [(origin: Coordinate, metres: Double)] {
        struct Answer: Decodable {
            struct Item: Decodable { var distance_m: Double }
            var items: [Item]
        }
        var (work, reaches) = (work, [(origin: Coordinate, metres: Double)]())
        for _ in 0..<1000 {
            let origin = work.place()
            let url = "\(service.base)/v1/places/nearest?\(Self.query(origin))&limit=10&fields=distance_m"
            let answer = try await HTTPClient.shared.send(.GET, url).body
            let items = try JSONDecoder().decode(Answer.self, from: Data(answer.utf8)).items
            reaches.append((origin, items.last?.distance_m ?? 0))
        }
        return reaches
    }

    func nearest(_ limit: Int) -> [String] {
        lines { work in "GET /v1/places/nearest?\(Self.query(work.place()))&limit=\(limit)" }
    }

    private func lines(_ line: (inout Work) -> String) -> [String] {
        var work = work
        return (0..<Self.questions).map { _ in line(&work) }
    }

    private static func query(_ place: Coordinate) -> String { "lat=\(place.latitude)&lon=\(place.longitude)" }
}
