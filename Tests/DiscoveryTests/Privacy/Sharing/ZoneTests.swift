import Discovery
import Geo
import Laws
import Model
import Storage
import Structures
import TestSupport
import Testing

/// Privacy zones, their displacement, and the positions visible within them.
@Suite struct ZoneTests {
    private func zone(_ name: String, _ centre: Coordinate = valencia, _ radius: Double = 2000) -> PrivacyZone {
        PrivacyZone(id: id(name), centre: centre, radius: radius)
    }

    private func zoned(_ name: String, _ zones: [PrivacyZone]) -> Person {
        person(name) { $0.sharing.zones = zones }
    }

    private func shown(_ engine: TestEngine) throws -> Position {
        try engine.engine.read { state throws(Refusal) in
            try state.position(of: id("ana"), for: .person(id("luis")), at: morning + .seconds(86_400))
        }
    }

    /// The public cells that discovery uses.
    private func cells(_ engine: TestEngine) -> [String] { engine.canonicalDump.filter { $0.hasPrefix("cell ") } }

    @Test("The displaced center is random within a ring, and always the same") func displacement() throws {
        let key = SipKey([UInt8](repeating: 3, count: 32))
        var (inner, turns) = (0, [Int](repeating: 0, count: 8))
        let count = 4000
        for number in 0..<count {
            let zone = zone("z\(number)")
            let middle = zone.displacedCentre(of: id("ana"), key)
            let distance = Geodesic.distance(from: valencia, to: middle)
            #expect((99.9...200.1).contains(distance), "\(number): \(distance)")
            #expect(middle == zone.displacedCentre(of: id("ana"), key))
            #expect(middle != zone.displacedCentre(of: id("eva"), key))
            #expect(middle != zone.displacedCentre(of: id("ana"), SipKey([UInt8](repeating: 4, count: 32))))
            let wider = self.zone("z\(number)", valencia, 3000)
            #expect(middle == wider.displacedCentre(of: id("ana"), key), "a radius gives no other draw")
            if distance < 150 { inner += 1 }
            turns[Int(Geodesic.bearing(from: valencia, to: middle) / 45) & 7] += 1
        }
        // 150 m divides the ring 5 to 7; four standard deviations.
        #expect(abs(Double(inner) / Double(count) - 5.0 / 12) < 0.032)
        #expect(turns.allSatisfy { abs(Double($0) - Double(count) / 8) < 84 }, "\(turns)")
        #expect(PrivacyZone.radii.lowerBound > PrivacyZone.displacement.upperBound)
    }

    /// Runs the body with Ana's zone of 400 m, and a function of the distance to its border, negative inside.
    private func withZone(_ body: (TestEngine, _ border: (Coordinate) -> Double) async throws -> Void) async throws {
        try await withEngine { engine in
            let zone = zone("home", valencia, 400)
            try await engine.add(zoned("ana", [zone]))
            let middle = zone.displacedCentre(of: id("ana"), SipKey(try engine.store.secret(.zones)))
            try await body(engine) { Geodesic.distance(from: middle, to: $0) - 400 }
        }
    }

    @Test("A crossing of the border of a zone needs no distance to be stored") func throttle() async throws {
        try await withZone { engine, border in
            let edge = try #require((100..<700).first { border(east(Double($0))) > 0 })
            let (inside, outside) = (east(Double(edge) - 5), east(Double(edge) + 5))
            #expect(try await engine.send(ping(0, east(0))) == [.stored])
            #expect(try await engine.send(ping(200, east(50))) == [.throttledByDistance])
            #expect(try await engine.send(ping(400, outside)) == [.stored], "who leaves is shown where they leave")
            #expect(try await engine.send(ping(410, inside)) == [.throttledByInterval])
            #expect(try await engine.send(ping(600, outside)) == [.throttledByDistance])
            #expect(try await engine.send(ping(800, inside)) == [.stored], "who enters is hidden at once")
            #expect(try await engine.send(ping(1000, inside)) == [.throttledByDistance])
        }
    }

    @Test("A hint ends at the border of a zone") func hint() async throws {
        try await withZone { engine, border in
            for (time, metres) in [(0.0, 0.0), (1000, -2000)] {
                let reported = ping(time, east(metres))
                let hint = try #require(try await engine.hinted(reported, at: morning + .seconds(time)).hints.first)
                let distance = abs(border(east(metres)))
                #expect(hint.beyond == min(500, max(50, distance)) && hint.from == east(metres), "\(hint), \(distance)")
            }
        }
    }

    /// Ana crosses her zone from west to east, and both she and her friend Luis share exactly.
    @Test("Inside a zone, others see the cell of the entry") func entryCell() async throws {
        try await withEngine { engine in
            var engine = engine
            try await engine.add(zoned("ana", [zone("home")]), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning)
            _ = try await engine.send(ping(0, east(-5000)))
            #expect(try shown(engine).place == east(-5000) && shown(engine).precision == .exact)
            _ = try await engine.send(ping(1000, east(-1700)))
            let entry = CubeCell(containing: east(-1700), level: 13)
            let discovered = cells(engine)
            for (step, metres) in [-1100, -500, 100, 700, 1300].enumerated() {
                #expect(try await engine.send(ping(2000 + Double(step) * 1000, east(Double(metres)))) == [.stored])
                if step == 2 { engine = try await engine.restarted() }
                if step == 4 { try await engine.engine.compact() }
                let seen = try shown(engine)
                #expect(seen.place == entry.centre && seen.precision == .approximate, "\(metres)")
                #expect(seen.seenUntil == nil && seen.time.milliseconds % 900_000 == 0)
                #expect(cells(engine) == discovered, "nor does discovery tell of moves inside")
            }
            #expect(CubeCell(containing: east(1300), level: 13) != entry)
            _ = try await engine.send(ping(9000, east(5000)))
            #expect(try shown(engine).place == east(5000))
            func then(_ second: Double, _ caller: Caller = .person(id("luis"))) async throws -> PastPosition {
                try await engine.engine.position(
                    of: id("ana"), at: morning + .seconds(second), by: caller, now: morning + .seconds(86_400))
            }
            let before = try await then(899)
            #expect(before.place == east(-5000) && before.method == .last && before.next == nil, "no way leads inside")
            #expect(try await then(899, .service).method == .interpolated)
            let cell = CubeCell(containing: east(-5000), level: 13)
            for (second, cell) in [(900, cell), (999, cell), (1000, cell), (1800, entry), (3500, entry), (8999, entry)]
            {
                let inside = try await then(Double(second))
                #expect(inside.place == cell.centre && inside.precision == .approximate && inside.next == nil)
                #expect(inside.uncertainty == nil && inside.seenUntil == nil)
                let quarter = morning + .seconds(second / 900 * 900)
                #expect(inside.time + inside.age == quarter, "when one went in is told no finer than what follows")
            }
            #expect(try await then(9000).place == east(5000))
            try engine.store.close()
        }
    }

    @Test("A zone applies at once and to the past, and still hides after its removal") func removal() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning)
            _ = try await engine.send(ping(0, valencia))
            #expect(try shown(engine).place == valencia)
            let centre = CubeCell(containing: valencia, level: 13).centre
            try await engine.add(zoned("ana", [zone("home", valencia, 300)]))
            #expect(try shown(engine).place == centre)
            let then = try await engine.engine.position(
                of: id("ana"), at: morning + .seconds(10), by: .person(id("luis")), now: morning + .seconds(86_400))
            #expect(then.place == centre)
            _ = try await engine.send(ping(1000, east(1000)), ping(2000, valencia))
            try await engine.add(person("ana"))
            #expect(try shown(engine).place == centre, "it was stored in a zone")
            let first = try await engine.engine.position(
                of: id("ana"), at: morning, by: .person(id("luis")), now: morning + .seconds(86_400))
            #expect(first.place == valencia, "this one was not")
            let again = try await engine.restarted()
            #expect(try shown(again).place == centre)
            try again.store.close()
        }
    }

    /// Ana comes home from eight directions on eight evenings, visible to friends and strangers in one cell.
    @Test("The first entry determines the cell of a zone, from any direction") func firstEntry() async throws {
        try await withEngine { engine in
            var engine = engine
            try await engine.add(zoned("ana", [zone("home")]), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning)
            var (places, listed): (Set<Coordinate>, Set<[String]>) = ([], [])
            for evening in 0..<8 {
                let start = Double(evening) * 9000
                for (step, metres) in [5000.0, 1600, 0].enumerated() {
                    let place = Geodesic.destination(
                        from: valencia, bearing: Double(evening) * 45, metres: metres)
                    #expect(try await engine.send(ping(start + Double(step) * 1000, place)) == [.stored])
                    guard step > 0 else { continue }
                    places.insert(try shown(engine).place)
                    listed.insert(cells(engine))
                }
                switch evening {
                case 2: engine = try await engine.restarted()
                case 4: try await engine.engine.compact()
                case 5: try await engine.engine.writePendingStays(dueAt: nil)
                case 6:
                    _ = try await engine.engine.erase(
                        of: id("ana"), in: morning..<morning + .seconds(99_000), where: nil, by: .service,
                        received: morning + .seconds(86_400))
                default: break
                }
            }
            let entry = Geodesic.destination(from: valencia, bearing: 0, metres: 1600)
            #expect(places == [CubeCell(containing: entry, level: 13).centre])
            #expect(listed.count == 1)
            try engine.store.close()
        }
    }

    @Test("The cell shown when a zone is created stays its cell") func initialCell() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning)
            _ = try await engine.send(ping(0, valencia))
            try await engine.add(zoned("ana", [zone("home")]))
            let centre = CubeCell(containing: valencia, level: 13).centre
            #expect(try shown(engine).place == centre)
            _ = try await engine.send(ping(1000, east(9000)), ping(2000, east(-1700)))
            #expect(try shown(engine).place == centre)
        }
    }

    /// A walk from one zone into the other shows nothing in between.
    @Test("Overlapping zones act as one") func overlap() async throws {
        try await withEngine { engine in
            try await engine.add(zoned("ana", [zone("home"), zone("work", east(3000))]), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning)
            let entry = CubeCell(containing: east(-1700), level: 13).centre
            for (step, metres) in [-1700.0, 0, 1500, 3000, 9000, 4700, 1500, -1700].enumerated() {
                #expect(try await engine.send(ping(Double(step) * 1000, east(metres))) == [.stored])
                #expect(try shown(engine).place == (metres == 9000 ? east(9000) : entry), "at \(metres)")
            }
        }
    }

    @Test("The remembered cell of a zone is dropped with it") func droppedCell() async throws {
        try await withEngine { engine in
            func remembered(_ engine: TestEngine) throws -> [Coordinate] {
                try engine.engine.read { state throws(Refusal) in
                    try state.strangerTraces(of: id("ana")).rememberedCells
                }
                .filter { $0.key == nil }.map(\.place)
            }
            try await engine.add(zoned("ana", [zone("home"), zone("work", east(12_000), 5000)]))
            _ = try await engine.send(ping(0, east(-1700)), ping(1000, east(16_700)))
            #expect(try remembered(engine) == [east(12_000), valencia])
            try await engine.add(zoned("ana", [zone("home", valencia, 3000), zone("work", east(12_000), 300)]))
            #expect(try remembered(engine) == [valencia], "the other one is too small for its cell now")
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, engine.canonicalDump) == [])
            try await restarted.add(zoned("ana", [zone("home", east(10), 3000)]))
            #expect(try remembered(restarted) == [])
            try restarted.store.close()
        }
    }

    /// Positions stored before the zone, or before cells were remembered, would otherwise reveal as much.
    @Test("Past positions in a zone have its current cell") func pastCell() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning - .seconds(9000))
            _ = try await engine.send(ping(0, east(-1700)), ping(1800, east(1300)), ping(3600, east(-1700)))
            func then(_ second: Double) async throws -> Coordinate {
                try await engine.engine.position(
                    of: id("ana"), at: morning + .seconds(second), by: .person(id("luis")),
                    now: morning + .seconds(86_400)
                ).place
            }
            #expect(try await then(1800) == east(1300))
            try await engine.add(zoned("ana", [zone("home")]))
            let first = CubeCell(containing: east(-1700), level: 13).centre
            #expect(CubeCell(containing: east(1300), level: 13).centre != first)
            for second in [0.0, 1800, 3600] { #expect(try await then(second) == first) }
        }
    }

    /// A stay in a zone adds no remembered cell if the visible cell is far away.
    @Test("A cell that is never shown is not remembered") func hiddenCells() async throws {
        try await withEngine { engine in
            try await engine.add(zoned("ana", [zone("home", east(50))]))
            for day in 0..<10 {
                let home = east(Double(day) * 210 - 800)
                _ = try await engine.send(
                    ping(Double(day) * 9000, east(-1500)), ping(Double(day) * 9000 + 1000, home),
                    ping(Double(day) * 9000 + 5000, east(7000)))
            }
            let rememberedCells = try engine.engine.read { state throws(Refusal) in
                try state.strangerTraces(of: id("ana")).rememberedCells
            }
            let stayed = rememberedCells.filter { $0.key != nil }
            #expect(stayed.count > 2)
            #expect(stayed.filter { $0.cell.overshoot(of: $0.place) > 0.35 } == [])
        }
    }

    @Test("Encounters do not include times in a zone") func encounters() async throws {
        try await withEngine { engine in
            try await engine.add(zoned("ana", [zone("home")]), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning)
            for name in ["ana", "luis"] {
                _ = try await engine.send(
                    ping(0, east(-5000), of: name), ping(1200, east(-500), of: name), ping(2400, east(100), of: name),
                    ping(3600, east(5000), of: name), ping(4800, east(6000), of: name))
            }
            let query = EncounterQuery(
                of: id("luis"), with: id("ana"), within: 100, during: morning..<morning + .seconds(86_400))
            func times(_ caller: Caller) async throws -> [ClosedRange<Int64>] {
                try await engine.engine.encounters(query, by: caller, now: morning + .seconds(86_400)).encounters.map {
                    ($0.times.lowerBound - morning).milliseconds / 1000...($0.times.upperBound - morning).milliseconds
                        / 1000
                }
            }
            #expect(try await times(.service) == [0...4800])
            #expect(try await times(.person(id("luis"))) == [0...0, 3600...4800])
            try await engine.add(zoned("ana", []))
            #expect(try await times(.person(id("luis"))) == [0...0, 3600...4800], "what was stored in a zone stays so")
        }
    }
}
