import Foundation
import GRDB
import Laws
import Storage
import Testing

/// A file of every earlier schema migrates to the newest, keeps its data, and is sound; a newer file is refused.
@Suite(.timeLimit(.minutes(60))) struct UpgradeTests {
    private static let (oldest, newest) = (Schema.oldest, Schema.version)

    /// A new migration needs a file as the program of that schema left it, not as a later one would.
    @Test("Every schema has a kept file") func keptFiles() async throws {
        let missing = (Self.oldest...Self.newest).filter {
            !FileManager.default.fileExists(atPath: SchemaFile.kept($0).path)
        }
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

    /// One schema, which differs between draws of the random cases.
    private static let drawn = Int(RandomCases.seeds(UInt64(oldest)..<UInt64(newest + 1)).first ?? UInt64(oldest))

    @Test(
        "An old file is migrated, answers requests, and is sound",
        arguments: RandomCases.runsAll ? Array(oldest...newest) : Set([oldest, newest, drawn]).sorted())
    func migration(version: Int) async throws {
        try await withKept(version) { data in
            let before = try Program.run("check", "--data", data.path)
            #expect(before.code == 0, "schema \(version): \(before.output)\(before.errors)")
            let doctor = try Program.run("doctor", "--data", data.path)
            #expect(doctor.code == (version < Self.newest ? 1 : 0), "schema \(version): \(doctor.output)")
            #expect(doctor.output.contains("schema: \(version)"), "\(doctor.output)")
            let service = try await Service(data: data)
            for (request, body) in SchemaFile.answers {
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
        try await withKept(Self.oldest) { data in
            let new = data.appending(path: "new")
            #expect(try Program.run("restore", file(data).path, "--data", new.path).code == 0)
            let service = try await Service(data: new)
            #expect(try await service.send("GET /v1/people/ana?fields=id").status == 200)
            #expect(service.stop() == 0)
        }
    }

    @Test("A file of a program before 0.2.0 is refused with the way to upgrade it") func older() async throws {
        try await withKept(Self.oldest) { data in
            try await write("DELETE FROM grdb_migrations WHERE identifier LIKE '25 %'", data)
            for command in ["serve --port 0", "check", "doctor"] {
                let words = command.split(separator: " ").map(String.init)
                let result = try Program.runAll(words + ["--data", data.path])
                #expect(result.code == (command == "doctor" ? 2 : 65), "\(command): \(result)")
                let output = result.output + result.errors
                #expect(output.contains("schema 24, written by a program before release 0.2.0"), "\(output)")
                #expect(output.contains("Start Cerca 0.2.0 on the folder once"), "\(output)")
            }
        }
    }

    /// The schema of a new file, without the white space of its statements.
    private func schema(_ queue: DatabaseQueue) async throws -> [String: String] {
        try await queue.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL")
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    (row[0] as String, (row[1] as String).filter { !$0.isWhitespace })
                })
        }
    }

    @Test("The baseline makes the tables of release 0.2.0") func baseline() async throws {
        try await withKept(Self.oldest) { data in
            let released = try openDatabase(file(data))
            let made = data.appending(path: "made.sqlite")
            try SchemaFile.makeEmpty(Self.oldest, at: made)
            let (old, new) = (try await schema(released), try await schema(try openDatabase(made)))
            // Migration 39 drops all triggers of these tables.
            let triggers = /(?:people|places|products)_text_(?:insert|delete|update|erased|replaced)/
            #expect(old.filter { $0.key.wholeMatch(of: triggers) == nil } == new)
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
