import Foundation
import Hours
import Model
import TestSupport
import Testing

/// Hours as shops write them.
@Suite struct WrittenHoursTests {
    /// Expects how a text is read; nil for one that is not understood.
    private func expect(_ reading: String?, of text: String, at location: SourceLocation = #_sourceLocation) {
        let hours = OpeningHours(text)
        #expect(hours.reading == reading, "\(text): \(hours.warnings)", sourceLocation: location)
    }

    @Test(
        "Days, a separator and times are one rule",
        arguments: [
            ("Mo-Fr, 09:00-17:00", "Mo-Fr 09:00-17:00"), ("Mon-Fri, 9am-5pm", "Mo-Fr 09:00-17:00"),
            ("Lunes a viernes, 9:00-17:00", "Mo-Fr 09:00-17:00"),
            ("De lunes a viernes, de 9:00 a 17:00", "Mo-Fr 09:00-17:00"),
            ("du lundi au vendredi, 9h-17h", "Mo-Fr 09:00-17:00"),
            ("Montag bis Freitag, 9-17 Uhr", "Mo-Fr 09:00-17:00"),
            ("dal lunedì al venerdì, dalle 9:00 alle 17:00", "Mo-Fr 09:00-17:00"),
            ("segunda a sexta, das 9:00 às 17:00", "Mo-Fr 09:00-17:00"), ("ma-vr, 9:00-17:00", "Mo-Fr 09:00-17:00"),
            ("L-V, 9-14 y 16-20", "Mo-Fr 09:00-14:00,16:00-20:00"), ("Mo-Fr\n9:00-17:00", "Mo-Fr 09:00-17:00"),
            ("Mo-Fr / 9:00-17:00", "Mo-Fr 09:00-17:00"), ("Mo-Fr - 9:00-17:00", "Mo-Fr 09:00-17:00"),
            ("Mo, We, Fr, 9:00-17:00, Sa, 10:00-14:00", "Mo,We,Fr 09:00-17:00, Sa 10:00-14:00"),
            ("Sa/So 10-18 Uhr", "Sa,Su 10:00-18:00"), ("Mon/Wed/Fri 9:00-17:00", "Mo,We,Fr 09:00-17:00"),
            ("Lun/Ven 9h-18h", "Mo,Fr 09:00-18:00"), ("Lunes a viernes", "Mo-Fr unknown"), ("Abierto", "unknown"),
            ("todos los días", "Mo-Su unknown"),
            ("täglich 10-18 Uhr, So 12-16 Uhr", "Mo-Su 10:00-18:00; Su 12:00-16:00"),
            ("todos los días 10-20, domingos 11-15", "Mo-Su 10:00-20:00; Su 11:00-15:00"),
            ("Mo-Fr, 24h", "Mo-Fr 00:00-24:00"), ("Mo-Fr 9:00-17:00; domingo, cerrado", "Mo-Fr 09:00-17:00; Su off"),
            ("Jul-Aug, 9:00-17:00", "Jul-Aug 09:00-17:00"), ("Jul-Aug, Mo-Fr, 9:00-17:00", "Jul-Aug Mo-Fr 09:00-17:00"),
            ("Jul-Aug, Mo-Fr 9:00-17:00", "Jul-Aug Mo-Fr 09:00-17:00"), ("Dec 24, 9:00-13:00", "Dec 24 09:00-13:00"),
            ("Dec 24, 9h-13h", "Dec 24 09:00-13:00"), ("week 10-20, Mo 9:00-17:00", "week 10-20 Mo 09:00-17:00"),
            // Texts that may mean more days than are meant.
            ("Mo-Fr; 09:00-17:00", nil), ("09:00-17:00, Mo-Fr", nil), ("09:00-17:00; Mo-Fr", nil),
            ("Mo-Fr off, 09:00-17:00", nil), ("Mo-Fr, Jul-Aug, 9:00-17:00", nil), ("Dec 24, 9-13", nil),
            ("Dec 24, Mo-Fr 9:00-17:00", nil), ("Mo-Fr 9:00-17:00; 24/7", nil), ("Mo-Fr\n;9:00-17:00", nil),
            ("9:00-17:00\nMo-Fr\n10:00-14:00\nSa", nil), ("Mo-Fr, ring, 9:00-17:00", nil),
            ("Jul-Aug\nMo-Fr 9:00-17:00", nil), ("Jul-Aug; Mo-Fr 9:00-17:00", nil),
        ])
    func daysAndTimes(_ text: String, _ reading: String?) throws {
        expect(reading, of: text)
    }

    @Test(
        "An exception closes its days, and one with times of its own is not guessed",
        arguments: [
            ("Mo-Fr 10:00-20:00, excepto festivos", "Mo-Fr 10:00-20:00"),
            ("todos los días excepto domingos 9:00-21:00", "Mo-Su 09:00-21:00; Su off"),
            ("tous les jours sauf le dimanche 9h-19h", "Mo-Su 09:00-19:00; Su off"),
            ("täglich außer Sonntag 10-18 Uhr", "Mo-Su 10:00-18:00; Su off"),
            ("Täglich 10-18 Uhr, außer Sonn- und Feiertagen", nil),
            ("Mo-Sa 9:00-13:00 except We", "Mo-Sa 09:00-13:00; We off"),
            ("daily 9:00-17:00 (except Mondays and Tuesdays)", "Mo-Su 09:00-17:00; Mo,Tu off"),
            ("tutti i giorni tranne il lunedì, 10:00-18:00", "Mo-Su 10:00-18:00; Mo off"),
            ("diariamente exceto segunda 9h-18h", "Mo-Su 09:00-18:00; Mo off"),
            ("alle dagen behalve zondag 9:00-17:00", "Mo-Su 09:00-17:00; Su off"),
            ("cada dia excepte dilluns 9:00-17:00", "Mo-Su 09:00-17:00; Mo off"),
            ("Mo-Fr 9:00-17:00 except We; Sa 10:00-14:00", "Mo-Fr 09:00-17:00; We off; Sa 10:00-14:00"),
            ("Mo-Fr 9:00-17:00 except We 9:00-13:00", nil), ("Mo-Fr 9:00-17:00 except We, Sa 10:00-14:00", nil),
            ("daily except Su; 9:00-21:00", nil), ("daily except Su", nil), ("except Su", nil),
            ("Mo-Fr 9:00-17:00 except in August", nil),
        ])
    func exceptions(_ text: String, _ reading: String?) {
        expect(reading, of: text)
    }

    @Test(
        "A dot after a time ends a sentence, and noon may have its number",
        arguments: [
            (
                "Lunes-Viernes: 10:00-20:00. Sábado: 10:00-14:00. Domingo cerrado",
                "Mo-Fr 10:00-20:00; Sa 10:00-14:00; Su off"
            ),
            ("lun-ven 9h-19h. Sam 10h-18h.", "Mo-Fr 09:00-19:00; Sa 10:00-18:00"),
            ("lun-ven 9h-19h. Samedi 10h-18h", "Mo-Fr 09:00-19:00; Sa 10:00-18:00"),
            ("Mo-Fr 9-18 Uhr. Sa 10-14 Uhr", "Mo-Fr 09:00-18:00; Sa 10:00-14:00"),
            ("Mon-Fri 9am-12noon, 1pm-5pm", "Mo-Fr 09:00-12:00,13:00-17:00"),
            ("Mo-Fr 8-12.30 u. 14-18", "Mo-Fr 08:00-12:30,14:00-18:00"), ("Mo. 9:00-17:00", "Mo 09:00-17:00"),
            (
                "Lunes a viernes de 10 a 14 y de 17 a 20:30. Sábados de 10 a 14. Domingos cerrado.",
                "Mo-Fr 10:00-14:00,17:00-20:30; Sa 10:00-14:00; Su off"
            ),
            ("Mon-Fri 9am-5pm. Sat 10am-2pm. Sun closed.", "Mo-Fr 09:00-17:00; Sa 10:00-14:00; Su off"),
            ("Mo. - Fr. 9-18. Sa. 10-14. So. geschlossen.", "Mo-Fr 09:00-18:00; Sa 10:00-14:00; Su off"),
            ("Lundi au vendredi de 9 à 18. Dimanche fermé.", "Mo-Fr 09:00-18:00; Su off"),
            ("dal lunedì al venerdì 9.30-18. Sabato 10-13", "Mo-Fr 09:30-18:00; Sa 10:00-13:00"),
            ("segunda a sexta 9-18. Domingo fechado.", "Mo-Fr 09:00-18:00; Su off"),
            ("ma-vr 9-18. za 10-17. zo gesloten.", "Mo-Fr 09:00-18:00; Sa 10:00-17:00; Su off"),
            ("dilluns a divendres 9-14. Diumenge tancat", "Mo-Fr 09:00-14:00; Su off"),
            ("L. a V. de 9 a 14.\nS. cerrado.", "Mo-Fr 09:00-14:00; Sa off"),
            ("L-V 10-20. Cerrado domingos y festivos.", "Mo-Fr 10:00-20:00; Su off"),
            ("L-V 10-20. Fines de semana 11-14", "Mo-Fr 10:00-20:00; Sa,Su 11:00-14:00"),
            ("Domingos cerrado. Lunes a sábado 10-20", "Su off; Mo-Sa 10:00-20:00"),
            // The number before a dot may be of a day, and what is closed is not opened.
            ("Mo-Fr 9-17. 24. Dez geschlossen", nil), ("Mo-Fr 9-17. 24 Dec closed", nil),
            ("Mo-Fr 9-12, 15-17. Dez geschlossen", nil), ("Mo-Fr 9-17. 1. Samstag 10-14", nil),
            ("L-V de 10 a 14. De 17 a 20", nil), ("Mo-Fr 9-17. Closed", nil), ("Closed. Mo-Fr 9-17", nil),
            ("Cerrado en agosto. L-V 9-14", nil), ("Agosto cerrado. L-V 9-14", nil),
            ("Domingos cerrado. Todos los días 10-20", nil), ("Domingos cerrado\nTodos los días 10-20", nil),
            ("Dec.", nil), ("Mo-Fr 9-17..", nil),
        ])
    func sentences(_ text: String, _ reading: String?) {
        expect(reading, of: text)
    }

    @Test(
        "Rows add to each other, and only a semicolon replaces",
        arguments: [
            ("Mo-Fr 09:00-13:00 / Mo-Fr 16:00-20:00", "Mo-Fr 09:00-13:00, Mo-Fr 16:00-20:00"),
            ("Mo-Fr 09:00-13:00\nMo-Fr 16:00-20:00", "Mo-Fr 09:00-13:00, Mo-Fr 16:00-20:00"),
            ("Mo-Fr 09:00-13:00\r\nMo-Fr 16:00-20:00\r\n", "Mo-Fr 09:00-13:00, Mo-Fr 16:00-20:00"),
            ("Mo-Fr 09:00-13:00 | Fr 16:00-20:00", "Mo-Fr 09:00-13:00, Fr 16:00-20:00"),
            ("Mo-Fr 09:00-13:00 Mo-Fr 16:00-20:00", "Mo-Fr 09:00-13:00, Mo-Fr 16:00-20:00"),
            ("Mo-Fr 09:00-13:00\n16:00-20:00", "Mo-Fr 09:00-13:00,16:00-20:00"),
            ("lun-ven 9h-12h / lun-ven 14h-18h", "Mo-Fr 09:00-12:00, Mo-Fr 14:00-18:00"),
            ("L-V 9-14 | L-J 16-20 | S 10-14", "Mo-Fr 09:00-14:00, Mo-Th 16:00-20:00; Sa 10:00-14:00"),
            ("Mo-Fr 09:00-13:00,\nMo-Fr 16:00-20:00", "Mo-Fr 09:00-13:00, Mo-Fr 16:00-20:00"),
            ("Mo-Fr 09:00-13:00;\nMo-Fr 16:00-20:00", "Mo-Fr 09:00-13:00; Mo-Fr 16:00-20:00"),
            ("Mo-Fr 09:00-18:00\nFr off", "Mo-Fr 09:00-18:00, Fr off"),
            ("Mo-Fr 09:00-14:00 / Mo-Fr 13:00-20:00", "Mo-Fr 09:00-14:00, Mo-Fr 13:00-20:00"),
            // A row of fewer days has its own hours.
            ("Mo-Su 09:00-20:00 | Su 10:00-14:00", "Mo-Su 09:00-20:00; Su 10:00-14:00"),
            ("Mo-Fr 09:00-20:00\nDec 24 09:00-13:00", "Mo-Fr 09:00-20:00; Dec 24 09:00-13:00"),
            ("Su 10:00-14:00\nMo-Su 09:00-20:00", nil), (String(repeating: "Mo 9-17\n", count: 2500), nil),
        ])
    func rows(_ text: String, _ reading: String?) {
        expect(reading, of: text)
    }

    @Test(
        "Common words of hours are read in several languages",
        arguments: [
            ("Lunes-Viernes 9:00-14:00 17:00-20:00", "Mo-Fr 09:00-14:00,17:00-20:00"),
            ("8h30-12h 13h30-17h30", "08:30-12:00,13:30-17:30"), ("9:00-14:00 17:00", nil),
            ("9:30 a 14:00 - 16:30 a 20:00", "09:30-14:00,16:30-20:00"), ("9:30-14:00-16:30-20:00", nil),
            ("de 9 a 14 h. y de 17 a 20 h.", "09:00-14:00,17:00-20:00"), ("9u-18u", "09:00-18:00"),
            ("M-F 8a-5p", "Mo-Fr 08:00-17:00"), ("L-V 8 a 17", "Mo-Fr 08:00-17:00"),
            ("Di-Sa 10-18 Uhr", "Tu-Sa 10:00-18:00"), ("Do-Sa 10-18 Uhr", "Th-Sa 10:00-18:00"),
            ("Do-Sa 10:00-18:00", nil), ("S-D 10-14", "Sa,Su 10:00-14:00"), ("S y D 10-14", "Sa,Su 10:00-14:00"),
            ("mar.-dim. 10h-18h", "Tu-Su 10:00-18:00"), ("laborables 9:00-14:00", "Mo-Fr 09:00-14:00"),
            ("dias úteis 9h-18h", "Mo-Fr 09:00-18:00"), ("werktags 9-18 Uhr", nil),
            ("julio-agosto 10:00-14:00", "Jul-Aug 10:00-14:00"),
            ("Juli bis August 10:00-14:00 Uhr", "Jul-Aug 10:00-14:00"), ("Juli bis August 10-14 Uhr", nil),
            ("Horario: L-V 9-14", "Mo-Fr 09:00-14:00"), ("Horario de apertura: L-V 9-14", "Mo-Fr 09:00-14:00"),
            ("Opening hours: 9am-5pm", "09:00-17:00"), ("Horario", nil), ("Orario Di 10:00-18:00", nil),
            ("Hours: Mo 9-17", "Mo 09:00-17:00"),
            ("M-F 9am-5pm", "Mo-Fr 09:00-17:00"), ("M-Th 9am-5pm; F 9am-3pm", "Mo-Th 09:00-17:00; Fr 09:00-15:00"),
            ("M,W,F 9:00-17:00", "Mo,We,Fr 09:00-17:00"), ("T-F 10:00-18:00", "Tu-Fr 10:00-18:00"),
            ("M-F 9:00-17:00, S 10:00-14:00", nil), ("M-S 9am-5pm", nil),
            ("Mon thru Fri 9am-5pm", "Mo-Fr 09:00-17:00"), ("Mon through Fri 9am to noon", "Mo-Fr 09:00-12:00"),
            ("Mon-Fri 9am-midnight", "Mo-Fr 09:00-24:00"),
            ("maandag t/m vrijdag 9.00-17.00", "Mo-Fr 09:00-17:00"), ("elke dag 9:00-17:00", "Mo-Su 09:00-17:00"),
            ("todos los días 10:00-22:00", "Mo-Su 10:00-22:00"), ("Todos los días, de 10 a 22h", "Mo-Su 10:00-22:00"),
            ("7j/7 9h-20h", "Mo-Su 09:00-20:00"), ("7/7 9h-20h", "Mo-Su 09:00-20:00"),
            ("7 jours sur 7, de 9h à 20h", "Mo-Su 09:00-20:00"), ("tous les jours 9h-19h", "Mo-Su 09:00-19:00"),
            ("24 hrs", "24/7"), ("Open 24 hrs", "24/7"), ("Mo-Fr 24hrs", "Mo-Fr 00:00-24:00"), ("24-hour", "24/7"),
            ("Sa 24 hr", "Sa 00:00-24:00"), ("24 hours notice", nil), ("12am-12am", nil),
            ("24h/24 7j/7", "24/7"), ("24h/24", "24/7"), ("24 hours a day, 7 days a week", "24/7"),
            ("jeden Tag 9-18 Uhr", "Mo-Su 09:00-18:00"), ("täglich, 9-18 Uhr", "Mo-Su 09:00-18:00"),
            ("tutti i giorni 9:00-19:30", "Mo-Su 09:00-19:30"), ("todos os dias 10h-22h", "Mo-Su 10:00-22:00"),
            ("every day 10:00-18:00", "Mo-Su 10:00-18:00"), ("open 7 days a week 10:00-18:00", "Mo-Su 10:00-18:00"),
            ("segunda-feira a sexta-feira 9h-18h", "Mo-Fr 09:00-18:00"), ("2a feira, 9h-18h", "Mo 09:00-18:00"),
            ("dilluns a divendres 9:00-14:00; diumenge tancat", "Mo-Fr 09:00-14:00; Su off"),
            ("fines de semana 10:00-14:00", "Sa,Su 10:00-14:00"), ("le week-end 10h-14h", "Sa,Su 10:00-14:00"),
            ("los domingos 10:00-14:00", "Su 10:00-14:00"),
            ("Montag Ruhetag; Di-So 9-18 Uhr", "Mo off; Tu-Su 09:00-18:00"),
        ])
    func words(_ text: String, _ reading: String?) {
        expect(reading, of: text)
    }

    @Test(
        "A fault names the text as written",
        arguments: [
            ("Mo 7j/7 9h-20h", "7j/7"), ("lunes todos los días 9:00-10:00", "todos los dias"),
            ("jueves jueves 9:00-10:00", "jueves"), ("10:00-12:00 noon", "noon"), ("ring us", "ring"),
        ])
    func faults(_ text: String, _ named: String) {
        let warnings = OpeningHours(text).warnings
        #expect(warnings.count == 1 && warnings[0].contains("'\(named)'"), "\(text): \(warnings)")
    }

    @Test("IANA's names without a region are time zones, and abbreviations are not") func zones() throws {
        let winter = try instant("2026-01-15T12:00:00Z"), summer = try instant("2026-07-15T12:00:00Z")
        for (zone, atWinter, atSummer) in [
            ("EST", 7, 7), ("MST", 5, 5), ("HST", 2, 2), ("CET", 13, 14), ("MET", 13, 14), ("EET", 14, 15),
            ("WET", 12, 13), ("EST5EDT", 7, 8), ("PST8PDT", 4, 5), ("GB", 12, 13), ("GMT", 12, 12), ("Japan", 21, 21),
        ] {
            let clock = try #require(WallClock.of(zone: zone))
            #expect(WallClock.isZone(zone) && clock.zone == zone)
            for (at, hour) in [(winter, atWinter), (summer, atSummer)] {
                let hours = OpeningHours("\(hour < 10 ? "0" : "")\(hour):00-\(hour < 9 ? "0" : "")\(hour + 1):00")
                #expect(hours.state(at: at, by: clock) == .open, "\(zone) \(hours.text)")
            }
        }
        for name in ["CST", "PST", "IST", "BST", "CEST", "EDT", "GMT+1", "+01:00", "est"] {
            #expect(!WallClock.isZone(name), "\(name)")
        }
    }
}
