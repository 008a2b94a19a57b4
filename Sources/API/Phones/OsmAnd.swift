internal import Foundation
internal import Geo
internal import Interchange

/// OsmAnd and Traccar Client (traccar.org/osmand): a query, a form, or the JSON of Traccar Client 9 and later.
enum OsmAnd {
    static func read(query: String?, body: Data) throws(FormError) -> PhoneReading {
        let query = PhoneFields(form: (query ?? "").utf8)
        var reading = PhoneReading()
        guard let first = body.first(where: { $0 > 0x20 }), [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first)
        else {
            reading.take { () throws(Unreadable) in try fix(PhoneFields(form: body).filled(from: query)) }
            return reading
        }
        let json = try PhoneReading.json { () throws(FormError) in try JSON(body) }
        guard case .object(let members)? = json else { return .nothing }
        let fields = PhoneFields(members)
        switch fields["location"] {
        case .object(let location)?:
            reading.take { () throws(Unreadable) in try recorded(PhoneFields(location)) }
        case .list(let locations)?:
            for location in locations {
                reading.take { () throws(Unreadable) in
                    guard case .object(let location) = location else { throw Unreadable() }
                    return try recorded(PhoneFields(location))
                }
            }
        default: reading.take { () throws(Unreadable) in try fix(fields.filled(from: query)) }
        }
        return reading
    }

    /// A position from parameters; nil if the receiver has none, or marks it as invalid.
    private static func fix(_ fields: PhoneFields) throws(Unreadable) -> PhoneFix? {
        guard fields.flag("valid") ?? true else { return nil }
        let pair = fields.text("location").map { $0.split(separator: ",").map { $0.decimalNumber ?? .nan } } ?? []
        let latitude = fields.number("lat") ?? pair.first
        let longitude = fields.number("lon") ?? pair.dropFirst().first
        guard let place = try PhoneFix.place(latitude, longitude, of: fields, ["lat", "lon", "location"]) else {
            return nil
        }
        let folded = try fields.folded
        var fix = try PhoneFix(
            latitude: place.latitude, longitude: place.longitude, time: try folded.timeOfFix(),
            accuracy: folded.accuracy, altitude: fields.number("altitude"),
            // OsmAnd can be configured to send meters per second under another name.
            speed: fields.number("speed_mps") ?? fields.number("speed").map { $0 * 1852 / 3600 },
            heading: fields.number("bearing", "heading"), battery: fields.number("batt").map { $0 / 100 })
        fix.unreadAccuracy = folded.unreadAccuracy
        return fix
    }

    /// A position of Traccar Client 9; nil if it has no coordinates.
    private static func recorded(_ location: PhoneFields) throws(Unreadable) -> PhoneFix? {
        let coordinates = location.object("coords")
        let (latitude, longitude) = (coordinates.number("latitude"), coordinates.number("longitude"))
        guard let place = try PhoneFix.place(latitude, longitude, of: coordinates, ["latitude", "longitude"]) else {
            return nil
        }
        return try PhoneFix(
            latitude: place.latitude, longitude: place.longitude, time: try location.time("timestamp"),
            accuracy: coordinates.number("accuracy"), altitude: coordinates.number("altitude"),
            speed: coordinates.number("speed"), heading: coordinates.number("heading"),
            battery: location.object("battery").number("level"))
    }
}
