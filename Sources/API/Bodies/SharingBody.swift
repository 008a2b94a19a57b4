internal import Discovery
internal import Foundation
internal import Storage

extension Sharing {
    /// Reads what a person shares; in an import a text is the precision.
    init(_ fields: inout Fields) {
        self.init()
        if fields.form.isImport, fields.isText("sharing") {
            precision = fields.word("sharing") ?? .hidden
            return
        }
        fields.object("sharing") { own in
            if let precision: Precision = own.word("precision") { self.precision = precision }
            pausedUntil = own.time("paused_until")
            own.object("timetable") { timetable = SharingTimetable(&$0) }
            zones = own.objects("zones", atMost: PrivacyZone.most) { PrivacyZone(&$0) }
            var ids: Set<EntityID> = []
            for zone in zones where !ids.insert(zone.id).inserted {
                own.fail("zones", .format, "has two zones of the id '\(zone.id)'")
            }
        }
    }
}

extension SharingTimetable {
    fileprivate init?(_ fields: inout Fields) {
        let hours = fields.requiredText("hours", longest: 1000)
        let timezone = fields.requiredText("timezone", longest: 64)
        guard let hours, let timezone else { return nil }
        self.init(hours: hours, timezone: timezone)
        if !WallClock.isZone(timezone) {
            fields.fail("timezone", .format, "is '\(timezone)', which is no IANA time zone")
        }
        let reading = OpeningHours(hours)
        if !reading.isUnderstood {
            fields.fail("hours", .format, reading.warnings.joined(separator: "; "))
        } else if !reading.isCertain {
            fields.fail(
                "hours", .format,
                "depends on holidays, the sun or what nobody can tell; expected are days and times only")
        }
    }
}

extension PrivacyZone {
    fileprivate init?(_ fields: inout Fields) {
        let id = fields.id("id")
        let centre = fields.requiredCoordinate()
        fields.require("radius_m")
        let radius = fields.number("radius_m", Self.radii)
        guard let id, let centre, let radius else { return nil }
        self.init(id: id, centre: centre, radius: radius)
    }
}
