public import Cities
internal import Foundation
internal import Geo

/// Puts the positions of places right, where that can be done without inventing them.
public struct PositionNormaliser: Sendable {
    private let gazetteer: Gazetteer

    /// How far a place may lie from the middle of the city that it names.
    private static let cityRadius = 100_000.0
    /// How far a place may lie from the nearest city of its country when one of another country is nearer: in the north of Maine
    /// it is 290 km.
    private static let countryRadius = 300_000.0

    /// A normaliser that knows the cities of a gazetteer.
    public init(gazetteer: Gazetteer) { self.gazetteer = gazetteer }

    /// What is known of where a place should be.
    public struct Address: Sendable {
        /// The name of a city; nil if not given.
        public var city: String?
        /// A state, province or region; nil if not given.
        ///
        /// Without a country one of the United States names it.
        public var state: String?
        /// A country by its code or its name in English or Spanish; nil if not given.
        public var country: String?

        /// An address of these parts.
        public init(city: String?, state: String? = nil, country: String?) {
            self.city = city
            self.state = state
            self.country = country
        }
    }

    /// The texts of a position, put right.
    public struct Result: Sendable {
        /// Degrees as text; nil for a place that is kept without a position.
        public var latitude, longitude: String?
        /// What was changed, guessed and left out.
        public var remarks: [Remark] = []
    }

    /// Normalises a position given as texts, of a place with an address.
    ///
    /// 0, 0 is no position. Latitude and longitude are exchanged only if they are impossible as they stand and the city or
    /// the country agrees with them exchanged, or if they are far from what the address names and exchanged near its city.
    /// What is impossible otherwise is left as it is, to be refused. A position far from what the address names is kept, and
    /// told.
    public func normalised(latitude: String?, longitude: String?, _ address: Address) -> Result {
        var result = Result(latitude: latitude, longitude: longitude)
        guard let latitude = Self.number(latitude), let longitude = Self.number(longitude) else { return result }
        func exchange(_ reason: String) {
            (result.latitude, result.longitude) = (longitude.text, latitude.text)
            result.remarks.append(Remark("lat", .guessed, reason))
        }
        if latitude.hadComma || longitude.hadComma {
            result.latitude = latitude.text
            result.longitude = longitude.text
            result.remarks.append(Remark("lat", .changed, "a decimal comma was read as a point"))
        }
        if latitude.value == 0, longitude.value == 0 {
            result.latitude = nil
            result.longitude = nil
            result.remarks.append(Remark("lat", .dropped, "0, 0 lies in the sea: the place is kept without a position"))
            return result
        }
        let exchanged = try? Coordinate(latitude: longitude.value, longitude: latitude.value)
        if let place = try? Coordinate(latitude: latitude.value, longitude: longitude.value) {
            let agrees = agrees(place, address)
            if agrees != true, let city = address.city, let exchanged, isNearCity(exchanged, address) {
                exchange("was exchanged with lon: only so it is near \(city.shortened)")
            } else if agrees == false {
                let near = gazetteer.city(nearestTo: place)
                result.remarks.append(
                    Remark("lat", .doubted, "lies near \(near.name), \(near.country), which the address is not; kept"))
            }
            return result
        }
        if let exchanged, agrees(exchanged, address) == true {
            exchange("was exchanged with lon: only so it is possible, and agrees with the address")
        }
        return result
    }

    /// Whether a place lies near a city of the name, or else near the country, that its address names; nil if it names none.
    private func agrees(_ place: Coordinate, _ address: Address) -> Bool? {
        if isNearCity(place, address) { return true }
        guard let countries = address.countries else { return nil }
        return countries.contains(gazetteer.city(nearestTo: place).country)
            || gazetteer.hasCity(of: countries, within: Self.countryRadius, of: place)
    }

    private func isNearCity(_ place: Coordinate, _ address: Address) -> Bool {
        guard let city = address.city else { return false }
        let countries = address.countries
        return gazetteer.cities(named: city).contains { known in
            countries?.contains(known.country) ?? true
                && Geodesic.distance(from: place, to: known.coordinate) <= Self.cityRadius
        }
    }

    private static func number(_ text: String?) -> (value: Double, text: String, hadComma: Bool)? {
        guard let text else { return nil }
        let hasComma = text.contains(",") && !text.contains(".")
        let plain = hasComma ? text.replacing(",", with: ".") : text
        guard let value = plain.decimalNumber else { return nil }
        return (value, plain, hasComma)
    }
}

extension PositionNormaliser.Address {
    /// The countries that the address may be in; nil if nobody knows.
    fileprivate var countries: Set<String>? {
        let isNamed = !(country ?? "").isEmpty
        let code = isNamed ? country.flatMap { Countries.code($0) } : state.flatMap { Countries.code(ofState: $0) }
        return code.map { Countries.family(of: $0) }
    }
}
