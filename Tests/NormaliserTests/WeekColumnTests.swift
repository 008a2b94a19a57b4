import Normaliser
import TestSupport
import Testing

/// Lists of places with columns for each day.
@Suite struct WeekColumnTests {
    private let normaliser = PlaceNormaliser(gazetteer: gazetteer)

    @Test(
        "A column for each day is read by its name in several languages",
        arguments: [
            ("monday=09:00-18:00;tuesday=09:00-18:00", "Mo-Tu 09:00-18:00"),
            ("hours_monday=09:00-18:00;hours_tuesday=09:00-18:00", "Mo-Tu 09:00-18:00"),
            ("openingHoursMonday=09:00-18:00;Opening hours: Sunday=closed", "Mo 09:00-18:00; Su off"),
            ("monday_open=09:00;monday_close=18:00;tuesday_open=09:00;tuesday_close=18:00", "Mo-Tu 09:00-18:00"),
            ("open_mon=09:00:00;close_mon=18:00:00", "Mo 09:00-18:00"),
            ("MondayOpen=9:00 AM;MondayClose=6:00 PM", "Mo 9:00 AM-6:00 PM"),
            (
                "monday_open_1=09:00;monday_close_1=13:00;monday_open_2=16:00;monday_close_2=20:00",
                "Mo 09:00-13:00,16:00-20:00"
            ),
            ("lunes=9:00-14:00;miércoles=9:00-14:00;domingo=cerrado", "Mo 9:00-14:00; We 9:00-14:00; Su off"),
            ("Horario lunes=9:00-14:00", "Mo 9:00-14:00"),
            ("lunes_apertura=09:00;lunes_cierre=14:00", "Mo 09:00-14:00"),
            ("lunes mañana=9:00-14:00;lunes tarde=17:00-20:00", "Mo 9:00-14:00,17:00-20:00"),
            ("lundi=9h-19h;jeudi=9h-19h;dimanche=fermé", "Mo 9h-19h; Th 9h-19h; Su off"),
            ("lundi_ouverture=09:00;lundi_fermeture=19:00", "Mo 09:00-19:00"),
            ("lundi_matin=9h-12h;lundi_apres_midi=14h-19h", "Mo 9h-12h,14h-19h"),
            ("Montag=9-18 Uhr;Sonntag=geschlossen", "Mo 9-18 Uhr; Su off"),
            ("Montag von=09:00;Montag bis=18:00", "Mo 09:00-18:00"),
            ("lunedì=9:00-19:30;domenica=chiuso", "Mo 9:00-19:30; Su off"),
            ("orario_lunedi=9:00-19:30", "Mo 9:00-19:30"),
            ("segunda-feira=9h-19h;terça-feira=9h-19h;domingo=fechado", "Mo-Tu 9h-19h; Su off"),
            ("segunda_abertura=09:00;segunda_fecho=19:00", "Mo 09:00-19:00"), ("maandag=9:00-18:00", "Mo 9:00-18:00"),
            ("lun=9h-19h;mar=9h-19h;mer=9h-19h", "Mo-We 9h-19h"),
            ("Mo=9-18 Uhr;Di=9-18 Uhr;Mi=9-18 Uhr", "Mo-We 9-18 Uhr"),
            ("monday=9:00-13:00; 16:00-20:00|sunday_closed=true", "Mo 9:00-13:00, 16:00-20:00; Su off"),
            ("monday=09:00-18:00;monday_closed=false", "Mo 09:00-18:00"),
            ("weekdays=09:00-18:00;saturday=10:00-14:00", "Mo-Fr 09:00-18:00; Sa 10:00-14:00"),
            ("weekday_open=09:00;weekday_close=18:00;weekend=closed", "Mo-Fr 09:00-18:00; Sa-Su off"),
            ("mon_fri=09:00-18:00;sat=10:00-14:00;sun=closed", "Mo-Fr 09:00-18:00; Sa 10:00-14:00; Su off"),
            ("Mon-Fri Hours=09:00-18:00;Sat-Sun=closed", "Mo-Fr 09:00-18:00; Sa-Su off"),
            ("monday_to_thursday=09:00-18:00;friday=09:00-15:00", "Mo-Th 09:00-18:00; Fr 09:00-15:00"),
            ("Mon-Thu=09:00-18:00", "Mo-Th 09:00-18:00"), ("hours_mon_wed=09:00-18:00", nil),
            ("weekdays=09:00-18:00;wednesday=closed", "Mo-Tu 09:00-18:00; We off; Th-Fr 09:00-18:00"),
            ("Lunes a viernes=9:00-14:00;fin de semana=cerrado", "Mo-Fr 9:00-14:00; Sa-Su off"),
            ("Montag bis Freitag=9-18 Uhr;Wochenende=geschlossen", "Mo-Fr 9-18 Uhr; Sa-Su off"),
            ("lundi au vendredi=9h-19h;week-end=fermé", "Mo-Fr 9h-19h; Sa-Su off"),
            ("sunday_thursday=09:00-17:00", nil), ("Sunday-Thursday=09:00-17:00", "Mo-Th 09:00-17:00; Su 09:00-17:00"),
            ("monday=24 hrs;tuesday=Open 24 Hours", "Mo 24 hrs; Tu Open 24 Hours"),
            ("monday_open=24 hrs;monday_close=24 hrs", "Mo 24 hrs"),
            // Headers in lowercase, as tables give them.
            ("mondayopen=09:00;mondayclose=18:00", "Mo 09:00-18:00"),
            ("openinghoursmonday=9:00-18:00", "Mo 9:00-18:00"),
            ("mondayopen1=09:00;mondayclose1=13:00;mondayopen2=16:00;mondayclose2=20:00", "Mo 09:00-13:00,16:00-20:00"),
            ("mondayhours=9:00-18:00", "Mo 9:00-18:00"), ("lunesapertura=9:00;lunescierre=18:00", "Mo 9:00-18:00"),
            ("friends=09:00-18:00", nil), (String(repeating: "isopen", count: 9) + "qmonday=09:00-18:00", nil),
            ("monday_opens_at=9:00;monday_closes_at=18:00", "Mo 9:00-18:00"),
            ("horario l-v=9:00-18:00;horario sábado=10:00-14:00", "Mo-Fr 9:00-18:00; Sa 10:00-14:00"),
            ("l-v mañana=9:00-14:00;l-v tarde=17:00-20:00", "Mo-Fr 9:00-14:00,17:00-20:00"),
            ("hours_fr=9:00-18:00", nil),
            ("lun=;mar=;mié=;jue=;vie=10-20;sáb=10-14;dom=", "Fr 10-20; Sa 10-14"),
            // Flags.
            ("monday_is_open=true;monday_open=09:00;monday_close=18:00", "Mo 09:00-18:00"),
            ("monday_enabled=1;monday=9:00-18:00;sunday_enabled=0", "Mo 9:00-18:00; Su off"),
            ("domingo_abierto=no", "Su off"), ("abierto_domingo=9:00-14:00", "Su 9:00-14:00"),
            ("hours_monday_isopen=falso", "Mo off"), ("domingos cerrado=sí", "Su off"),
            ("weekdays=9:00-18:00;monday_closed=false", "Mo-Fr 9:00-18:00"),
            // Breaks, minutes and turns.
            (
                "monday_open=09:00;monday_close=18:00;monday_break_start=13:00;monday_break_end=14:00",
                "Mo 09:00-13:00,14:00-18:00"
            ),
            (
                "monday=09:00-18:00;lunch_start=1:00 PM;lunch_end=2:00 PM;sunday=closed",
                "Mo 09:00-13:00,14:00-18:00; Su off"
            ),
            (
                "monday_open_hour=9;monday_open_minute=30;monday_close_hour=18;monday_close_minute=0",
                "Mo 9:30-18:00"
            ),
            (
                "monday.0.open=09:00;monday.0.close=13:00;monday.1.open=16:00;monday.1.close=20:00",
                "Mo 09:00-13:00,16:00-20:00"
            ),
            ("monday_1=9:00-13:00;monday_2=closed", "Mo 9:00-13:00"),
            ("monday=9:00-13:00;monday_2=closed", "Mo 9:00-13:00"),
            ("monday=9:00-14:00;monday_hours=16:00-20:00", "Mo 9:00-14:00,16:00-20:00"),
            ("mar=9:00-12:00;abr=9:00-12:00", nil), ("monday_sales=09:00-12:00", nil),
        ])
    func columns(_ row: String, _ hours: String?) {
        let result = normaliser.normalised(Self.row(row))
        #expect(result.texts["hours"] == hours, "\(row)")
        #expect(result.remarks.isEmpty, "\(result.remarks)")
    }

    @Test(
        "A cell that is not understood makes only its day unknown",
        arguments: [
            "N/A", "--", "0", "Call us", "by appointment", "open", "yes", "?", "9:00-9:00", "Tu 9:00-12:00",
            "9-17 Mo-Fr",
        ])
    func unreadable(_ cell: String) {
        let result = normaliser.normalised(["name": "A", "monday": "07:00-22:00", "sunday": cell, "saturday": "x"])
        #expect(result.texts["hours"] == "Mo 07:00-22:00; Sa off; Su unknown")
        #expect(result.remarks.map(\.detail) == ["'\(cell)' in 'sunday' is not understood: that day is unknown"])
    }

    @Test(
        "Midnight to midnight is closed beside other times, and unknown alone",
        arguments: [
            "00:00-00:00", "0:00-0:00", "00:00 - 00:00", "00:00–00:00", "12am-12am", "12:00 AM - 12:00 AM",
            "12 a.m. to 12 a.m.",
        ])
    func midnight(_ cell: String) {
        let closed = normaliser.normalised(["name": "A", "monday": "07:00-22:00", "sunday": cell])
        #expect(closed.texts["hours"] == "Mo 07:00-22:00; Su off")
        #expect(closed.remarks.map(\.detail) == ["'\(cell)' in 'sunday' was read as closed"])
        let alone = normaliser.normalised(["name": "A", "monday": cell, "sunday": cell])
        #expect(alone.texts["hours"] == "Mo unknown; Su unknown" && alone.remarks.count == 2)
        let whole = normaliser.normalised(["name": "A", "monday": "07:00-22:00", "sunday": "00:00-24:00"])
        #expect(whole.texts["hours"] == "Mo 07:00-22:00; Su 00:00-24:00" && whole.remarks.isEmpty)
    }

    @Test(
        "Columns of days beside one of hours narrow it",
        arguments: [
            ("días=L-V;horario=9:00-18:00", "L-V 9:00-18:00"),
            ("open_days=Mon-Fri;hours=9:00-18:00", "Mon-Fri 9:00-18:00"),
            ("closed_days=Sunday;hours=9:00-18:00", "9:00-18:00; Sunday off"),
            ("dias_cierre=domingo;horario=9:00-18:00", "9:00-18:00; domingo off"),
            ("ruhetag=Montag;öffnungszeiten=9-18 Uhr", "9-18 Uhr; Montag off"),
            ("closed days=none;hours=9:00-18:00", "9:00-18:00"), ("sunday_closed=true;hours=9-18", "9-18; Su off"),
            ("hours=Mo-Su 9:00-18:00;sunday=x;monday=9:00-12:00", "Mo-Su 9:00-18:00; Su off"),
            // Names of days in other languages, which cannot be mixed with the standard names.
            ("openingstijden=ma-zo 9:00-18:00;zondag=gesloten", "Mo-Su 09:00-18:00; Su off"),
            ("horario=Lu-Do 10:00-20:00;domingo=cerrado", "Mo-Su 10:00-20:00; Su off"),
            ("hours=Lu-Di 9h-19h;lundi=fermé", "Mo-Su 09:00-19:00; Mo off"),
            ("horario=Lu-Do 10:00-20:00;closed_on=Monday", "Mo-Su 10:00-20:00; Monday off"),
            // Several columns.
            ("hours=9:00-18:00;closed_days=none;ruhetag=Montag", "9:00-18:00; Montag off"),
            ("hours=9:00-18:00;closed_on=Monday;ruhetag=Dienstag", "9:00-18:00; Monday off; Dienstag off"),
            ("horario=L-V 9:00-18:00;cierra=lunes", "L-V 9:00-18:00; lunes off"),
            ("hours=Mo-Su 9-17;closed=Mondays", "Mo-Su 9-17; Mondays off"),
            ("hours=Mo-Su 9-17;sunday=✗;saturday=✖️", "Mo-Su 9-17; Sa off; Su off"),
            // Hours with days of their own.
            ("días=L-V;horario=Mo-Sa 9:00-18:00", "Mo-Sa 9:00-18:00; Sa,Su off"),
            ("hours=9:00-18:00;open_days=Mon-Sat;days=Mon-Fri", "Mon-Sat 9:00-18:00; Sa,Su off"),
            // Hours with dates, or of several rules.
            ("hours=Apr-Oct 10:00-18:00;open_days=Mon-Fri", "Apr-Oct 10:00-18:00; Sa,Su off"),
            ("hours=Apr-Oct 10:00-18:00;open_days=Mon-Sun", "Apr-Oct 10:00-18:00"),
            ("horario=abril-octubre 10:00-18:00;días=V-L", "abril-octubre 10:00-18:00; Tu,We,Th off"),
            (
                "hours=Apr-Oct 10:00-18:00; Nov-Mar 10:00-16:00|open_days=Mon-Fri",
                "Apr-Oct 10:00-18:00; Nov-Mar 10:00-16:00; Sa,Su off"
            ),
        ])
    func days(_ row: String, _ hours: String) {
        let result = normaliser.normalised(Self.row(row))
        #expect(result.texts["hours"] == hours && result.remarks.isEmpty, "\(row): \(result.remarks)")
    }

    @Test("Days of another column that are not understood make the hours unknown")
    func unreadDays() {
        for (row, hours) in [
            ("días=7;horario=9:00-18:00", "9:00-18:00 ? 7"), ("closed days=Di;hours=9:00-18:00", "9:00-18:00 ? Di"),
            ("hours=9:00-18:00;closed_on=Mo;ruhetag=Di", "9:00-18:00; Mo off ? Di"),
            ("hours=Apr-Oct 10:00-18:00;open_days=5", "Apr-Oct 10:00-18:00 ? 5"),
            ("hours=open;sunday=closed", "open ? Su off"),
            // A day from another column decides nothing about an unclear one.
            ("hours=Do 9:00-18:00;lunes=cerrado", "Do 9:00-18:00"), ("hours=ask us;sunday=closed", "ask us"),
            ("hours=9:00-18:00;sunday_closed=maybe", "9:00-18:00; Su unknown"),
            ("hours=9:00-18:00;sunday=00:00-00:00", "9:00-18:00; Su unknown"),
            ("hours=9:00-18:00;sunday=Closed all day", "9:00-18:00; Su unknown"),
            ("hours=9:00-18:00;sunday_closed=14-18", "9:00-18:00; Su unknown"),
            ("hours=9:00-18:00;sunday=closed;sunday_hours=10-14", "9:00-18:00; Su unknown"),
            ("hours=Mo-Su 9-17;sunday_hours=No", "Mo-Su 9-17; Su unknown"),
            ("hours=Mo-Su 9-17;weekend=no", "Mo-Su 9-17; Sa unknown; Su unknown"),
            ("hours=Mo-Su 9-17;open_days=5", "Mo-Su 9-17 ? 5"),
            ("hours=Mo-Su 9-17;closed=Monday afternoons", "Mo-Su 9-17 ? Monday afternoons"),
        ] {
            let result = normaliser.normalised(Self.row(row))
            #expect(result.texts["hours"] == hours && result.remarks.map(\.kind) == [.doubted], "\(row)")
            #expect(!result.notes.contains { $0.contains("looks like hours") }, "\(row)")
        }
        let unclear = normaliser.normalised(Self.row("tues_open_2=x;tuesday_closed=maybe;horario=9:00-18:00"))
        #expect(unclear.texts["hours"] == "9:00-18:00; Tu unknown" && unclear.remarks.count == 1)
        let long = normaliser.normalised([
            "name": "A", "hours": String(repeating: "Mo 9-17\n", count: 2500), "monday": "closed",
        ])
        #expect(long.remarks.map(\.kind) == [.doubted])
    }

    @Test("A flag or a break that contradicts the times makes its day unknown, or closes it")
    func contradictions() {
        for (row, hours) in [
            ("sunday_enabled=0;sunday_open=09:00;sunday_close=18:00", "Su off"),
            ("monday_open=true;monday_close=18:00", "Mo unknown"), ("monday_closed=false", "Mo unknown"),
            ("monday=9:00-18:00;monday_break=some time", "Mo unknown"),
            ("monday_open_hour=9;monday_open_minute=x;monday_close=18:00", "Mo unknown"),
            ("weekend_closed=yes;sunday=10-14", "Sa-Su off"),
            ("weekend_closed=yes;sunday_open=10:00;sunday_close=14:00", "Sa-Su off"),
            ("weekend_enabled=no;sunday_enabled=yes;sunday=10-14", "Sa-Su off"),
            ("weekend_closed=maybe;sunday=10-14", "Sa-Su unknown"),
            ("monday_closed=13:00-14:00", "Mo unknown"), ("monday_closed=24 hrs", "Mo unknown"),
            // Columns for the same times.
            ("monday=closed;monday_open=09:00;monday_close=17:00", "Mo unknown"),
            ("monday=cerrado;monday_hours=9-18", "Mo unknown"),
            ("monday=closed;monday_open_1=9:00;monday_close_1=13:00", "Mo unknown"),
            ("monday=9-17;hours_monday=9-18", "Mo unknown"), ("monday=9-17;monday_am=closed", "Mo unknown"),
            ("monday_open=09:00;open_monday=10:00;monday_close=18:00", "Mo unknown"),
        ] {
            let result = normaliser.normalised(Self.row(row))
            #expect(result.texts["hours"] == hours, "\(row)")
            #expect(!result.remarks.isEmpty && result.remarks.allSatisfy { $0.kind == .doubted }, "\(row)")
        }
    }

    @Test(
        "A column that looks like hours is a warning if it was not read, beside hours too",
        arguments: [
            "open=9:00", "closes=18:00", "hora_apertura=9:00", "open_time=9:00", "Di von=9:00", "hours_fr=9:00-18:00",
            "hours=9:00-18:00;horario de verano=8:00-15:00", "hours=9:00-18:00;festivos=cerrado",
            "hours=9:00-18:00;monday=8:00-12:00", "hours=9:00-18:00;special hours=2026-12-01: x",
            "hours=9:00-18:00;lunch_start=13:00", "domingo_extra=10:00",
        ])
    func unread(_ row: String) {
        let column = row.split(separator: ";").last?.prefix { $0 != "=" } ?? ""
        let note = "warning: column '\(column)' looks like hours and was not read as such"
        #expect(normaliser.normalised(Self.row(row)).notes.contains(note), "\(row)")
        let other = normaliser.normalised(
            Self.row("hours=9:00-18:00;opening_date=2024-01-01;open=2019;monday_sales=good"))
        #expect(!other.notes.contains { $0.contains("looks like hours") }, "\(other.notes)")
    }

    @Test(
        "A place that is said to be closed is doubted",
        arguments: [
            ("Temporarily closed=TRUE", true), ("is_closed=true", true), ("permanently closed=yes", true),
            ("fecha cierre=2024-01-01", true), ("end_date=2024-01-01", true), ("disused:shop=shoes", true),
            ("estado=Cerrado definitivamente", true), ("active=0", true), ("status=CLOSED", true),
            ("note=Closed permanently", true), ("is_closed=false", false), ("permanently_closed=0", false),
            ("end_date=0000-00-00", false), ("active=true", false), ("estado=Valencia", false), ("closed_days=", false),
        ])
    func closed(_ row: String, _ isClosed: Bool) {
        let result = normaliser.normalised(Self.row(row))
        #expect(result.remarks.map(\.kind) == (isClosed ? [.doubted] : []), "\(row): \(result.remarks)")
        #expect(result.texts["address"]?.contains("Cerrado") != true)
    }

    @Test("A cell of several days that is not understood is remarked once") func group() {
        let result = normaliser.normalised(["name": "A", "weekdays": "ask us", "sunday": "10:00-14:00"])
        #expect(result.texts["hours"] == "Mo-Fr unknown; Su 10:00-14:00")
        #expect(result.remarks.map(\.detail) == ["'ask us' in 'weekdays' is not understood: that day is unknown"])
    }

    @Test("Half of a pair makes its day unknown") func halves() {
        let result = normaliser.normalised([
            "name": "A", "monday_open": "09:00", "monday_close": "18:00", "sunday_open": "10:00",
        ])
        #expect(result.texts["hours"] == "Mo 09:00-18:00; Su unknown")
        #expect(result.remarks.map(\.detail) == ["'10:00' in 'sunday_open' is not understood: that day is unknown"])
    }

    @Test("A zone without summer time is doubted, and an abbreviation is dropped") func zones() {
        let fixed = normaliser.normalised(["name": "A", "timezone": "EST"])
        #expect(fixed.texts["timezone"] == "EST" && fixed.remarks.map(\.kind) == [.doubted])
        let summer = normaliser.normalised(["name": "A", "timezone": "CET"])
        #expect(summer.texts["timezone"] == "CET" && summer.remarks.isEmpty)
        let unknown = normaliser.normalised(["name": "A", "timezone": "CST"])
        #expect(unknown.texts["timezone"] == nil && unknown.remarks.map(\.kind) == [.dropped])
    }

    private static func row(_ text: String) -> [String: String] {
        var row = ["name": "A"]
        for cell in text.split(separator: text.contains("|") ? "|" : ";") {
            let parts = cell.split(separator: "=")
            row[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        return row
    }
}
