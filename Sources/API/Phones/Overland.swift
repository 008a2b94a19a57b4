internal import Foundation
internal import Interchange

/// The batches of Overland (github.com/aaronpk/Overland-iOS): GeoJSON features, oldest first.
enum Overland {
    /// - Throws: ``FormError`` as ``PhoneReading/json(_:)``.
    static func read(_ body: Data) throws(FormError) -> PhoneReading {
        var reading = PhoneReading()
        func take(_ feature: JSON) {
            if feature != .null { reading.take { () throws(Unreadable) in try fix(feature) } }
        }
        let batch = try PhoneReading.json { () throws(FormError) in
            try JSONText.eachItem(of: body, in: "locations", take)
        }
        guard let batch else { return .nothing }
        // With a long queue the newest position accompanies the batch, and is newer than all of it.
        take(batch["current"] ?? .null)
        return reading
    }

    /// A feature's position; nil for trips, and for log entries, which carry an old position with the current time.
    private static func fix(_ feature: JSON) throws(Unreadable) -> PhoneFix? {
        guard case .object(let members) = feature else { throw Unreadable() }
        let feature = PhoneFields(members)
        let (geometry, properties) = (feature.object("geometry"), feature.object("properties"))
        guard geometry.text("type") == "Point", properties.text("action") == nil else { return nil }
        guard case .list(let pair)? = geometry["coordinates"], case .number(let longitude)? = pair.first,
            case .number(let latitude)? = pair.dropFirst().first,
            // A batch may be hours old, so a position without a time is useless.
            let time = try properties.time("timestamp")
        else { throw Unreadable() }
        let isAltitudeKnown = properties.number("vertical_accuracy").map { $0 >= 0 } ?? true
        return try PhoneFix(
            latitude: latitude, longitude: longitude, time: time, accuracy: properties.number("horizontal_accuracy"),
            altitude: isAltitudeKnown ? properties.number("altitude") : nil, speed: properties.number("speed"),
            heading: properties.number("course"), battery: properties.number("battery_level"))
    }
}
