import Geo
import Simulator
import Testing

/// The simulator's independent model of how the service throttles positions.
@Suite struct ThrottleModelTests {
    private let start = SimulatedTime(milliseconds: 1_700_000_000_000)
    private let home: Coordinate

    init() throws { home = try Coordinate(latitude: -17.8, longitude: 179.999) }

    private func fix(_ seconds: Double, east metres: Double, accuracy: Float? = 10) -> Fix {
        Fix(
            time: start + seconds, place: Geodesic.destination(from: home, bearing: 90, metres: metres),
            accuracy: accuracy)
    }

    @Test("A position is judged by the stored positions before and after it") func verdicts() {
        var model = ThrottleModel(ServiceRules())
        let rows: [(Fix, String)] = [
            (fix(0, east: 0), "stored"), (fix(0, east: 0), "duplicate"), (fix(119, east: 900), "throttled:interval"),
            (fix(120, east: 499.9), "throttled:distance"), (fix(120, east: 500.1), "stored"),
            (fix(500, east: 9_000, accuracy: 201), "inaccurate"), (fix(900, east: 5_000, accuracy: 201), "stored"),
            (fix(500, east: 2_000), "stored"), (fix(700, east: 2_400), "throttled:distance"),
            (fix(700, east: 4_600), "stored"), (fix(781, east: 9_000), "throttled:interval"),
            (fix(1_100, east: 80_000), "impossible_speed"), (fix(87_299, east: 5_001), "throttled:distance"),
            (fix(87_300, east: 5_001), "stored"),
        ]
        for (fix, verdict) in rows { #expect(model.record([fix]) == [verdict], "\(fix)") }
        #expect(model.points.map { $0.fix.time - start } == [0, 120, 500, 700, 900, 87_300])
        let last = fix(87_300, east: 5_001)
        let hint = Hint(from: last.place, beyond: 500, notBefore: last.time + 120, until: last.time + 86_400)
        #expect(model.hint == hint)
        #expect(model.points.dropLast().last?.seenUntil == last.time, "it is the same stay")
    }

    @Test("A batch is judged in order of time and answered in its own order") func batches() {
        var model = ThrottleModel(ServiceRules())
        #expect(
            model.record([fix(200, east: 600), fix(0, east: 0), fix(60, east: 600)])
                == ["stored", "stored", "throttled:interval"])
    }

    @Test("Three consistent positions outweigh the one that they contradict") func outliers() {
        var model = ThrottleModel(ServiceRules())
        let fixes = [
            fix(0, east: 0), fix(1_000, east: 300_000), fix(1_120, east: 1_000), fix(1_180, east: 1_050),
            fix(1_240, east: 1_100),
        ]
        #expect(model.record(fixes) == ["stored", "stored", "impossible_speed", "impossible_speed", "stored"])
        #expect(model.points.map(\.isSuspect) == [false, true, false])
        #expect(model.last?.fix == fixes[4])
    }

    @Test("A throttled ping confirms the stay before it") func stays() {
        var model = ThrottleModel(ServiceRules())
        _ = model.record([fix(0, east: 0), fix(60, east: 10), fix(300, east: 20), fix(90, east: 30)])
        #expect(model.last?.seenUntil == start + 300)
    }

    @Test("The newest fix is shown to viewers with exact access") func newestFix() {
        var model = ThrottleModel(ServiceRules())
        _ = model.record([fix(0, east: 0)])
        for (sent, metres, since, until) in [
            (fix(60, east: 300), 300.0, 0.0, 60.0), (fix(90, east: 900), 900, 90, 90), (fix(80, east: 10), 900, 90, 90),
            (fix(91, east: 9_000), 900, 90, 90), (fix(100, east: 400), 400, 100, 100),
            (fix(110, east: 400), 400, 100, 110), (fix(130, east: 600), 600, 130, 130),
            (fix(200, east: 620), 620, 130, 200), (fix(150, east: 1_500), 620, 200, 200),
            (fix(210, east: 630), 630, 200, 210), (fix(3_811, east: 610), 610, 3_811, 3_811),
            (fix(3_820, east: 620), 620, 3_811, 3_820),
        ] {
            _ = model.record([sent])
            #expect(model.shown?.fix.place == fix(0, east: metres).place, "\(sent)")
            #expect(model.shown?.fix.time == start + until && model.shown?.since == start + since, "\(sent)")
        }
    }

    @Test(
        "Times are read in the format that the service writes",
        arguments: [
            ("2026-11-20T10:15:00Z", 1_795_169_700_000), ("1970-01-01T00:00:00Z", 0),
            ("2024-02-29T23:59:59.125Z", 1_709_251_199_125), ("2026-13-01T00:00:00Z", nil),
            ("2026-11-20 10:15:00Z", nil),
            ("2026-11-20T10:15:00+01:00", nil), ("", nil),
        ])
    func times(text: String, milliseconds: Int?) {
        #expect(SimulatedTime(rfc3339: text)?.milliseconds == milliseconds.map(Int64.init))
    }
}
