package import Discovery
internal import Geo
package import Model

/// Converts the positions in a file of tracks to ping reports.
///
/// Impossible details such as speed are left out, and the position is kept, because one broken detail does not
/// invalidate it. Negative amounts mean unknown.
package struct TrackChecks: Sendable {
    package let person: PersonID
    /// The device of positions that name none.
    package let device: String
    /// The number of positions with a detail left out, by field.
    package private(set) var left: [String: Int] = [:]

    package init(person: PersonID, device: String) {
        self.person = person
        self.device = device
    }

    package var notes: [String] {
        left.sorted { $0.key < $1.key }.map { "\($0.key) was invalid in \($0.value) positions and omitted" }
    }

    /// - Throws: an error of the position.
    package mutating func report(_ point: TrackPoint, at time: Timestamp) throws(FieldError) -> PingReport {
        if let fault = point.fault { throw fault }
        if let person = point.person, person != self.person.text {
            throw FieldError(
                pointer: "/person", code: .mismatch,
                detail: "is '\(person.prefix(40))'; the tracks are of '\(self.person.text)'")
        }
        guard let latitude = point.latitude, let longitude = point.longitude else {
            throw FieldError(
                pointer: point.latitude == nil ? "/lat" : "/lon", code: .required, detail: "is required")
        }
        let place: Coordinate
        do { place = try Coordinate(latitude: latitude, longitude: longitude) } catch { throw error.fieldError("/") }
        var report = PingReport(person: person, device: name(point.device), time: time, place: place)
        // 0 means unknown for receivers.
        report.details.accuracy = amount(point.accuracy == 0 ? nil : point.accuracy, PingRanges.accuracy, "accuracy_m")
        report.details.altitude = amount(point.altitude, PingRanges.altitude, "altitude_m")
        report.details.speed = amount(point.speed, PingRanges.speed, "speed_mps")
        report.details.heading = amount(point.heading, PingRanges.heading, "heading")
        report.details.battery = amount(point.battery, PingRanges.battery, "battery")
        return report
    }

    private mutating func name(_ name: String?) -> String {
        guard let name, !name.isEmpty else { return device }
        guard name.utf8.count <= PingRanges.longestDevice, !name.hasControlCharacter else {
            left["device", default: 0] += 1
            return device
        }
        return name
    }

    private mutating func amount(_ value: Double?, _ range: ClosedRange<Double>, _ name: String) -> Float? {
        guard let value else { return nil }
        if range.contains(value) { return Float(value) }
        if !(value < 0 && range.lowerBound == 0) { left[name, default: 0] += 1 }
        return nil
    }
}
