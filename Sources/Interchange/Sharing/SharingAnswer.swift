package import Model

extension JSONWriter {
    /// A person's sharing settings with the true centers of zones, for the person and trusted services only.
    ///
    /// Nothing is written for the default settings.
    package mutating func sharing(_ sharing: Sharing) {
        guard sharing != Sharing() else { return }
        member("sharing") { $0.terms(sharing) }
    }

    /// The sharing settings as an object, even if they are the default.
    package mutating func terms(_ sharing: Sharing) {
        object { json in
            json.member("precision", sharing.precision.rawValue)
            json.member("paused_until", sharing.pausedUntil)
            json.timetable(sharing.timetable)
            if sharing.alerts != .nobody { json.member("alerts", sharing.alerts.rawValue) }
            guard !sharing.zones.isEmpty else { return }
            json.member("zones") { json in json.list(sharing.zones) { json, zone in json.object { $0.zone(zone) } } }
        }
    }

    private mutating func zone(_ zone: PrivacyZone) {
        member("id", zone.id.text)
        coordinate(zone.centre)
        member("radius_m", zone.radius)
    }
}
