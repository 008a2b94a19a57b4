import Discovery
import Foundation
import GRDB
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Changes of the cell that is visible to strangers.
@Suite struct PublicCellTests {
    private func cell(_ engine: TestEngine, of name: String = "ana") throws -> CubeCell {
        try #require(engine.engine.read { $0.publicCell(of: id(name)) })
    }

    /// Forty people wander without staying anywhere.
    @Test("The cell changes only well beyond its border") func hysteresis() async throws {
        try await withEngine { engine in
            let names = (0..<40).map { "p\($0)" }
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            var random = SeededGenerator(seed: 3)
            var places = names.map { _ in valencia }
            var cells: [CubeCell?] = names.map { _ in nil }
            var (kept, left) = (0, 0)
            for step in 0..<60 {
                for index in names.indices {
                    places[index] = Geodesic.destination(
                        from: places[index], bearing: random.number(0..<360), metres: random.number(500..<900))
                }
                let time = morning + .seconds(step * 200)
                let reports = zip(names, places).map { PingReport(person: id($0), time: time, place: $1) }
                try await engine.perform(Record(reports), at: time)
                for (index, name) in names.enumerated() {
                    let now = try cell(engine, of: name)
                    defer { cells[index] = now }
                    guard let before = cells[index] else { continue }
                    if now == before {
                        kept += before.contains(places[index]) ? 0 : 1
                        #expect(before.overshoot(of: places[index]) <= 0.15, "person \(index), step \(step)")
                    } else {
                        left += 1
                        #expect(before.overshoot(of: places[index]) > 0.15, "person \(index), step \(step)")
                        #expect(now.contains(places[index]))
                    }
                }
            }
            #expect(kept > 50 && left > 500)
        }
    }

    /// People come home from any direction, with any error of the receiver.
    @Test("A home is always in one cell") func homeCell() async throws {
        try await withEngine { engine in
            let names = (0..<60).map { "p\($0)" }
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            var random = SeededGenerator(seed: 4)
            let homes = names.map { _ in random.jittered(valencia, metres: 20_000) }
            var cells: [Set<CubeCell>] = names.map { _ in [] }
            for day in 0..<12 {
                let evening = morning + .seconds(86_400 * day)
                let reports = zip(names, homes).flatMap { name, home in
                    [(random.jittered(home, metres: 4000), 0), (random.jittered(home, metres: 25), 7200)].map {
                        place, second in
                        PingReport(person: id(name), time: evening + .seconds(second), place: place)
                    }
                }
                let recorded = try await engine.perform(Record(reports), at: evening + .seconds(7200))
                for (index, name) in names.enumerated() where recorded.verdicts[2 * index + 1] == .stored {
                    cells[index].insert(try cell(engine, of: name))
                }
            }
            #expect(cells.allSatisfy { $0.count == 1 }, "\(cells.map(\.count))")
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, engine.canonicalDump) == [])
            try restarted.store.close()
        }
    }

    /// A place near the border of the cell that contains another place.
    private func edge(of place: Coordinate) -> Coordinate {
        let cell = CubeCell(containing: place, level: 13)
        let home = Geodesic.destination(from: cell.centre, bearing: 0, metres: 10)
        return (0..<1000).map { Geodesic.destination(from: home, bearing: 90, metres: Double($0)) }
            .first { cell.depth(of: $0) < 0.05 } ?? home
    }

    /// The times that identify the remembered cells of the only person.
    private func rememberedCells(_ engine: TestEngine) throws -> [Timestamp] {
        let packed = try engine.store.inspect { db in
            try Data.fetchOne(db, sql: "SELECT places FROM remembered_places") ?? Data()
        }
        return stride(from: 0, to: packed.count, by: 25).map { start in
            packed.withUnsafeBytes {
                Timestamp(milliseconds: Int64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Int64.self)))
            }
        }
    }

    @Test("Of nine remembered cells the oldest is dropped") func oldestCell() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let visits = (0..<10).map { ping(Double($0) * 3600, edge(of: east(Double($0) * 20_000))) }
            try await engine.perform(Record(Array(visits.prefix(9))), at: morning + .seconds(86_400))
            #expect(try rememberedCells(engine) == visits.prefix(8).compactMap(\.time), "she has not left the ninth")
            try await engine.perform(Record([visits[9]]), at: morning + .seconds(86_400))
            #expect(try rememberedCells(engine) == visits[1..<9].compactMap(\.time))
        }
    }

    @Test("The time of a visit to a remembered cell is written once a day") func visitTime() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let home = edge(of: valencia)
            for (hour, known) in [(0.0, 0.0), (4, 0), (23, 0), (25, 25)] {
                _ = try await engine.send(
                    ping(hour * 3600, home), ping(hour * 3600 + 3600, east(9000)), at: morning + .seconds(200_000))
                #expect(try rememberedCells(engine) == [morning + .seconds(known * 3600)], "after hour \(hour)")
            }
        }
    }

    @Test("A remembered cell is dropped when its position is deleted") func deletedHome() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let edge = edge(of: valencia)
            _ = try await engine.send(ping(0, edge), ping(3600, east(9000)))
            #expect(engine.canonicalDump.contains { $0.contains("RememberedCell") })
            try await engine.perform(
                Erase(id("ana"), [PingKey(time: morning, sequence: 0)]), at: morning + .seconds(9000))
            #expect(!engine.canonicalDump.contains { $0.contains("RememberedCell") })
            let restarted = try await engine.restarted()
            #expect(!restarted.canonicalDump.contains { $0.contains("RememberedCell") })
            try restarted.store.close()
        }
    }

    /// Thousands of people of one city are in one cell, of whom a page examines a few.
    @Test("A crowded cell is listed in pages") func crowdedCell() async throws {
        try await withEngine { engine in
            let names = (0..<3000).map { "p\($0)" }
            try await engine.perform(
                PutPeople(
                    (["ana", "eva"] + names).map { name in
                        Write(
                            person(name) {
                                $0.city = "Gandia"
                                if name.hasSuffix("7") { $0.sex = .other }
                            })
                    }))
            try await engine.add(
                person("young") {
                    $0.city = "Gandia"; $0.born = CalendarDate(year: 2015, month: 1, day: 1)
                })
            func all(_ viewer: String, _ change: (inout StrangerQuery) -> Void = { _ in }) throws -> [[String]] {
                var query = StrangerQuery(viewer: id(viewer), limit: 50)
                query.maxScan = 200
                change(&query)
                var pages: [[String]] = []
                repeat {
                    let page = try engine.engine.strangers(query, at: morning)
                    pages.append(page.strangers.map(\.id.text))
                    query.after = page.next
                } while query.after != nil
                return pages
            }
            let whole = try all("ana")
            #expect(whole.joined().sorted() == (["eva"] + names).sorted())
            #expect(whole.count >= 60 && whole.allSatisfy { $0.count <= 50 })
            #expect(try all("eva").joined().filter { $0 != "ana" } != whole.joined().filter { $0 != "eva" })
            let some = try all("ana") { $0.sexes = [.other] }
            #expect(some.joined().sorted() == names.filter { $0.hasSuffix("7") }.sorted())
            #expect(some.count > 10, "a page ends at the scan limit within the cell")
            #expect(throws: Refusal.notAdult(id("young"))) { try all("young") }
        }
    }
}
