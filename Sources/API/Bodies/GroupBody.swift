internal import Discovery
internal import Storage

extension Group {
    /// Reads a group; the owner is needed where the body need not name one.
    init?(_ fields: inout Fields, id: EntityID, owner: EntityID?) {
        _ = fields.ownID(id, reserved: [])
        let name = fields.requiredText("name", longest: 200)
        let photo = fields.url("photo")
        let timetable = GroupTimetable(&fields)
        let owner = fields.has("owner") || owner == nil ? fields.id("owner") : owner
        fields.refuseOthers()
        guard let name, let owner else { return nil }
        self.init(id: id, name: name, owner: owner)
        self.photo = photo
        self.timetable = timetable
    }
}

extension GroupTimetable {
    /// Reads hours that leave nothing to be guessed: when places are shown must be known to whoever shows theirs.
    fileprivate init?(_ fields: inout Fields) {
        guard let json = fields.json("timetable") else { return nil }
        guard case .object(let members) = json else {
            fields.mistyped("timetable", json, "an object of hours and timezone")
            return nil
        }
        var own = Fields(members, at: "\(fields.pointer)/timetable")
        let text = own.requiredText("hours", longest: 1000)
        let zone = own.requiredText("timezone", longest: 64)
        own.refuseOthers()
        let hours = text.map(OpeningHours.init)
        if let hours, !hours.isUnderstood { own.fail("hours", .format, hours.warnings[0]) }
        if let hours, hours.isUnderstood, !hours.isCertain {
            own.fail("hours", .format, "names holidays, the sun, or times of which nobody can tell: say days and times")
        }
        if let zone, !WallClock.isZone(zone) {
            own.fail("timezone", .format, "is '\(zone)', which is no IANA time zone")
        }
        fields.adopt(own.errors)
        guard own.errors.isEmpty, let reading = hours?.reading, let zone else { return nil }
        self.init(hours: reading, timezone: zone)
    }
}
