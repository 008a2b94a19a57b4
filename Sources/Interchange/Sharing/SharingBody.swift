internal import Model

extension Sharing {
    /// Reads sharing settings; in an import a text is the precision.
    package init(_ fields: inout Fields) {
        self.init()
        if fields.form.isImport, case .text? = fields.peek("sharing") {
            precision = fields.word("sharing") ?? .hidden
            return
        }
        fields.object("sharing") { own in
            if let precision: Precision = own.word("precision") { self.precision = precision }
            pausedUntil = own.time("paused_until")
            timetable = own.timetable()
            if let alerts: Alerts = own.word("alerts") { self.alerts = alerts }
            zones = own.objects("zones", atMost: PrivacyZone.most) { PrivacyZone(&$0) }
            var ids: Set<ID<PrivacyZone>> = []
            for zone in zones where !ids.insert(zone.id).inserted {
                own.fail("zones", .format, "has two zones of the id '\(zone.id)'")
            }
        }
    }
}

extension PrivacyZone {
    fileprivate init?(_ fields: inout Fields) {
        let id: ID<PrivacyZone>? = fields.id("id")
        let centre = fields.requiredCoordinate()
        fields.require("radius_m")
        let radius = fields.number("radius_m", Self.radii)
        guard let id, let centre, let radius else { return nil }
        self.init(id: id, centre: centre, radius: radius)
    }
}
