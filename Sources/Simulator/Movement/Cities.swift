internal import Algorithms
internal import CercaClient
internal import Foundation
internal import Geo
internal import Laws

/// The cities where people of the crowd live.
struct Cities: Sendable {
    struct City: Sendable {
        var name: String?
        var place: Coordinate
        var zone: TimeZone
        var population: Int
    }

    /// The share of people in places with difficult geometry: at a pole, or on the 180° meridian.
    private static let remoteness = 0.01
    /// Minimum mean number of people per city.
    private static let fellows = 40
    private static let most = 200
    /// The median distance of homes from the city's center, in meters.
    private static let spread = 4_000.0

    let all: [City]
    private let remote: [City]
    private let weights: [Double]

    init(around place: Coordinate, name: String?, _ zone: TimeZone) {
        self.init([City(name: name, place: place, zone: zone, population: 1)], remote: [])
    }

    private init(_ cities: [City], remote: [City]) {
        all = cities
        self.remote = remote
        var sum = 0.0
        weights = cities.map { city in
            sum += Double(max(1, city.population))
            return sum
        }
    }

    /// The most populous cities of the service, fewer for a small crowd, and two remote places.
    static func fetch(for people: Int, from service: CercaClient) async throws -> Cities {
        var found: [String: City] = [:]
        for letter in "abcdefghijklmnopqrstuvwxyz" {
            let list = try await service.ask(
                Message(.GET, "/v1/cities?q=\(letter)&limit=100"), for: CercaClient.Page<Answers.City>.self)
            for city in list.items {
                guard let place = try? Coordinate(latitude: city.lat, longitude: city.lon),
                    let zone = TimeZone(identifier: city.timezone)
                else { continue }
                let name = "\(city.name), \(city.country)"
                let known = found[name]?.population ?? -1
                if city.population > known {
                    found[name] = City(name: name, place: place, zone: zone, population: city.population)
                }
            }
        }
        let byPopulation = found.sorted { ($1.value.population, $0.key) < ($0.value.population, $1.key) }
        let count = min(most, max(1, people / fellows))
        let ends = try [(-17.8, 179.97), (89.95, 40), (-89.98, -120)].map { lat, lon in
            City(place: try Coordinate(latitude: lat, longitude: lon), zone: .gmt, population: 1)
        }
        return Cities(byPopulation.prefix(count).map(\.value), remote: ends)
    }

    /// The most populous city whose name begins with `name`, such as `Valencia` or `Valencia, US`.
    static func fetch(named name: String, from service: CercaClient) async throws -> Cities? {
        let parts = name.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = parts.first,
            let query = first.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { return nil }
        let list = try await service.ask(
            Message(.GET, "/v1/cities?q=\(query)&limit=100"), for: CercaClient.Page<Answers.City>.self)
        guard let city = list.items.first(where: { parts.count < 2 || $0.country == parts[1].uppercased() }),
            let place = try? Coordinate(latitude: city.lat, longitude: city.lon)
        else { return nil }
        return Cities(around: place, name: "\(city.name), \(city.country)", TimeZone(identifier: city.timezone) ?? .gmt)
    }

    /// A random home, weighted by population; the city's number is equal for people of one city.
    func home(using random: inout SeededGenerator) -> (city: Int, home: Home) {
        let draw = random.fraction()
        if !remote.isEmpty, random.chance(Self.remoteness) {
            let number = random.index(below: remote.count)
            return (all.count + number, Self.home(in: remote[number], using: &random))
        }
        let target = draw * (weights.last ?? 0)
        let number = min(all.count - 1, weights.partitioningIndex { $0 > target })
        return (number, Self.home(in: all[number], using: &random))
    }

    private static func home(in city: City, using random: inout SeededGenerator) -> Home {
        let metres = min(30_000, spread * exp(0.6 * random.normal()))
        let place = Geodesic.destination(from: city.place, bearing: 360 * random.fraction(), metres: metres)
        return Home(place: place, city: city.name, zone: city.zone)
    }
}
