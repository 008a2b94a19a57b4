package import Discovery
internal import Hours
package import Model

extension Fields {
    private static let longestHours = 1000
    /// How many rules people's hours have, and how many times of a day each: whoever looks at them has the work.
    private static let (mostRules, mostTimes) = (20, 20)

    /// Refuses hours with more rules or times than people may have, unless a service says so, or they are there already.
    package mutating func refuseLong(_ text: String?, keeping former: String?, by caller: Caller, at pointer: String) {
        guard caller != .service, let text, text != former else { return }
        let hours = OpeningHours(text)
        if hours.ruleCount > Self.mostRules {
            let detail = "has \(hours.ruleCount) rules; at most \(Self.mostRules) are kept"
            adopt([FieldError(pointer: pointer, code: .tooMany, detail: detail)])
        }
        if hours.mostTimes > Self.mostTimes {
            let detail = "has a rule with \(hours.mostTimes) times of a day; at most \(Self.mostTimes) are kept"
            adopt([FieldError(pointer: pointer, code: .tooMany, detail: detail)])
        }
    }

    /// Reads `timetable`: hours that leave nothing to be guessed, as they were understood, for who is shown when must be known
    /// to whoever is.
    package mutating func timetable() -> ZonedHours? {
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
                    "depends on holidays, the sun or a remark; only days and times are possible here")
            }
            if let zone { timetable = ZonedHours(hours: reading, timezone: zone) }
        }
        return timetable
    }
}

extension JSONWriter {
    /// Writes it as it is read, if there is one.
    package mutating func timetable(_ timetable: ZonedHours?) {
        guard let timetable else { return }
        object("timetable") { json in
            json.member("hours", timetable.hours)
            json.member("timezone", timetable.timezone)
        }
    }
}
