import Foundation
import GRDB
import Laws
import Storage
import Testing

/// A file of every earlier schema migrates to the newest, keeps its data, and is sound; a newer file is refused.
@Suite(.timeLimit(.minutes(60))) struct UpgradeTests {
    private static let newest = Schema.migrations.count

    /// A new migration needs a file as the program of that schema left it, not as a later one would.
    @Test("Every schema has a kept file") func keptFiles() async throws {
        let missing = (1...Self.newest).filter { !FileManager.default.fileExists(atPath: SchemaFile.kept($0).path) }
        guard !missing.isEmpty else { return }
        let folder = diskFolder.appending(path: "Schemas-\(UUID().uuidString)")
        let data = folder.appending(path: "data")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await SchemaFile.makeData(data)
        for version in missing {
            let file = folder.appending(path: "\(version).sqlite")
            try SchemaFile.make(version, of: data, at: file)
            _ = try Program.runAll(["-9n", file.path], of: URL(filePath: "/bin/gzip"))
        }
        Issue.record("no file of schema \(missing): add those in \(folder.path) to \(SchemaFile.folder.path)")
    }

    private func withKept(_ version: Int, _ body: (URL) async throws -> Void) async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try FileManager.default.createDirectory(
                at: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let unpack = #"umask 077; gzip -dc "$0" >"$1""#
            let result = try Program.runAll(
                ["-c", unpack, SchemaFile.kept(version).path, file(data).path], of: URL(filePath: "/bin/sh"))
            #expect(result.code == 0, "\(result.errors)")
            try await body(data)
        }
    }

    private func file(_ data: URL) -> URL { data.appending(path: Store.fileName) }

    /// The schema of 0.2.0, the only release.
    private static let released = 25

    /// One schema, which differs between draws of the random cases.
    private static let drawn: Int = {
        let tenth = RandomCases.seeds(1..<UInt64(newest + 1))
        // 7 and 10 are coprime, so that each schema is drawn eventually.
        return Int(tenth[Int(RandomCases.seeds(0..<7)[0]) % tenth.count])
    }()

    @Test(
        "An old file is migrated, answers requests, and is sound",
        arguments: RandomCases.runsAll ? Array(1...newest) : Set([released, newest, drawn]).sorted())
    func migration(version: Int) async throws {
        try await withKept(version) { data in
            let before = try Program.run("check", "--data", data.path)
            #expect(before.code == 0, "schema \(version): \(before.output)\(before.errors)")
            let doctor = try Program.run("doctor", "--data", data.path)
            #expect(doctor.code == (version < Self.newest ? 1 : 0), "schema \(version): \(doctor.output)")
            #expect(doctor.output.contains("schema: \(version)"), "\(doctor.output)")
            let service = try await Service(data: data)
            for (since, request, body) in SchemaFile.answers where version >= since {
                let answer = try await service.send("GET \(request)").body
                #expect(
                    answer == body || answer.hasPrefix(body) && !body.hasSuffix("}"), "schema \(version): \(request)")
            }
            let ping = #"{"person":"luis","t":1577847600,"lat":39.5,"lon":-0.4}"#
            #expect(try await service.send("POST /v1/pings", ping).body.contains(#""verdicts":["stored"]"#))
            #expect(service.stop() == 0)
            let after = try Program.run("check", "--data", data.path)
            #expect(
                after.output.contains("sound, 3 people, 1 places, 5 pings, 2 positions"), "schema \(version): \(after)")
            let upgraded = try Program.run("doctor", "--data", data.path).output
            #expect(upgraded.contains("schema: \(Self.newest), which"), "schema \(version): \(upgraded)")
        }
    }

    @Test("A backup of an old schema is restored and migrated") func oldBackup() async throws {
        try await withKept(1) { data in
            let new = data.appending(path: "new")
            #expect(try Program.run("restore", file(data).path, "--data", new.path).code == 0)
            let service = try await Service(data: new)
            #expect(try await service.send("GET /v1/people/ana?fields=id").status == 200)
            #expect(service.stop() == 0)
        }
    }

    /// Every command that opens the file names the remedy, and keeps what the newer program stored.
    @Test("A file of a newer program is refused, with the remedy") func newerFile() async throws {
        try await withKept(Self.newest) { data in
            let later = "'\(Self.newest + 1) something of the future'"
            try await write("INSERT INTO grdb_migrations VALUES (\(later))", data)
            let copy = data.appending(path: "copy.sqlite").path
            for command in [
                ["serve", "--port", "0"], ["check"], ["checkpoint"], ["backup", copy], ["export", "people"],
            ] {
                let result = try Program.runAll(command + ["--data", data.path])
                #expect(result.code == 65, "\(command): \(result)")
                #expect(result.errors.contains("has schema \(Self.newest + 1), written by a later program"))
                #expect(result.errors.contains("restore a backup that it wrote"))
            }
            #expect(!FileManager.default.fileExists(atPath: copy))
            try await write("DELETE FROM grdb_migrations WHERE identifier = \(later)", data)
            let check = try Program.run("check", "--data", data.path)
            #expect(check.output.contains("sound, 3 people, 1 places, 2 pings, 2 positions, 2 pings in the log"))
        }
    }

    private func write(_ sql: String, _ data: URL) async throws {
        let queue = try openDatabase(file(data))
        try await queue.write { db in try db.execute(sql: sql) }
        try queue.close()
    }
}
