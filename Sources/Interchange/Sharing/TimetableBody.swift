package import Discovery
internal import Hours
package import Model

extension Fields {
    private static let longestHours = 1000
    /// Maximum number of rules in hours written by people, and of times of day in a rule, to bound the work of
    /// evaluating them.
    private static let (mostRules, mostTimes) = (20, 20)

    /// Rejects hours with more rules or times than people may write, unless a service writes them or they are
    /// unchanged.
    package mutating func refuseLong(_ text: String?, keeping former: String?, by caller: Caller, at pointer: String) {
        guard caller != .service, let text, text != former else { return }
        let hours = OpeningHours(text)
        if hours.ruleCount > Self.mostRules {
            let detail = "has \(hours.ruleCount) rules; at most \(Self.mostRules) are allowed"
            adopt([FieldError(pointer: pointer, code: .tooMany, detail: detail)])
        }
        if hours.mostTimes > Self.mostTimes {
            let detail = "has a rule with \(hours.mostTimes) times of a day; at most \(Self.mostTimes) are allowed"
            adopt([FieldError(pointer: pointer, code: .tooMany, detail: detail)])
        }
    }

    /// Reads `timetable`: unambiguous hours, stored as interpreted, because a person must know exactly when they are
    /// visible.
    package mutating func timetable() -> ZonedHours? {
        var timetable: ZonedHours?
        object("timetable") { own in
            let hours = own.requiredText("hours", longest: Self.longestHours).map(OpeningHours.init)
            let zone = own.requiredText("timezone", longest: 64)
            if let zone, !WallClock.isZone(zone) {
                own.fail("timezone", .format, "is '\(zone)', which is not an IANA time zone")
            }
            guard let hours else { return }
            guard let reading = hours.reading else {
                return own.fail("hours", .format, hours.warnings.joined(separator: "; "))
            }
            guard reading.utf8.count <= Self.longestHours else {
                return own.fail(
                    "hours", .tooLong,
                    "has \(reading.utf8.count) bytes in standard form; at most \(Self.longestHours) are allowed"
                )
            }
            guard hours.isCertain else {
                return own.fail(
                    "hours", .format,
                    "depends on holidays, the sun or a remark; only days and times are allowed here")
            }
            if let zone { timetable = ZonedHours(hours: reading, timezone: zone) }
        }
        return timetable
    }
}

extension JSONWriter {
    /// Writes a timetable as ``Fields/timetable()`` reads it.
    package mutating func timetable(_ timetable: ZonedHours?) {
        guard let timetable else { return }
        object("timetable") { json in
            json.member("hours", timetable.hours)
            json.member("timezone", timetable.timezone)
        }
    }
}
