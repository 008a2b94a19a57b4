internal import Foundation
internal import GRDB
internal import Geo
internal import Model

/// Sharing settings as JSON text in a column; nil for the default.
private struct SharingText: Codable {
    var precision: Precision
    var paused_until_ms: Int64?
    var hours: String?
    var timezone: String?
    var zones: [Zone]?
    var alerts: Alerts?

    struct Zone: Codable {
        var id: String
        var lat_e7, lon_e7: Int32
        var radius_m: Double
    }

    init(_ sharing: Sharing) {
        precision = sharing.precision
        paused_until_ms = sharing.pausedUntil?.milliseconds
        hours = sharing.timetable?.hours
        timezone = sharing.timetable?.timezone
        let zones = sharing.zones.map { zone in
            Zone(
                id: zone.id.text, lat_e7: zone.centre.latitudeE7, lon_e7: zone.centre.longitudeE7,
                radius_m: zone.radius)
        }
        self.zones = zones.isEmpty ? nil : zones
        alerts = sharing.alerts == .nobody ? nil : sharing.alerts
    }

    func sharing() throws(StorageError) -> Sharing {
        var sharing = Sharing(precision)
        sharing.pausedUntil = paused_until_ms.map(Timestamp.init(milliseconds:))
        sharing.alerts = alerts ?? .nobody
        if let hours, let timezone { sharing.timetable = ZonedHours(hours: hours, timezone: timezone) }
        for zone in zones ?? [] {
            guard let centre = Coordinate(latitudeE7: zone.lat_e7, longitudeE7: zone.lon_e7) else {
                throw .damaged("the place of zone \(zone.id)")
            }
            sharing.zones.append(PrivacyZone(id: ID(known: zone.id), centre: centre, radius: zone.radius_m))
        }
        return sharing
    }
}

extension ColumnText {
    static func encode(_ sharing: Sharing) throws -> String? {
        sharing == Sharing() ? nil : try json(SharingText(sharing))
    }

    static func sharing(_ text: String?) throws -> Sharing {
        guard let text else { return Sharing() }
        return try (value(text) as SharingText).sharing()
    }
}
