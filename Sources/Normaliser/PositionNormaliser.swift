public import Cities
internal import Foundation
internal import Geo
internal import Model

/// Corrects the positions of places where no data has to be invented.
public struct PositionNormaliser: Sendable {
    private let gazetteer: Gazetteer

    /// Maximum distance in meters from the center of the city in the address.
    private static let cityRadius = 100_000.0
    /// Maximum distance in meters from the nearest city of the country in the address, if a city of another country is
    /// nearer.
    ///
    /// In the north of Maine that distance is 290 km.
    private static let countryRadius = 300_000.0

    /// Creates a normalizer that uses the cities of a gazetteer.
    public init(gazetteer: Gazetteer) { self.gazetteer = gazetteer }

    /// The known parts of a place's address.
    public struct Address: Sendable {
        /// The name of a city; nil if not given.
        public var city: String?
        /// A state, province or region; nil if not given.
        ///
        /// Without a country, a state of the United States implies it.
        public var state: String?
        /// A country by its code or its name in English or Spanish; nil if not given.
        public var country: String?

        /// Creates an address of these parts.
        public init(city: String?, state: String? = nil, country: String?) {
            self.city = city
            self.state = state
            self.country = country
        }
    }

    /// A normalized position.
    public struct Result: Sendable {
        /// Degrees as text; nil if the place is kept without a position.
        public var latitude, longitude: String?
        /// Changes, guesses and removals.
        public var remarks: [Remark] = []
    }

    /// Normalizes a position given as texts, for a place with an address.
    ///
    /// 0, 0 counts as missing. Latitude and longitude are exchanged only if they are invalid and the exchanged pair
    /// agrees with the city or the country, or if they are far from the address and the exchanged pair is near its
    /// city. Other invalid values are left unchanged, so that reading refuses them. A position far from its address is
    /// kept with a remark.
    public func normalised(latitude: String?, longitude: String?, _ address: Address) -> Result {
        var result = Result(latitude: latitude, longitude: longitude)
        if let absent = Self.absent([latitude, longitude].compactMap(\.self)) { return absent }
        guard let latitude = Self.number(latitude) ?? Self.degrees(latitude, isLatitude: true, &result),
            let longitude = Self.number(longitude) ?? Self.degrees(longitude, isLatitude: false, &result)
        else { return Result(latitude: latitude, longitude: longitude) }
        result.latitude = latitude.text
        result.longitude = longitude.text
        func exchange(_ reason: String) {
            (result.latitude, result.longitude) = (longitude.text, latitude.text)
            result.remarks.append(Remark("lat", .guessed, reason))
        }
        if latitude.hadComma || longitude.hadComma {
            result.remarks.append(Remark("lat", .changed, "a decimal comma was read as a point"))
        }
        if latitude.value == 0, longitude.value == 0 {
            result.latitude = nil
            result.longitude = nil
            result.remarks.append(Remark("lat", .dropped, "0, 0 is in the sea: the place is kept without a position"))
            return result
        }
        let exchanged = try? Coordinate(latitude: longitude.value, longitude: latitude.value)
        if let place = try? Coordinate(latitude: latitude.value, longitude: longitude.value) {
            let agrees = agrees(place, address)
            if agrees != true, let city = address.city, let exchanged, isNearCity(exchanged, address) {
                exchange("was swapped with lon: only then it is near \(city.shortened)")
            } else if agrees == false {
                let near = gazetteer.city(nearestTo: place)
                result.remarks.append(
                    Remark("lat", .doubted, "is near \(near.name), \(near.country), unlike the address; kept"))
            }
            return result
        }
        if let exchanged, agrees(exchanged, address) == true {
            exchange("was swapped with lon: only then it is valid, and agrees with the address")
        }
        return result
    }

    /// Whether a place is near a city with the name in its address, or else near its country; nil if the address names
    /// none.
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

    /// The result for texts such as `N/A`, which stand for a missing position; nil for others.
    private static func absent(_ given: [String]) -> Result? {
        guard given.contains(where: isAbsent) else { return nil }
        let position = given.map(\.shortened).joined(separator: ", ")
        let detail = "'\(position)' stands for a missing position: the place is kept without one"
        return Result(remarks: [Remark("lat", .dropped, detail)])
    }

    /// Whether a text such as `N/A` stands for a missing value.
    private static func isAbsent(_ text: String) -> Bool {
        !text.isEmpty && absences.contains(PlainText.words(of: text).joined(separator: " "))
    }

    private static let absences: Set = [
        "", "n a", "na", "n d", "nd", "nan", "none", "null", "nil", "unknown", "sin datos",
    ]

    /// A text in degrees and minutes.
    private static func degrees(
        _ text: String?, isLatitude: Bool, _ result: inout Result
    ) -> (value: Double, text: String, hadComma: Bool)? {
        guard let text, let read = PositionText.degrees(text, isLatitude: isLatitude), let value = read.decimalNumber
        else { return nil }
        result.remarks.append(
            Remark(isLatitude ? "lat" : "lon", .changed, "'\(text.shortened)' was read as \(read) degrees"))
        return (value, read, false)
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
    /// The countries in which the address may be; nil if unknown.
    fileprivate var countries: Set<String>? {
        let isNamed = !(country ?? "").isEmpty
        let code = isNamed ? country.flatMap { Countries.code($0) } : state.flatMap { Countries.code(ofState: $0) }
        return code.map { Countries.family(of: $0) }
    }
}
