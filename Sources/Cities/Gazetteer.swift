internal import Algorithms
internal import Foundation
internal import GazetteerData
public import Geo
internal import Model

/// A city of GeoNames.
public struct City: Hashable, Sendable {
    /// The name in GeoNames, with accents.
    public var name: String
    /// ISO 3166-1 alpha-2.
    public var country: String
    /// The position in GeoNames.
    public var coordinate: Coordinate
    /// The number of inhabitants in GeoNames.
    public var population: Int
    /// The IANA time zone.
    public var timezone: String
}

/// A city in a search result.
public struct CityNearby: Hashable, Sendable {
    /// The city.
    public var city: City
    /// Geodesic distance in tenths of a meter; nil for a city found by name.
    public var decimetres: Int64?

    /// Creates a result with a city and its distance; nil for a search by name.
    public init(city: City, decimetres: Int64?) {
        self.city = city
        self.decimetres = decimetres
    }
}

/// The cities of the world with more than 15,000 inhabitants (GeoNames, CC BY 4.0), embedded in the program.
///
/// The process has one table, which both copies of the live state refer to.
public final class Gazetteer: Sendable {
    private let cities: [City]
    /// The cities of a folded name, most populous first.
    private let byName: [String: [Int32]]
    /// The folded names, sorted by bytes.
    private let names: [String]
    private let grid: Grid
    private let ids: Identifiers

    /// Parses the embedded table.
    ///
    /// - Precondition: the table is complete, as the tests check.
    public init() {
        var length = 0
        let start = cerca_cities(&length)
        // Parsing bytes avoids decoding multi-byte letters; it accounts for most of the startup time.
        let text = String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self).utf8
        var cities: [City] = []
        var byName: [String: [Int32]] = [:]
        var grid = Grid()
        var ids = Identifiers()
        for line in text.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let fields = Self.fields(line)
            guard fields.count == 8, let latitude = fields[4].decimalNumber,
                let longitude = fields[5].decimalNumber,
                let coordinate = try? Coordinate(latitude: latitude, longitude: longitude),
                let population = Int(fields[6])
            else { preconditionFailure("the table of cities is damaged: \(Substring(line))") }
            let number = Int32(cities.count)
            cities.append(
                City(
                    name: fields[1], country: fields[2], coordinate: coordinate, population: population,
                    timezone: fields[7]))
            byName[PlainText.of(fields[1]), default: []].append(number)
            grid.upsert(number, at: coordinate, signature: 1)
            _ = ids.insert(fields[0])
        }
        for name in byName.keys {
            byName[name]?.sort { cities[Int($0)].population > cities[Int($1)].population }
        }
        self.cities = cities
        self.byName = byName
        names = byName.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.grid = grid
        self.ids = ids
    }

    /// The most populous city of a name, in a country if the name ends with its code (`Valencia, VE`).
    ///
    /// Case and accents are ignored. The result is nil for an unknown name.
    public func city(named name: String) -> City? { cities(named: name).first }

    /// All cities of a name, most populous first.
    package func cities(named name: String) -> [City] {
        if let numbers = byName[PlainText.of(name)] ?? byName[PlainText.of(name.trimmingCharacters(in: .whitespaces))] {
            return numbers.map { cities[Int($0)] }
        }
        guard let comma = name.lastIndex(of: ",") else { return [] }
        let first = name[..<comma].trimmingCharacters(in: .whitespaces)
        let country = name[name.index(after: comma)...].trimmingCharacters(in: .whitespaces).uppercased()
        return (byName[PlainText.of(first)] ?? []).map { cities[Int($0)] }.filter { $0.country == country }
    }

    /// Whether a city of one of the countries lies within `metres` meters of a place.
    package func hasCity(of countries: Set<String>, within metres: Double, of place: Coordinate) -> Bool {
        var query = NearestQuery(limit: 1)
        query.within = metres
        let answer = grid.nearest(query, to: place, ids: ids) { city, _ in
            countries.contains(cities[Int(city)].country)
        }
        return !answer.neighbours.isEmpty
    }

    /// The city nearest to a place.
    public func city(nearestTo place: Coordinate) -> City {
        let answer = grid.nearest(NearestQuery(limit: 1), to: place, ids: ids)
        return cities[Int(answer.neighbours[0].handle)]
    }

    /// The most populous city within a distance, in meters, of a place; nil if there is none.
    ///
    /// - Complexity: O(cities there).
    package func mostPopulousCity(within metres: Double, of place: Coordinate) -> City? {
        var query = NearestQuery(limit: .max)
        query.within = metres
        return grid.nearest(query, to: place, ids: ids).neighbours.map { cities[Int($0.handle)] }
            .max { $0.population < $1.population }
    }

    /// The cities whose name begins with a text, ignoring case and accents, most populous first.
    ///
    /// - Complexity: O(log cities + n log n), with n matching cities.
    public func cities(beginningWith text: String, limit: Int) -> [City] {
        let beginning = PlainText.of(text)
        let first = names.partitioningIndex { !$0.utf8.lexicographicallyPrecedes(beginning.utf8) }
        let matching = names[first...].prefix { $0.utf8.starts(with: beginning.utf8) }
        let found = matching.flatMap { byName[$0] ?? [] }.map { cities[Int($0)] }
        return Array(
            found.sorted { a, b in
                (-a.population, a.coordinate.latitudeE7) < (-b.population, b.coordinate.latitudeE7)
            }.prefix(limit))
    }

    /// The cities nearest to a place, nearest first.
    public func cities(nearestTo place: Coordinate, limit: Int) -> [CityNearby] {
        let from = Origin(place)
        return grid.nearest(NearestQuery(limit: limit), to: place, ids: ids).neighbours.map { neighbour in
            CityNearby(city: cities[Int(neighbour.handle)], decimetres: from.decimetres(to: neighbour.place))
        }
    }

    /// All cities.
    package var all: [City] { cities }

    /// The number of cities.
    public var count: Int { cities.count }

    /// The fields of a CSV line without line breaks in quotes.
    private static func fields(_ line: Substring.UTF8View) -> [String] {
        let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
        guard line.contains(quote) else {
            return line.split(separator: comma, omittingEmptySubsequences: false).map { String(Substring($0)) }
        }
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line {
            switch byte {
            case quote: isQuoted.toggle()
            case comma where !isQuoted: fields.append([])
            default: fields[fields.count - 1].append(byte)
            }
        }
        return fields.map { String(decoding: $0, as: UTF8.self) }
    }
}
