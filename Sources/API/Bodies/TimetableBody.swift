internal import Discovery
internal import Storage

extension Fields {
    private static let longestHours = 1000
    /// How many rules people's hours have, and how many times of a day each: whoever looks at them has the work.
    private static let (mostRules, mostTimes) = (20, 20)

    /// Refuses hours with more rules or times than people may have.
    mutating func refuseLong(_ hours: OpeningHours, at name: String) {
        if hours.ruleCount > Self.mostRules {
            fail(name, .tooMany, "has \(hours.ruleCount) rules; at most \(Self.mostRules) are kept")
        }
        if hours.mostTimes > Self.mostTimes {
            fail(
                name, .tooMany, "has a rule with \(hours.mostTimes) times of a day; at most \(Self.mostTimes) are kept")
        }
    }

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
            own.refuseLong(hours, at: "hours")
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
