import Discovery
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Search origins of people who look for strangers.
@Suite struct SearchOriginTests {
    private func searchOrigin(_ engine: TestEngine, _ seconds: Int, of name: String = "ana") -> Coordinate? {
        engine.engine.read { $0.searchOrigin(of: id(name), at: morning + .seconds(seconds)) }
    }

    /// Fix times and batches are random.
    @Test("A search origin moves at most every two minutes, by at least 500 m") func moves() async throws {
        try await withEngine { engine in
            let names = (0..<40).map { "p\($0)" }
            try await engine.perform(
                PutPeople(
                    names.map { name in
                        Write(
                            person(name) {
                                $0.throttle = ThrottleOverride(distance: 0, interval: .zero)
                                $0.city = name.hasSuffix("3") ? "Madrid" : nil
                            })
                    }))
            var random = SeededGenerator(seed: 12)
            var last: [String: Coordinate] = [:]
            var changed: [String: Int] = [:]
            var now = 0
            for _ in 0..<50 {
                let reports = names.flatMap { name in
                    (0..<random.integer(0...3)).map { _ in
                        PingReport(
                            person: id(name), time: morning + .seconds(now - random.integer(0...9000)),
                            place: random.jittered(valencia, metres: random.pick([300, 900, 5000])))
                    }
                }
                try await engine.perform(Record(reports), at: morning + .seconds(now))
                let next = now + random.integer(1...90)
                for second in now..<next {
                    for (number, name) in names.enumerated() {
                        guard let place = searchOrigin(engine, second, of: name) else { continue }
                        if let before = last[name], before != place {
                            let far = Geodesic.distance(from: before, to: place) >= 500
                            let since = second - (changed[name] ?? -1000)
                            #expect(far && since >= 120, "person \(number) at \(second) s, \(since) s after the last")
                            changed[name] = second
                        }
                        if last[name] == nil { changed[name] = second }
                        last[name] = place
                    }
                }
                now = next
            }
            let moved = names.count { name in changed[name].map { $0 > 1000 } ?? false }
            #expect(moved > 30)
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, engine.canonicalDump) == [])
            try restarted.store.close()
        }
    }

    @Test("A track uploaded at once moves the search origin to its end in two minutes")
    func uploadedTrack() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let track = (0..<20).map { ping(Double($0) * 150, east(Double($0) * 700)) }
            for (number, report) in track.enumerated() {
                #expect(try await engine.send(report, at: morning + .seconds(5000 + number)) == [.stored])
            }
            for second in 5019...5119 { #expect(searchOrigin(engine, second) == east(0)) }
            #expect(searchOrigin(engine, 5120) == east(19 * 700))
            _ = try await engine.send(ping(4000, east(0)), at: morning + .seconds(5200))
            #expect(searchOrigin(engine, 5239) == east(19 * 700), "it had moved at 5120 s")
            #expect(searchOrigin(engine, 5240) == east(0))
        }
    }

    @Test("The first position takes effect at once") func firstPosition() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana") { $0.city = "Madrid" })
            _ = try await engine.send(ping(0, valencia), at: morning + .seconds(1))
            #expect(searchOrigin(engine, 1) == valencia)
            _ = try await engine.send(ping(200, east(5000)), at: morning + .seconds(2))
            #expect(searchOrigin(engine, 120) == valencia && searchOrigin(engine, 121) == east(5000))
        }
    }

    @Test("A change of city moves the search origin no faster") func changedCity() async throws {
        try await withEngine { engine in
            func move(to city: String, at second: Int) async throws {
                try await engine.perform(
                    PutPeople([Write(person("ana") { $0.city = city })]), at: morning + .seconds(second))
            }
            try await move(to: "Bilbao", at: -10)
            try await move(to: "Madrid", at: 0)
            let madrid = try #require(searchOrigin(engine, 0))
            try await move(to: "Gandia", at: 10)
            try await move(to: "Sevilla", at: 20)
            #expect(searchOrigin(engine, 119) == madrid)
            let sevilla = try #require(searchOrigin(engine, 120))
            #expect(sevilla != madrid)
            try await move(to: "Gandia", at: 130)
            #expect(searchOrigin(engine, 239) == sevilla && searchOrigin(engine, 240) != sevilla)
            _ = try await engine.send(ping(241, valencia), at: morning + .seconds(241))
            #expect(searchOrigin(engine, 359) != valencia && searchOrigin(engine, 360) == valencia)
        }
    }

    @Test("Deletion of a position moves the search origin no sooner") func deletedPosition() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, east(0)), at: morning + .seconds(1000))
            _ = try await engine.send(ping(500, east(5000)), at: morning + .seconds(1200))
            #expect(searchOrigin(engine, 1200) == east(5000))
            let key = PingKey(time: morning + .seconds(500), sequence: 0)
            try await engine.perform(Erase(id("ana"), [key]), at: morning + .seconds(1210))
            #expect(searchOrigin(engine, 1319) == nil, "what is deleted is not kept")
            #expect(searchOrigin(engine, 1320) == east(0))
            #expect(throws: Refusal.noPosition(id("ana"))) {
                try engine.engine.strangers(StrangerQuery(viewer: id("ana"), limit: 1), at: morning + .seconds(1300))
            }
            let restarted = try await engine.restarted()
            #expect(searchOrigin(restarted, 1319) == nil && searchOrigin(restarted, 1320) == east(0))
            try restarted.store.close()
        }
    }

    @Test("Removal of the city between two others moves the search origin no faster") func removedCity() async throws {
        try await withEngine { engine in
            func move(to city: String?, at second: Int) async throws {
                try await engine.perform(
                    PutPeople([Write(person("ana") { $0.city = city })]), at: morning + .seconds(second))
            }
            try await move(to: "Bilbao", at: -20)
            try await move(to: nil, at: -10)
            #expect(searchOrigin(engine, -10) == nil)
            try await move(to: "Madrid", at: 0)
            let madrid = try #require(searchOrigin(engine, 0))
            for (second, city) in [(10, nil), (20, "Gandia"), (30, nil), (40, "Sevilla")] {
                try await move(to: city, at: second)
            }
            for second in 40..<120 { #expect(searchOrigin(engine, second) == madrid, "\(second)") }
            #expect(try #require(searchOrigin(engine, 120)) != madrid)
            // A city that took effect after a wait counts as a move, even when it is removed.
            try await move(to: nil, at: 130)
            try await move(to: "Bilbao", at: 140)
            #expect(searchOrigin(engine, 239) != searchOrigin(engine, 240))
            for second in 140..<239 { #expect(searchOrigin(engine, second) == searchOrigin(engine, 239), "\(second)") }
        }
    }

    @Test("Deletion of a position that took effect after a wait is a move") func deletedOrigin() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, east(0)), at: morning + .seconds(1000))
            _ = try await engine.send(ping(500, east(5000)), at: morning + .seconds(1010))
            #expect(searchOrigin(engine, 1119) == east(0) && searchOrigin(engine, 1120) == east(5000))
            let key = PingKey(time: morning + .seconds(500), sequence: 0)
            try await engine.perform(Erase(id("ana"), [key]), at: morning + .seconds(1121))
            _ = try await engine.send(ping(900, east(9000)), at: morning + .seconds(1122))
            for second in 1122..<1240 { #expect(searchOrigin(engine, second) == nil, "\(second)") }
            #expect(searchOrigin(engine, 1240) == east(9000))
        }
    }
}
