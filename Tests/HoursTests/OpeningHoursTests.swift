import Foundation
import Hours
import Laws
import Model
import TestSupport
import Testing

@Suite struct OpeningHoursTests {
    @Test(
        "Opening hours follow the OpenStreetMap specification",
        arguments: [
            // November 20th, 2026 is a Friday.
            ("Mo-Fr 10:00-14:00", "2026-11-20 10:00 open, 14:00 closed; 2026-11-21 12:00 closed"),
            ("Su-Tu 10:00-14:00", "2026-11-22 12:00 open; 2026-11-24 12:00 open; 2026-11-25 12:00 closed"),
            (
                "Fr-Sa 18:00-02:00",
                "2026-11-20 01:00 closed; 2026-11-21 01:59 open, 02:00 closed; 2026-11-22 01:00 open"
            ),
            ("Fr 18:00-26:00; Sa 10:00-12:00", "2026-11-21 01:59 open, 03:00 closed, 10:00 open"),
            ("Fr 18:00-02:00; Sa off", "2026-11-21 01:00 open, 03:00 closed"),
            ("Fr 18:00-02:00; Fr off", "2026-11-20 19:00 closed; 2026-11-21 01:00 closed"),
            ("Mo-Fr 10:00-18:00; Fr 12:00-14:00", "2026-11-20 11:00 closed, 12:00 open, 15:00 closed"),
            ("Mo-Fr 10:00-18:00, Fr 20:00-22:00", "2026-11-20 11:00 open, 19:00 closed, 21:00 open"),
            ("Mo-Fr 10:00-18:00; Fr 12:00-13:00 off", "2026-11-20 11:59 open, 12:30 closed, 13:00 open"),
            ("Mo-Su 10:00-18:00, Fr off", "2026-11-20 12:00 closed; 2026-11-21 12:00 open"),
            (#"Mo-Fr 10:00-12:00 || "ask""#, "2026-11-20 11:00 open, 12:00 unknown; 2026-11-21 12:00 unknown"),
            ("Mo-Fr 10:00-12:00 || 11:00-13:00", "2026-11-20 11:30 open, 12:30 open, 13:00 closed"),
            ("24/7", "2026-11-20 00:00 open"), ("24/7; Dec 25 off", "2026-12-24 23:59 open; 2026-12-25 12:00 closed"),
            ("closed", "2026-11-20 12:00 closed"),
            ("10:00-10:00", "2026-11-20 09:59 unknown, 10:00 unknown"),
            ("Mo-Fr 09:00-17:00; Sa,Su 00:00-00:00", "2026-11-21 03:00 closed; 2026-11-20 16:00 open"),
            ("00:00-00:00", "2026-11-20 03:00 unknown"), ("Mo-Fr 09:00-09:00", "2026-11-20 03:00 unknown"),
            ("Mo-Sa 00:00-24:00; Su 00:00-00:00", "2026-11-21 03:00 open; 2026-11-22 12:00 closed"),
            // Times after a comma that overlap with earlier ones are the own hours of fewer days.
            ("Mo-Sa 10:00-20:00, Sa 10:00-14:00", "2026-11-21 13:00 open, 15:00 closed; 2026-11-20 15:00 open"),
            ("24/7, Su 10:00-14:00", "2026-11-22 09:00 closed, 11:00 open; 2026-11-21 09:00 open"),
            ("Mo-Fr 10:00-18:00, Dec 24 10:00-14:00", "2026-12-24 15:00 closed; 2026-12-23 15:00 open"),
            ("10:00-18:00, Jul-Aug 10:00-14:00", "2026-07-20 15:00 closed; 2026-06-20 15:00 open"),
            ("Jul-Aug 10:00-18:00, Jul 15 10:00-12:00", "2026-07-15 15:00 closed; 2026-07-16 15:00 open"),
            ("Mo-Fr 08:00-12:00, We 14:00-18:00", "2026-11-25 11:00 open, 13:00 closed, 15:00 open"),
            ("Mo-Fr 09:00-14:00, Mo-Fr 13:00-20:00", "2026-11-20 10:00 open, 19:00 open"),
            (
                "Mo-Sa 10:00-20:00, Sa 10:00-14:00, Sa 16:00-18:00",
                "2026-11-21 11:00 open, 15:00 closed, 17:00 open, 19:00 closed"
            ),
            ("Nov-Mar 10:00-12:00", "2026-11-20 11:00 open; 2026-03-31 11:00 open; 2026-04-01 11:00 closed"),
            (
                "10:00-12:00; Dec 24-Jan 2 off",
                "2026-12-24 11:00 closed; 2027-01-02 11:00 closed; 2027-01-03 11:00 open"
            ),
            ("Dec 24,31 10:00-12:00", "2026-12-31 11:00 open; 2026-12-30 11:00 closed"),
            ("2026 Jul 1 - 2026 Aug 8 off", "2026-07-05 12:00 closed"),
            (
                "2026 Dec 24-Jan 2 10:00-12:00",
                "2027-01-02 11:00 open; 2026-01-02 11:00 closed; 2027-12-25 11:00 closed"
            ),
            ("2027+ Mo-Su 10:00-12:00", "2026-11-20 11:00 closed; 2030-11-20 11:00 open"),
            ("2026-2027 Fr 10:00-12:00", "2026-11-20 11:00 open; 2028-11-24 11:00 closed"),
            ("week 47 10:00-12:00", "2026-11-16 11:00 open; 2026-11-22 11:00 open; 2026-11-23 11:00 closed"),
            ("week 1-53/2 10:00-12:00", "2026-11-20 11:00 open; 2026-11-27 11:00 closed; 2027-01-01 11:00 open"),
            ("Fr[3] 10:00-12:00", "2026-11-20 11:00 open; 2026-11-27 11:00 closed"),
            ("Tu[-1] 10:00-12:00", "2026-11-24 11:00 open; 2026-11-17 11:00 closed"),
            ("Fr[-1],Mo[1-2] 10:00-12:00", "2026-11-27 11:00 open; 2026-11-09 11:00 open; 2026-11-16 11:00 closed"),
            ("18:00+", "2026-11-20 17:59 closed, 18:00 unknown; 2026-11-21 03:59 unknown, 04:00 closed"),
            ("10:00-16:00+", "2026-11-20 12:00 open, 16:00 unknown; 2026-11-21 00:00 closed"),
            ("sunrise-20:00", "2026-11-20 12:00 unknown, 20:00 closed"),
            ("Mo-Fr 10:00-12:00; PH off", "2026-12-25 11:00 open"),
            ("Mo-Sa 10:00-20:00;Su", "2026-11-22 03:00 unknown"),
            ("Su: ; Mo-Sa: 10:00-20:00", "2026-11-22 03:00 unknown; 2026-11-23 09:00 closed, 12:00 open"),
            ("Su:", "2026-11-22 03:00 unknown"), ("Mon 9am-5pm\nTue\nWed 9am-5pm", "2026-11-24 12:00 unknown"),
            ("Mo-Fr 08:00-18:00, We", "2026-11-25 03:00 unknown"),
            ("Mo-Fr 10:00-12:00; Dec 24; Jan 1 off", "2026-12-24 03:00 unknown; 2027-01-01 11:00 closed"),
            ("2026 Jul 1,Aug 1 10:00-12:00", "2026-08-01 11:00 open; 2027-08-01 11:00 closed"),
            (#"Fr 10:00-12:00 "by appointment""#, "2026-11-20 11:00 unknown, 13:00 closed"),
            (#"Fr 10:00-12:00 open "lunch""#, "2026-11-20 11:00 open"),
            // Colons after dates are ignored. December 20th, 2026 is a Sunday.
            ("Dec,May-Aug: Su 10:00-19:00", "2026-11-22 12:00 closed; 2026-12-20 12:00 open; 2026-12-19 12:00 closed"),
            ("Jul,Aug: Mo-Sa 10:00-20:00", "2026-07-04 12:00 open; 2026-07-05 12:00 closed; 2026-09-01 12:00 closed"),
            (
                "week 10-20: Mo,Tu 10:00-12:00",
                "2026-03-03 11:00 open; 2026-03-04 11:00 closed; 2026-11-17 11:00 closed"
            ),
            ("Apr 07-Oct 30: 09:00-02:00", "2026-04-07 10:00 open; 2026-10-31 01:00 open, 10:00 closed"),
            (
                "Jun 15-Jul 31: 20:45-24:00; Aug: 20:30-23:30",
                "2026-06-15 20:45 open; 2026-07-31 20:30 closed; 2026-08-01 20:30 open, 23:30 closed"
            ),
            ("10:00-12:00; Dec 24,31: off", "2026-12-23 11:00 open; 2026-12-24 11:00 closed; 2026-12-31 11:00 closed"),
            ("2027: Fr 10:00-12:00", "2026-11-20 11:00 closed; 2027-11-19 11:00 open"),
            ("2026 Dec 24: 10:00-12:00", "2026-12-24 11:00 open; 2027-12-24 11:00 closed"),
            ("Oct 09:00-12:00", "2026-10-20 10:00 open; 2026-11-20 10:00 closed"),
        ])
    func specification(_ text: String, _ expected: String) throws {
        let hours = OpeningHours(text)
        let clock = try #require(WallClock.of(zone: "UTC"))
        var reported: [String] = []
        for day in expected.split(separator: "; ") {
            let date = day.prefix(10)
            let states = try day.dropFirst(11).split(separator: ", ").map { entry in
                let time = entry.prefix(5)
                return "\(time) \(hours.state(at: try instant("\(date)T\(time):00Z"), by: clock))"
            }
            reported.append("\(date) \(states.joined(separator: ", "))")
        }
        #expect(reported.joined(separator: "; ") == expected, "\(text), read as \(hours.reading ?? "nothing")")
    }

    @Test(
        "Other notations are read only if they are unambiguous",
        arguments: [
            ("mo-fr 9:00-17:00", "Mo-Fr 09:00-17:00"), ("Mon-Fri 9am-5pm", "Mo-Fr 09:00-17:00"),
            ("Monday to Friday: 9 a.m. – 5:30 p.m.", "Mo-Fr 09:00-17:30"), ("8-18", "08:00-18:00"),
            ("Mo-Fr 0900-1700", "Mo-Fr 09:00-17:00"), ("Mo-Fr 10.30–18", "Mo-Fr 10:30-18:00"),
            ("Su-Th 15-00; Fr-Sa 15-02", "Su-Th 15:00-24:00; Fr,Sa 15:00-02:00"),
            ("Mo-Fr 08:00-19:00 Sa 09:00-19:00", "Mo-Fr 08:00-19:00; Sa 09:00-19:00"),
            ("Mo-Fr 16:00-, Sa 14:00-", "Mo-Fr 16:00+, Sa 14:00+"), ("Sat & Sun 11-2pm", "Sa,Su 11:00-14:00"),
            ("Sat and Sun 11am-2pm", "Sa,Su 11:00-14:00"), ("10h-14h, 16h30-20h", "10:00-14:00,16:30-20:00"),
            ("lunes a viernes 10:00-14:00", "Mo-Fr 10:00-14:00"), ("weekdays 9-17", "Mo-Fr 09:00-17:00"),
            ("12-5pm", "12:00-17:00"), ("Mo-Fr 09:00-17:00\nSa 10:00-14:00", "Mo-Fr 09:00-17:00; Sa 10:00-14:00"),
            // Ambiguous texts.
            ("8-6:30", nil), ("Mon: 10-9; Sun: 11-6", nil), ("2-5pm", nil), ("9:00-5:00", nil), ("12am - 11pm", nil),
            ("Mo-Fr 10:00-18:00; 11:00-15:00", nil), ("Dec 24-Jan 2 off; 10:00-12:00", nil),
            ("Mo-Fr 8:30-5:30; Su 13:00-17:00", nil), ("Mo-Fr 9-5, Sa 10-16", nil), ("Mon-Sat 10-8, Sun 12-18", nil),
            ("Mo-Fr 8:00-5:00; Sa 08:00-12:00", nil), ("Mo-Fr 9:00-18:00; Sa 9:00-1:00", nil),
            ("Mo-Fr 09:00-5:00", nil),
            ("11:00-10:00", nil), ("Mo-Fr 2:00-6:00; Su 13:00-17:00", nil), ("Mo-Fr 18:00-2:00", "Mo-Fr 18:00-02:00"),
            ("Mo-Fr 9:00-12:00,1:30-5:30", nil), ("Mo-Fr 9:00-13:00,2:00-6:00", nil), ("10:00-13:00,4:00-8:00", nil),
            ("Mo-Fr 10:00-13:00,6:00-9:00", nil), ("Mo-Fr 10:00-13:00, Fr 6:00-9:00", nil),
            ("Mo-Fr 11:30-2:30, 17:30-22:00", nil), ("9:00-12:00,14:00-18:00", "09:00-12:00,14:00-18:00"),
            ("2026 Dec 24,Jan 2 10:00-12:00", nil), ("Mar 10:00-14:00; Miércoles 10:00-14:00", nil),
            ("Open Mon-Fri 9am-5pm", "Mo-Fr 09:00-17:00"),
            ("Open Mo-Fr 10:00-18:00, Sa 10:00-14:00", "Mo-Fr 10:00-18:00, Sa 10:00-14:00"),
            ("Mo-Fr 10:00-18:00; open Sa 10:00-14:00", "Mo-Fr 10:00-18:00; Sa 10:00-14:00"),
            ("Mo-Fr 10:00-18:00; closed Sa", "Mo-Fr 10:00-18:00; Sa off"), ("open, Mo-Fr 10:00-18:00", nil),
            ("Open Mo-Fr", nil), ("Mo-Fr 10:00-18:00 closed Sa 10:00-12:00", nil),
            // Neither rule is certainly the exception.
            ("Su 10:00-14:00, Mo-Su 09:00-20:00", nil), ("Mo-Fr 10:00-18:00, Fr-Sa 12:00-20:00", nil),
            ("May-Sep 9:00-20:00, Oct-Apr 9:00-17:00", "May-Sep 09:00-20:00, Oct-Apr 09:00-17:00"),
            ("Mo-Sa 9:00-20:00, Sa 9:00-14:00", "Mo-Sa 09:00-20:00; Sa 09:00-14:00"),
            // Numbers that may be days or hours, and a word that may be a day or a month.
            ("Dec 9-17", nil), ("Mar 9-17", nil), ("Mar 10:00-14:00", nil),
            ("Mar-Oct 10:00-14:00", "Mar-Oct 10:00-14:00"),
            ("Mar 15 10:00-14:00", "Mar 15 10:00-14:00"), ("Tu-Su 10:00-12:00; Mar off", "Tu-Su 10:00-12:00; Mar off"),
            // Texts that cannot be read.
            ("+423 232 48 18", nil), ("Seasonal, only summer time", nil), ("PH off", nil), ("", nil),
            ("Mo-Fr 25:00-26:00", nil),
            ("Feb 30 10:00-12:00", nil), ("Mo 10:00-12:00 \"", nil), ("Mo 10:00-12:61", nil),
            ("week 60 10:00-12:00", nil),
            ("2027-2026 Mo 10:00-12:00", nil), ("10:00-18:00 Mo-Fr", nil), ("Mo-Fr 10:00-11:00 12:00", nil),
        ])
    func lenient(_ text: String, _ reading: String?) throws {
        let hours = OpeningHours(text)
        #expect(hours.reading == reading, "\(text): \(hours.warnings)")
        let clock = try #require(WallClock.of(zone: "Europe/Madrid"))
        if reading == nil {
            #expect(hours.state(at: morning, by: clock) == .unknown)
            #expect(hours.status(at: morning, by: clock).change == nil)
            #expect(hours.warnings.count == 1 && hours.warnings[0].hasPrefix("is not understood: "))
        } else if hours.isLenient {
            #expect(hours.warnings.first == "was read as '\(reading ?? "")'")
        }
    }

    /// Notations of shops in several countries.
    @Test(
        "Days are read in several languages",
        arguments: [
            ("24h", "24/7"), ("24 horas", "24/7"), ("Abierto 24 horas", "24/7"), ("Open 24 hours", "24/7"),
            ("Sa 24h; Mo-Fr 9:00-18:00", "Sa 00:00-24:00; Mo-Fr 09:00-18:00"),
            ("L-S 10:00-20:30", "Mo-Sa 10:00-20:30"), ("Lunes a Viernes 9-14", "Mo-Fr 09:00-14:00"),
            (
                "L-V 9:30-14:00 y 17:00-20:30; S 10:00-14:00; D cerrado",
                "Mo-Fr 09:30-14:00,17:00-20:30; Sa 10:00-14:00; Su off"
            ),
            ("L, X y V 9-14h", "Mo,We,Fr 09:00-14:00"), ("L,M,X,J,V 9-14", "Mo-Fr 09:00-14:00"),
            ("De lunes a viernes de 10:00 a 14:00 y de 16:30 a 20:30", "Mo-Fr 10:00-14:00,16:30-20:30"),
            ("Lun-Vie 10:00-20:00, Sáb 10:00-14:00", "Mo-Fr 10:00-20:00, Sa 10:00-14:00"),
            ("Mar-Sáb 10:00-20:00", "Tu-Sa 10:00-20:00"), ("Lun, Mar y Jue 10:00-20:00", "Mo,Tu,Th 10:00-20:00"),
            ("L-D 10:00-22:00; festivos cerrado", "Mo-Su 10:00-22:00"), ("Domingos y festivos cerrado", "Su off"),
            ("Mo.-Fr. 9-18.30 Uhr, Sa. 9-16 Uhr", "Mo-Fr 09:00-18:30, Sa 09:00-16:00"),
            ("Mo-Do 9:00-18:00 | Fr 9:00-16:00 | So geschlossen", "Mo-Th 09:00-18:00; Fr 09:00-16:00; Su off"),
            ("Montag bis Freitag 09:00 bis 18:00 Uhr", "Mo-Fr 09:00-18:00"), ("Mi 14-18 Uhr", "We 14:00-18:00"),
            ("du lundi au samedi de 9h30 à 12h30 / 14h à 19h", "Mo-Sa 09:30-12:30,14:00-19:00"),
            ("Lun-Ven 9h-19h / Sam 9h-18h", "Mo-Fr 09:00-19:00; Sa 09:00-18:00"),
            ("Me-Di 10h-18h", "We-Su 10:00-18:00"),
            ("ma-vr 9:00-18:00; za 9:00-17:00", "Mo-Fr 09:00-18:00; Sa 09:00-17:00"),
            ("Mon-Fri 9am-5pm; domingo cerrado", "Mo-Fr 09:00-17:00; Su off"),
            ("Nov-Mar 10:00-12:00", "Nov-Mar 10:00-12:00"),
            // Letters and words that mean different days in different languages.
            ("M-S 10:00-20:00", nil), ("L-V 9-14; M 16-20", nil), ("S 10:00-14:00", nil), ("Di 10:00-18:00", nil),
            ("Do 10:00-18:00", nil), ("Mar 10:00-14:00; L cerrado", nil), ("cuando quiera", nil),
        ])
    func languages(_ text: String, _ reading: String?) {
        let hours = OpeningHours(text)
        #expect(hours.reading == reading, "\(text): \(hours.warnings)")
    }

    @Test(
        "Parts that are ignored or reinterpreted cause a warning",
        arguments: [
            ("Mo-Fr 10:00-12:00; PH off", ["holidays are not known here: rules for PH or SH are ignored"]),
            ("10:00-sunset", ["sunrise and sunset are not computed: times that depend on them are unknown"]),
            ("10:00+", ["after an open end ('+') it is unknown whether it is open"]),
            (
                "Mo-Su 11:00-24:00; Sa-Su 00:00-02:00",
                ["'Sa,Su 00:00-02:00' replaces other times of its days, as ';' means; ',' would add to them"]
            ),
            ("Mo", ["days without times are open all day"]), ("open", ["days without times are open all day"]),
            ("L-V", ["was read as 'Mo-Fr unknown'", "days without times: when it is open is unknown"]),
            (
                "Mo-Sa 10:00-20:00, Sa 10:00-14:00",
                ["'Sa 10:00-14:00' overlaps other times of its days, and replaces them"]
            ),
            (
                "Mo-Fr 09:00-17:00; Su 00:00-00:00",
                ["00:00-00:00 beside other times was read as closed"]
            ),
            (
                #"Mo 10:00-12:00; "ask""#,
                ["a separate comment makes everything before it unknown; '||' would not"]
            ),
            ("8-6:30", ["is not understood: 08:00-06:30 may be in 12-hour or 24-hour time"]),
            ("Mo 10:00-12:00 q", ["is not understood: 'q' is not expected there"]),
        ])
    func ignoredParts(_ text: String, _ warnings: [String]) {
        #expect(OpeningHours(text).warnings == warnings)
    }

    @Test("The next change of state is found within a week, or up to a given time") func nextChange() throws {
        let madrid = try #require(WallClock.of(zone: "Europe/Madrid"))
        // Friday, 11:00 by the clocks of Madrid.
        let shop = OpeningHours("Mo-Fr 10:00-14:00,17:00-20:00").status(at: morning, by: madrid)
        #expect(shop.closesAt == (try instant("2026-11-20T13:00:00Z")) && shop.opensAt == nil)
        let weekend = OpeningHours("Mo 09:00-10:00").status(at: morning, by: madrid)
        #expect(weekend.opensAt == (try instant("2026-11-23T08:00:00Z")) && weekend.closesAt == nil)
        let yearly = OpeningHours("Feb 29 10:00-12:00")
        #expect(yearly.status(at: morning, by: madrid).change == nil, "more than a week ahead")
        let later = yearly.status(at: morning, by: madrid, before: try instant("2029-01-01T00:00:00Z"))
        #expect(later.opensAt == (try instant("2028-02-29T09:00:00Z")))
        #expect(OpeningHours("24/7").status(at: morning, by: madrid).change == nil)
        let openEnded = OpeningHours("10:00-12:00+").status(at: morning, by: madrid)
        #expect(openEnded.state == .open && openEnded.closesAt == nil && openEnded.change?.to == .unknown)
    }

    /// Clocks go from 02:00 to 03:00 on 29 March and from 03:00 to 02:00 on 25 October 2026.
    @Test("Hours follow local time when clocks change") func clockChange() throws {
        let madrid = try #require(WallClock.of(zone: "Europe/Madrid"))
        let early = OpeningHours("01:30-02:30")
        // The half hour from 02:00 on is skipped, so the shop closes when the clocks jump.
        let spring = early.status(at: try instant("2026-03-29T00:45:00Z"), by: madrid)
        #expect(spring.closesAt == (try instant("2026-03-29T01:00:00Z")))
        let night = OpeningHours("02:15-02:45").status(at: try instant("2026-03-28T12:00:00Z"), by: madrid)
        #expect(night.opensAt == (try instant("2026-03-30T00:15:00Z")))
        // The hour from 02:00 on occurs twice, and the shop opens twice.
        let autumn = early.status(at: try instant("2026-10-24T23:45:00Z"), by: madrid)
        #expect(autumn.closesAt == (try instant("2026-10-25T00:30:00Z")))
        let again = early.status(at: try instant("2026-10-25T00:45:00Z"), by: madrid)
        #expect(again.opensAt == (try instant("2026-10-25T01:00:00Z")))
        #expect(early.state(at: try instant("2026-10-25T01:15:00Z"), by: madrid) == .open)
    }

    @Test("Time zone offsets agree with Foundation") func foundation() throws {
        var random = SeededGenerator(seed: 11)
        for name in ["Europe/Madrid", "Australia/Lord_Howe", "America/Caracas", "Africa/Casablanca", "Asia/Kathmandu"] {
            let clock = try #require(WallClock.of(zone: name))
            let zone = try #require(TimeZone(identifier: name))
            for _ in 0..<RandomCases.count(200, all: 2000) {
                // Up to the year 2200, beyond the table of clock changes.
                let seconds = random.integer(0...7_258_118_400)
                let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
                let hour = (seconds + offset) / 3600 % 24
                let hours = OpeningHours("\(hour < 10 ? "0" : "")\(hour):00-\(hour < 9 ? "0" : "")\(hour + 1):00")
                try #require(
                    hours.state(at: Timestamp(milliseconds: Int64(seconds) * 1000), by: clock) == .open,
                    "\(name) at \(seconds)")
            }
        }
        #expect(WallClock.of(zone: "Mars/Base") == nil)
    }

    /// The hours of the stores that ship with the program, of which OpenStreetMap's are in six countries.
    @Test("The hours of the sample stores are understood") func samples() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../data/sample")
        let week = #/(?:(?:Mo|Tu|We|Th|Fr|Sa|Su)[^"]*?|)\d\d:\d\d-\d\d:\d\d[^"]*?|24\/7/#
        for name in ["stores-bestbuy.csv", "stores-shoes.csv"] {
            let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
            var count = 0
            for line in lines.dropFirst() {
                guard let text = line.firstMatch(of: week)?.output else { continue }
                count += 1
                #expect(OpeningHours(String(text)).isUnderstood, "\(text)")
            }
            #expect(count * 10 > lines.count * 9)
        }
    }
}
