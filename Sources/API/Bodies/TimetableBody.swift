internal import Discovery
internal import Storage

extension Fields {
    private static let longestHours = 1000

    /// Reads `timetable`: hours that leave nothing to be guessed, as they were understood, for who is shown when must be known
    /// to whoever is.
    mutating func timetable() -> ZonedHours? {
        var timetable: ZonedHours?
        object("timetable") { own in
            let hours = own.requiredText("hours", longest: Self.longestHours).map(OpeningHours.init)
            let zone = own.requiredText("timezone", longest: 64)
            if let zone, !WallClock.isZone(zone) {
                own.fail("timezone", .format, "is '\(zone)', which is no IANA time zone")
            }
            guard let hours else { return }
            guard let reading = hours.reading else {
                return own.fail("hours", .format, hours.warnings.joined(separator: "; "))
            }
            guard reading.utf8.count <= Self.longestHours else {
                return own.fail(
                    "hours", .tooLong,
                    "has \(reading.utf8.count) bytes as it is understood; at most \(Self.longestHours) are kept"
                )
            }
            guard hours.isCertain else {
                return own.fail(
                    "hours", .format,
                    "depends on holidays, the sun or what nobody can tell; expected are days and times only")
            }
            if let zone { timetable = ZonedHours(hours: reading, timezone: zone) }
        }
        return timetable
    }
}

extension JSONWriter {
    /// Writes it as it is read, if there is one.
    mutating func timetable(_ timetable: ZonedHours?) {
        guard let timetable else { return }
        member("timetable") { json in
            json.object { json in
                json.member("hours", timetable.hours)
                json.member("timezone", timetable.timezone)
            }
        }
    }
}
