internal import Foundation
internal import Interchange

/// GPSLogger's custom URL (gpslogger.app), whose parameters the user defines: a query, a form, or JSON.
enum GPSLogger {
    static func read(query: String?, body: Data) throws(FormError) -> PhoneReading {
        let query = PhoneFields(form: (query ?? "").utf8)
        var reading = PhoneReading()
        if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            let json = try PhoneReading.json { () throws(FormError) in try JSON(body) }
            guard case .object(let members)? = json else { return .nothing }
            reading.take { () throws(Unreadable) in try fix(PhoneFields(members).filled(from: query).folded) }
        } else {
            reading.take { () throws(Unreadable) in try fix(PhoneFields(form: body).filled(from: query).folded) }
        }
        return reading
    }

    /// A position from parameters with folded names, of the app's own guide and of other services.
    private static func fix(_ fields: PhoneFields) throws(Unreadable) -> PhoneFix? {
        let latitude = fields.number("lat", "latitude", "latitud")
        let longitude = fields.number("lon", "longitude", "lng", "long", "longitud")
        let names = [
            "lat", "latitude", "latitud", "lon", "longitude", "lng", "long", "longitud", "latlng", "latlon", "ll",
            "location", "loc", "position", "pos", "coordinates", "coords", "geo", "gps",
        ]
        guard let place = try PhoneFix.place(latitude, longitude, of: fields, names) else { return nil }
        var fix = try PhoneFix(
            latitude: place.latitude, longitude: place.longitude, time: try fields.timeOfFix(),
            accuracy: fields.accuracy ?? fields.accuracyByDilution,
            altitude: fields.number("alt", "altitude", "ele", "elevation"),
            speed: fields.number("spd", "speed"),
            heading: fields.number("dir", "direction", "bearing", "heading", "course"),
            battery: fields.number("batt", "battery", "bat", "batterylevel").map { $0 / 100 })
        fix.unreadAccuracy = fields.unreadAccuracy
        return fix
    }
}
