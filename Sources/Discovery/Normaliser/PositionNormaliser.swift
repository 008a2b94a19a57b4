internal import Foundation
internal import Geo

/// Puts the positions of places right, where that can be done without inventing them.
public struct PositionNormaliser: Sendable {
    private let gazetteer: Gazetteer

    /// How far a place may lie from the middle of the city that it names.
    private static let cityRadius = 100_000.0

    /// A normaliser that knows the cities of a gazetteer.
    public init(gazetteer: Gazetteer) { self.gazetteer = gazetteer }

    /// The texts of a position, put right.
    public struct Result: Sendable {
        /// Degrees as text; nil for a place that is kept without a position.
        public var latitude, longitude: String?
        /// What was changed, guessed and left out.
        public var remarks: [Remark] = []
    }

    /// Normalises a position given as texts, of a place that may name a city and a country (ISO 3166-1 alpha-2).
    ///
    /// 0, 0 is no position. Latitude and longitude are exchanged only if they are impossible as they stand and the city or
    /// the country agrees with them exchanged. What is impossible otherwise is left as it is, to be refused.
    public func normalised(latitude: String?, longitude: String?, city: String?, country: String?) -> Result {
        var result = Result(latitude: latitude, longitude: longitude)
        guard let latitude = Self.number(latitude), let longitude = Self.number(longitude) else { return result }
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
        if let place = try? Coordinate(latitude: latitude.value, longitude: longitude.value) {
            if agrees(place, city, country) == false {
                let near = gazetteer.city(nearestTo: place)
                result.remarks.append(
                    Remark("lat", .guessed, "lies near \(near.name), \(near.country), which the address is not; kept"))
            }
            return result
        }
        guard let exchanged = try? Coordinate(latitude: longitude.value, longitude: latitude.value),
            agrees(exchanged, city, country) == true
        else { return result }
        result.latitude = longitude.text
        result.longitude = latitude.text
        result.remarks.append(
            Remark("lat", .guessed, "was exchanged with lon: only so it is possible, and agrees with the address"))
        return result
    }

    /// Whether a place lies near the city, or else in the country, that its address names; nil if it names none known.
    private func agrees(_ place: Coordinate, _ city: String?, _ country: String?) -> Bool? {
        let code = country?.trimmingCharacters(in: .whitespaces).uppercased()
        let name = [city, code?.count == 2 ? code : nil].compactMap(\.self).joined(separator: ", ")
        if city != nil, let known = gazetteer.city(named: name),
            Geodesic.distance(from: place, to: known.coordinate) <= Self.cityRadius
        {
            return true
        }
        // Of cities with the same name the gazetteer tells the largest only: another may be meant.
        guard let code, code.count == 2 else { return nil }
        return gazetteer.city(nearestTo: place).country == code
    }

    private static func number(_ text: String?) -> (value: Double, text: String, hadComma: Bool)? {
        guard let text else { return nil }
        let hasComma = text.contains(",") && !text.contains(".")
        let plain = hasComma ? text.replacing(",", with: ".") : text
        guard let value = Double(plain), value.isFinite else { return nil }
        return (value, plain, hasComma)
    }
}
