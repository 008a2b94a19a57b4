import Foundation
import GRDB
import Storage
import Testing

/// Failures of the storage: the service reports them, stores nothing, and continues when the cause is gone.
@Suite(.timeLimit(.minutes(60))) struct FaultTests {
    @Test("A full disk stores nothing", .enabled(if: Disk.isAllowed, "no file system can be mounted here"))
    func fullDisk() async throws {
        try await withDiskFolder { folder in
            let disk = try Disk(folder.appending(path: "disk"), megabytes: 12)
            defer { disk.remove() }
            let data = disk.folder
            let service = try await Service(data: data)
            try await makePeople(service)
            try await store(service, 0)
            let ballast = disk.folder.appending(path: "ballast")
            try disk.fill(ballast)

            var stored = 0
            var reply = try await send(service, stored + 1)
            while reply.status == 200, stored < 10_000 {
                stored += 1
                reply = try await send(service, stored + 1)
            }
            #expect(reply.status == 503 && reply.body.contains(#""code":"storage_full""#), "\(reply.body)")
            #expect(!reply.body.contains("stored\":"))
            try await expectNewest(service, stored)
            #expect(try await send(service, stored + 2).status == 503, "and stays so")
            try await expectNewest(service, stored)
            #expect(try await service.send("GET /livez").status == 200)

            try FileManager.default.removeItem(at: ballast)
            try await store(service, stored + 1)
            #expect(service.stop() == 0)
            try await expectAll(0...stored + 1, data)
        }
    }

    @Test("A full disk is named at start", .enabled(if: Disk.isAllowed, "no file system can be mounted here"))
    func fullDiskAtStart() async throws {
        try await withDiskFolder { folder in
            let disk = try Disk(folder.appending(path: "disk"), megabytes: 2)
            defer { disk.remove() }
            let ballast = disk.folder.appending(path: "ballast")
            try disk.fill(ballast)
            let data = disk.folder
            let result = try Program.run("serve", "--data", data.path, "--port", "0")
            #expect(result.code == 74 && !result.errors.isEmpty, "\(result.code) \(result.errors)")
        }
    }

    @Test(
        "A write-protected disk is named at start",
        .enabled(if: Disk.isAllowed, "no file system can be mounted here"))
    func writeProtectedDisk() async throws {
        try await withDiskFolder { folder in
            let disk = try Disk(folder.appending(path: "disk"), megabytes: 12)
            defer { disk.remove() }
            let data = disk.folder
            let service = try await Service(data: data)
            try await makePeople(service)
            try await store(service, 0)
            #expect(service.stop() == 0)
            try disk.remount("ro")
            for command in [["serve", "--port", "0"], ["checkpoint"]] {
                let result = try Program.runAll(command + ["--data", data.path])
                #expect(result.code == 74 && result.errors.contains("Read-only file system"), "\(result.errors)")
            }
            try disk.remount("rw")
            let again = try await Service(data: data)
            try await store(again, 1)
            #expect(again.stop() == 0)
            try await expectAll(0...1, data)
        }
    }

    @Test("A locked database stores nothing until it is unlocked") func lockedDatabase() async throws {
        try await withDiskFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            try await makePeople(service)
            try await store(service, 0)
            let device = try await service.send("POST /v1/people/p0/devices", #"{"id":"phone"}"#).body
            let token = try #require(device.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
            let other = try openOther(data)
            try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
            async let phone = service.send("GET /ingest/osmand?token=\(token)&lat=1&lon=2&timestamp=1577836860")
            let reply = try await send(service, 1)
            #expect(try await phone.status == 503, "a phone keeps what it sent")
            #expect(reply.status == 503 && reply.body.contains(#""code":"storage_unavailable""#), "\(reply.body)")
            try await expectNewest(service, 0)
            #expect(try await service.send("GET /v1/people/p0/history").status == 200, "it can be read")
            try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
            try await store(service, 2)
            #expect(service.stop() == 0)
            try await expectAll([0, 2], data)
        }
    }

    @Test("A database that is locked at start is named") func lockedAtStart() async throws {
        try await withDiskFolder { folder in
            let data = folder.appending(path: "data")
            #expect(try await Service(data: data).stop() == 0)
            let other = try openOther(data)
            try await other.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE")
            }
            let result = try Program.run("serve", "--data", data.path, "--port", "0")
            #expect(result.code == 75 && result.errors.contains("is locked by another program"), "\(result.errors)")
            try other.close()
            #expect(try await Service(data: data).stop() == 0)
        }
    }

    @Test("A damaged table loses no acknowledged position") func damagedTable() async throws {
        try await withDiskFolder { folder in
            let data = folder.appending(path: "data")
            let file = data.appending(path: Store.fileName)
            let service = try await Service(data: data)
            try await makePeople(service)
            try await store(service, 0)
            #expect(service.stop() == 0)
            let page = try await DatabaseQueue(path: file.path).read { db in
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'pings'") ?? 0
            }
            try flip((page - 1) * 4096, file)

            let damaged = try await Service(data: data)
            try await store(damaged, 1)
            try await expectNewest(damaged, 1)
            let history = try await damaged.send("GET /v1/people/p0/history")
            #expect(history.status == 500 && !history.body.contains("malformed"), "tells nothing of the inside")
            try await damaged.logs("pings could not be compacted into the tables")
            #expect(try await damaged.send("GET /livez").status == 200)
            damaged.kill()

            try Program.run("check", "--data", data.path).expectFault("pages: ")
            #expect(try Program.run("serve", "--data", data.path, "--port", "0").code == 65)
            try flip((page - 1) * 4096, file)
            let mended = try await Service(data: data)
            try await expectNewest(mended, 1)
            #expect(mended.stop() == 0)
            try await expectAll(0...1, data)
        }
    }

    /// A connection of another program, which may hold a transaction for any time.
    private func openOther(_ data: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: data.appending(path: Store.fileName).path, configuration: configuration)
    }

    private func flip(_ offset: Int, _ file: URL) throws {
        var bytes = try Data(contentsOf: file)
        bytes[offset] ^= 1
        try bytes.write(to: file)
    }

    // MARK: - Pings

    private static let people = 50

    private func makePeople(_ service: Service) async throws {
        let rows = (0..<Self.people).map { #"{"id":"p\#($0)","throttle":{"distance_m":0,"interval_s":0}}"# }
        let reply = try await service.send(
            "POST /v1/imports/people", rows.joined(separator: "\n"), type: "application/x-ndjson")
        #expect(reply.status == 200)
    }

    /// Sends a position of each person at a minute since the start of 2020.
    private func send(_ service: Service, _ minute: Int) async throws -> (status: Int, body: String) {
        let pings = (0..<Self.people).map { person in
            #"{"person":"p\#(person)","t":\#(1_577_836_800 + minute * 60),"lat":1,"lon":\#(Self.longitude(minute))}"#
        }
        return try await service.send("POST /v1/pings", "[\(pings.joined(separator: ","))]")
    }

    private static func longitude(_ minute: Int) -> String { "2.\(1000 + minute % 1000)" }

    private func store(_ service: Service, _ minute: Int) async throws {
        let reply = try await send(service, minute)
        #expect(reply.body.hasPrefix(#"{"stored":\#(Self.people)"#), "\(reply.body.prefix(300))")
    }

    private func expectNewest(_ service: Service, _ minute: Int) async throws {
        let body = try await service.send("GET /v1/people/p7/position").body
        let longitude = Double(Self.longitude(minute)).map { "\($0)" } ?? ""
        #expect(body.contains(#""lon":\#(longitude),"#), "\(body)")
    }

    /// Expects a sound database with the positions of these minutes and no others.
    private func expectAll(_ minutes: some Collection<Int>, _ data: URL) async throws {
        let check = try Program.run("check", "--data", data.path)
        #expect(check.code == 0, "\(check.output)\(check.errors)")
        let stored = try await DatabaseQueue(path: data.appending(path: Store.fileName).path).read { db in
            try Int.fetchAll(db, sql: "SELECT (time_ms / 1000 - 1577836800) / 60 FROM pings ORDER BY time_ms")
        }
        #expect(stored == minutes.flatMap { [Int](repeating: $0, count: Self.people) })
    }
}

extension Program.Result {
    fileprivate func expectFault(_ sentence: String) { #expect(code == 65 && output.contains(sentence), "\(output)") }
}
