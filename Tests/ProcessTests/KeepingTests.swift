import Foundation
import GRDB
import Storage
import Synchronization
import Testing

/// Commands that keep the data safe: `cerca backup`, `restore`, `check`, and `checkpoint`.
@Suite(.timeLimit(.minutes(60))) struct KeepingTests {
    @Test("A backup under load has all positions acknowledged before") func backupUnderLoad() async throws {
        try await withFolder { folder in
            let (data, new) = (folder.appending(path: "data"), folder.appending(path: "new"))
            let backup = folder.appending(path: "backup.sqlite").path
            let service = try await Service(data: data)
            try await makePeople(service)
            let isEnough = Atomic(false)
            let rounds = Atomic(0)
            async let load = walk(service, from: 2000) {
                rounds.add(1, ordering: .relaxed)
                return isEnough.load(ordering: .relaxed)
            }
            for minute in 0..<20 { try await send(service, minute) }
            try await wait(until: { rounds.load(ordering: .relaxed) > 1 }, { "nothing was written" })
            let result = try Program.run("backup", backup, "--data", data.path)
            #expect(result.code == 0 && result.output.contains(backup), "\(result.errors)")
            isEnough.store(true, ordering: .relaxed)
            #expect(try await load > 2000, "it was written meanwhile")
            #expect(try Program.run("check", "--data", data.path).code == 0)
            #expect(service.stop() == 0)

            #expect(try Program.run("restore", backup, "--data", new.path).code == 0)
            let check = try Program.run("check", "--data", new.path)
            #expect(check.code == 0 && check.output.contains("sound, 3 people"), "\(check.output)\(check.errors)")
            let again = try await Service(data: new)
            for person in 0..<3 {
                let path = "/v1/people/p\(person)/history?fields=t&datetime=2020-01-01T00:00:00Z/2020-01-01T01:00:00Z"
                #expect(try await again.send("GET \(path)").body.matches(of: /"t"/).count == 20)
            }
            #expect(again.stop() == 0)
            try await expectPart(of: data, new)
        }
    }

    @Test("Existing files are replaced only with --force") func existingFiles() async throws {
        try await withFolder { folder in
            let (data, backup) = (folder.appending(path: "data"), folder.appending(path: "backup.sqlite"))
            try await makeData(data)
            try Data("precious".utf8).write(to: backup)
            let refused = try Program.run("backup", backup.path, "--data", data.path)
            #expect(refused.code == 73 && refused.errors.contains("--force"))
            #expect(try Data(contentsOf: backup) == Data("precious".utf8))
            #expect(try Program.run("backup", backup.path, "--data", data.path, "--force").code == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: backup.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try Program.run("restore", backup.path, "--data", data.path).code == 73)
            #expect(try Program.run("restore", backup.path, "--data", data.path, "--force").code == 0)
            let kept = try FileManager.default.contentsOfDirectory(atPath: data.path).sorted()
            #expect(kept.count == 3 && kept.prefix(2) == ["cerca.sqlite", "lock"] && kept[2].hasPrefix("replaced-"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasSuffix(".partial") })
        }
    }

    /// Otherwise the service would continue to write into a file without a name.
    @Test("A backup never replaces a database in use") func databaseInUse() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            try await makePeople(service)
            let result = try Program.run("backup", file(data).path, "--data", data.path, "--force")
            #expect(result.code != 0 && result.errors.contains("only 'cerca restore' may replace"), "\(result)")
            try await send(service, 0)
            #expect(service.stop() == 0)
            let again = try await Service(data: data)
            #expect(try await again.send("GET /v1/people/p0/history").body.contains(#""t":"#))
            #expect(again.stop() == 0)
        }
    }

    @Test("A failed restore leaves the old database with its log") func failedRestore() async throws {
        try await withFolder { folder in
            let (data, backup) = (folder.appending(path: "data"), folder.appending(path: "backup.sqlite"))
            try await makeData(data)
            #expect(try Program.run("backup", backup.path, "--data", data.path).code == 0)
            let service = try await Service(data: data)
            try await send(service, 500)
            service.kill()
            // A folder takes the path of the copy.
            let partial = file(data).appendingPathExtension("partial")
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: false)
            #expect(try Program.run("restore", backup.path, "--data", data.path, "--force").code != 0)
            try FileManager.default.removeItem(at: partial)
            let again = try await Service(data: data)
            let path = "/v1/people/p0/history?fields=t&datetime=2020-01-01T08:00:00Z/.."
            #expect(try await again.send("GET \(path)").body.contains(#""t":"2020-01-01T08:20:00Z""#))
            #expect(again.stop() == 0)
        }
    }

    /// A receiver that jumped is not damage.
    @Test("Suspect positions are sound") func suspectPositions() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            try await makePeople(service)
            var pings = [(0, 40.0), (1300, 43.0), (1430, 40.0), (1560, 40.0), (1690, 40.0)].map { seconds, latitude in
                #"{"person":"p0","t":\#(1_577_836_800 + seconds),"lat":\#(latitude),"lon":0}"#
            }
            let first = try await service.send("POST /v1/pings", pings.removeFirst())
            #expect(first.body.contains("stored"))
            for ping in pings { _ = try await service.send("POST /v1/pings", ping) }
            #expect(service.stop() == 0)
            let check = try Program.run("check", "--data", data.path, "--json")
            #expect(check.code == 0, "\(check.output)")
            let report = try #require(try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any])
            #expect(report["faults"] as? [String] == [] && (report["rows"] as? [String: Int])?["people"] == 3)
            let suspects = try await DatabaseQueue(path: file(data).path).read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM pings WHERE suspect = 1")
            }
            #expect(suspects == 1)
        }
    }

    @Test("A folder in use is neither restored nor checkpointed") func folderInUse() async throws {
        try await withFolder { folder in
            let (data, backup) = (folder.appending(path: "data"), folder.appending(path: "backup.sqlite"))
            let service = try await Service(data: data)
            #expect(try Program.run("backup", backup.path, "--data", data.path).code == 0)
            for command in [["restore", backup.path, "--force"], ["checkpoint"]] {
                let result = try Program.runAll(command + ["--data", data.path])
                #expect(result.code == 75 && result.errors.contains("process \(service.pid)"), "\(command)")
            }
            #expect(try await service.send("GET /readyz").status == 200)
            #expect(service.stop() == 0)
        }
    }

    @Test("A file that is not a backup is not restored") func notABackup() async throws {
        try await withFolder { folder in
            let (file, data) = (folder.appending(path: "some.sqlite"), folder.appending(path: "data"))
            #expect(try Program.run("restore", file.path, "--data", data.path).code == 66)
            try Data("no database at all".utf8).write(to: file)
            #expect(try Program.run("restore", file.path, "--data", data.path).code == 65)
            try Data().write(to: file)
            #expect(try Program.run("restore", file.path, "--data", data.path).code == 65)
            #expect(!FileManager.default.fileExists(atPath: data.path))
            #expect(try Program.run("check", "--data", data.path).code == 66)
        }
    }

    @Test("A backup of a newer program is refused") func newerBackup() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            try await DatabaseQueue(path: file(data).path).write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 something of the future')")
            }
            let result = try Program.run("restore", file(data).path, "--data", folder.appending(path: "new").path)
            #expect(result.code == 65 && result.errors.contains("schema 99, written by a later program"))
        }
    }

    @Test("Every kind of damage is named") func kindsOfDamage() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            #expect(try Program.run("check", "--data", data.path).code == 0)
            let sound = try Data(contentsOf: file(data))
            for (change, sentence) in Self.damages {
                try await openDatabase(file(data)).writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \(change)")
                }
                let result = try Program.run("check", "--data", data.path)
                #expect(result.code == 65 && result.output.contains(sentence), "\(change): \(result.output)")
                try sound.write(to: file(data))
            }
        }
    }

    private static let damages = [
        ("DELETE FROM people WHERE id = 'p1'", "references: row 1 of positions refers to a missing row of people"),
        ("UPDATE pings SET position = zeroblob(60) WHERE person = 0", "pings: of person 0 at"),
        ("UPDATE pings SET hidden = 1 WHERE person = 0", "in a cell in which no search finds it"),
        ("UPDATE positions SET public_cell = 0 WHERE person = 0", "positions: of person 0 at"),
        (
            "UPDATE positions SET time_ms = time_ms - 1 WHERE person = 0",
            "last positions: the last position of 'p0' is not its newest"
        ),
        ("UPDATE pings SET accuracy_m = -1e30 WHERE person = 0", "pings: of person 0 at"),
        ("UPDATE pings SET heading = 9e999 WHERE person = 0", "pings: of person 0 at"),
        ("UPDATE positions SET time_ms = 9223372036854775807 WHERE person = 1", "positions: of person 1 at"),
        ("UPDATE people SET throttle_interval_ms = 9223372036854775807 WHERE number = 1", "people: row 1"),
        ("UPDATE people SET sharing = '{\"precision\":\"precise\"}' WHERE number = 1", "people: row 1"),
        ("INSERT INTO sharings VALUES (1, 0, '{}')", "sharings: of person 1"),
        ("DELETE FROM positions WHERE person = 2", "last positions: the last position of 'p2' is not its newest"),
        ("INSERT INTO ping_log VALUES (1, x'0109')", "log: row 1: ping log cut short"),
        ("DELETE FROM idx_places_position", "spatial index: 'shop' is not at its position in the R*Tree of places"),
        ("INSERT INTO idx_places_position VALUES (99, 1, 1, 1, 1)", "spatial index: '99' is not at its position"),
    ]

    @Test("A flipped byte is named") func flippedByte() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            let sound = try Data(contentsOf: file(data))
            let (start, point) = try await DatabaseQueue(path: file(data).path).read { db in
                let page = try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'pings'") ?? 0
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
                return ((page - 1) * size, try Data.fetchOne(db, sql: "SELECT position FROM places") ?? Data())
            }
            let place = try #require(sound.range(of: point)).lowerBound
            for (offset, sentence) in [
                (start, "pages: "), (place + 50, "places: the position of 'shop' is not a point"),
            ] {
                var bytes = sound
                bytes[offset] ^= 1
                try bytes.write(to: file(data))
                let result = try Program.run("check", "--data", data.path)
                #expect(result.code == 65 && result.output.contains(sentence), "\(result.output)\(result.errors)")
                let new = folder.appending(path: "new")
                #expect(try Program.run("restore", file(data).path, "--data", new.path).code == 65)
                #expect(!FileManager.default.fileExists(atPath: new.path))
            }
        }
    }

    @Test("A checkpoint after a crash leaves one file") func checkpoint() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            try await makePeople(service)
            try await send(service, 0)
            service.kill()
            let before = try Program.run("check", "--data", data.path)
            #expect(before.code == 0, "\(before.output)\(before.errors)")
            #expect(try Program.run("checkpoint", "--data", data.path).code == 0)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: data.path).sorted() == ["cerca.sqlite", "lock"])
            #expect(
                try Program.run("check", "--data", data.path).output.contains(
                    "3 pings, 3 positions, 0 pings in the log"))
        }
    }

    // MARK: - Data

    private func file(_ data: URL) -> URL { data.appending(path: Store.fileName) }

    private func makePeople(_ service: Service) async throws {
        for person in 0..<3 {
            let reply = try await service.send(
                "PUT /v1/people/p\(person)", #"{"throttle":{"distance_m":0,"interval_s":0}}"#)
            #expect(reply.status == 201)
        }
    }

    /// Sends a position of each of three people at a minute since the start of 2020.
    private func send(_ service: Service, _ minute: Int) async throws {
        let pings = (0..<3).map { person in
            #"{"person":"p\#(person)","t":\#(1_577_836_800 + minute * 60),"lat":\#(person + 1),"lon":\#(Double(minute % 100) / 1000)}"#
        }
        let reply = try await service.send("POST /v1/pings", "[\(pings.joined(separator: ","))]")
        #expect(reply.body.hasPrefix(#"{"stored":3"#), "\(reply.body)")
    }

    /// Sends positions until it is enough, and returns the minute after the last.
    private func walk(_ service: Service, from start: Int, until isEnough: () -> Bool) async throws -> Int {
        var minute = start
        while !isEnough() {
            try await send(service, minute)
            minute += 1
        }
        return minute
    }

    private func makeData(_ data: URL) async throws {
        let service = try await Service(data: data)
        try await makePeople(service)
        for minute in 0..<3 { try await send(service, minute) }
        let shop = #"{"kind":"store","name":"Shop","lat":39.5,"lon":-0.4}"#
        #expect(try await service.send("PUT /v1/places/shop", shop).status == 201)
        #expect(service.stop() == 0)
    }

    /// Expects that the copy has the pings of the original up to a time.
    private func expectPart(of original: URL, _ copy: URL) async throws {
        try await DatabaseQueue(path: file(copy).path).writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS original", arguments: [file(original).path])
            let columns = "person, time_ms, sequence, received_ms, device, public_cell, position"
            let invented = "SELECT \(columns) FROM main.pings EXCEPT SELECT \(columns) FROM original.pings"
            let missing = """
                SELECT \(columns) FROM original.pings WHERE time_ms <= (SELECT max(time_ms) FROM main.pings)
                EXCEPT SELECT \(columns) FROM main.pings
                """
            for query in [invented, missing] { #expect(try Row.fetchAll(db, sql: query).isEmpty) }
            try db.execute(sql: "DETACH original")
        }
    }
}
