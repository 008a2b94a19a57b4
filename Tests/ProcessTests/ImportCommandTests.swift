import Foundation
import Testing

/// The command `cerca import`.
@Suite(.timeLimit(.minutes(60))) struct ImportCommandTests {
    private let people = "id,name\nana,Ana\nluis,Luis\n\"a b\",Nobody\n"

    @Test("A file is imported into a folder, and refused rows are reported") func refusedRows() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "people.csv")
            let report = folder.appending(path: "report.json")
            let data = folder.appending(path: "data")
            try Data(people.utf8).write(to: file)
            let result = try Program.run("import", "people", file.path, "--data", data.path, "--report", report.path)
            #expect(result.code == 65 && result.errors.isEmpty)
            #expect(
                result.output == """
                    \(file.path): 3 rows, 2 created, 0 updated or unchanged, 1 refused
                      row 4: id has a space or a character that is not printable ASCII

                    """)
            #expect(try String(contentsOf: report, encoding: .utf8).contains(#""refused":[{"row":4,"errors":["#))
            let service = try await Service(data: data)
            #expect(try await service.send("GET /v1/people/luis").body.contains("Luis"))
            #expect(service.stop() == 0)
        }
    }

    @Test("--quiet omits clean files, and --json prints reports") func quietAndJSON() async throws {
        try await withFolder { folder in
            let (clean, other) = (folder.appending(path: "clean.csv"), folder.appending(path: "other.csv"))
            let data = folder.appending(path: "data")
            try Data("id,name\nana,Ana\n".utf8).write(to: clean)
            try Data(people.utf8).write(to: other)
            let command = ["import", "people", clean.path, other.path, "--data", data.path]
            let quiet = try Program.runAll(command + ["--quiet"])
            #expect(quiet.code == 65 && quiet.output.hasPrefix("\(other.path): 3 rows"), "\(quiet.output)")
            let none = try Program.run("import", "people", clean.path, "--data", data.path, "--quiet")
            #expect(none.code == 0 && none.output.isEmpty && none.errors.isEmpty)
            let json = try Program.runAll(command + ["--json", "--quiet"])
            let reports = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
            #expect(json.code == 65 && reports?.map { $0["file"] as? String } == [clean.path, other.path])
            #expect((reports?.last?["report"] as? [String: Any])?["refused_count"] as? Int == 1, "\(json.output)")
        }
    }

    @Test("A dry run prints a summary of the columns before the rows") func columns() async throws {
        try await withFolder { folder in
            let (file, data) = (folder.appending(path: "bicycles.csv"), folder.appending(path: "data"))
            let table = "sku;nombre;precio;Cuadro;coste\nb1;Alta;899,00 €;M;410,00 €\nb2;Baja;nada;L;\n"
            try Data(table.utf8).write(to: file)
            let command = ["import", "products", file.path, "--normalise", "--data", data.path]
            let dry = try Program.runAll(command + ["--dry-run"])
            #expect(dry.code == 0, "\(dry)")
            let summary = """
                 0 refused
                  column  read as  values  not read
                  sku     id            2
                  nombre  name          2
                  precio  price         2         1
                    row 3: 'nada' is not a price
                  Cuadro  -             2         2
                  coste   -             1         1

                """
            #expect(dry.output.contains(summary), "\(dry.output)")
            #expect(dry.output.contains("all callers may read: cuadro\n"), "\(dry.output)")
            let kept = try Program.runAll(command + ["--attributes", "cuadro"])
            #expect(kept.code == 0 && !kept.output.contains("read as  values"), "\(kept)")
            let exported = try Program.run("export", "products", "--data", data.path)
            #expect(exported.output.contains(#""attributes":{"cuadro":"M"}"#), "\(exported)")
            for wrong in [
                ["people", file.path, "--attributes", "all"], ["products", file.path, "--attributes", "name"],
            ] {
                #expect(try Program.runAll(["import", "--data", data.path] + wrong).code == 64, "\(wrong)")
            }
        }
    }

    @Test("A terminal shows rows a second") func rate() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "people.csv")
            try Data("id,name\nana,Ana\n".utf8).write(to: file)
            let line = "'\(Program.executable.path)' import people '\(file.path)' --data '\(folder.path)/data'"
            let result = try Program.runAll(["-qec", line, "/dev/null"], of: URL(filePath: "/usr/bin/script"))
            #expect(result.code == 0, "\(result)")
            #expect(result.output.contains(#/people\.csv \[#+\] 100 %, \d+ rows\/s/#), "\(result)")
        }
    }

    @Test("Compressed files are read, whatever their names", arguments: ["people.csv.gz", "people.csv"])
    func compressed(name: String) async throws {
        try await withFolder { folder in
            let (plain, file) = (folder.appending(path: "plain.csv"), folder.appending(path: name))
            let many = "id,name\n" + (0..<40_000).map { "p\($0),Person \($0)\n" }.joined()
            try Data(many.utf8).write(to: plain)
            try shell("gzip -c \(plain.path) > \(file.path)")
            let data = folder.appending(path: "data")
            let result = try Program.run("import", "people", file.path, "--data", data.path)
            #expect(result.code == 0 && result.output.contains("40000 rows, 40000 created"), "\(result)")
            let service = try await Service(data: data)
            let again = try Program.run("import", "people", file.path, "--url", service.base)
            #expect(again.code == 0 && again.output.contains("40000 rows, 0 created, 40000 updated"), "\(again)")
            let half = try Data(contentsOf: file)
            try half.prefix(half.count / 2).write(to: file)
            for place in [["--url", service.base], ["--dry-run"]] {
                let broken = try Program.runAll(["import", "people", file.path] + place)
                #expect(
                    broken.code == 65 && broken.errors.contains("gzip") && broken.errors.contains("Before"), "\(broken)"
                )
            }
            #expect(service.stop() == 0)
        }
    }

    @Test("Standard input is read") func standardInput() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let result = try shell(
                "(printf i; printf 'd,name\\nana,Ana\\na b,B\\n') | cerca import people - --format csv --data \(data.path)"
            )
            #expect(result.code == 65 && result.errors.isEmpty)
            #expect(
                result.output == """
                    standard input: 2 rows, 1 created, 0 updated or unchanged, 1 refused
                      row 3: id has a space or a character that is not printable ASCII

                    """)
            let service = try await Service(data: data)
            let sent = try shell(
                "echo '{\"id\":\"eva\"}' | gzip | cerca import people - --format ndjson --url \(service.base)")
            #expect(sent.code == 0 && sent.output.contains("1 rows, 1 created"), "\(sent)")
            let track =
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"time":"2026-01-02T08:00:00Z"}}"#
            let walk = try shell("echo '\(track)' | cerca import tracks - --person eva --url \(service.base)")
            #expect(walk.code == 0 && walk.output.hasPrefix("standard input: 1 rows, 1 stored"), "\(walk)")
            #expect(service.stop() == 0)
        }
    }

    @Test("--prune deletes what the file no longer has") func pruning() async throws {
        try await withFolder { folder in
            let (file, data) = (folder.appending(path: "places.csv"), folder.appending(path: "data"))
            let arguments = ["import", "places", file.path, "--prune"]
            try Data("id,kind,name\na,store,A\nb,store,B\nc,store,C\n".utf8).write(to: file)
            let early = try Program.runAll(arguments + ["--dry-run", "--data", data.path])
            #expect(early.code == 66 && early.errors.hasSuffix("the database does not exist\n"), "\(early)")
            #expect(
                try Program.runAll(arguments + ["--data", data.path]).output.contains(
                    "3 created, 0 updated or unchanged, 0 pruned,"))
            try Data("id,kind,name\nb,store,B\nc,store,C\n".utf8).write(to: file)
            for _ in 0..<2 {
                let dry = try Program.runAll(arguments + ["--dry-run", "--data", data.path])
                #expect(
                    dry.output.hasPrefix("\(file.path): 2 rows, 2 well formed, 1 to be pruned, 0 refused\n  column "),
                    "\(dry)")
            }
            let pruned = try Program.runAll(arguments + ["--data", data.path])
            #expect(pruned.output.contains("2 updated or unchanged, 1 pruned, 0 refused"), "\(pruned)")
            let service = try await Service(data: data)
            #expect(try await service.send("GET /v1/places/a").status == 404)
            try Data("id,kind,name\nc,store,C\n".utf8).write(to: file)
            let sent = try Program.runAll(arguments + ["--url", service.base])
            #expect(sent.output.contains("1 pruned"), "\(sent)")
            #expect(try await service.send("GET /v1/places/b").status == 404)
            #expect(service.stop() == 0)
        }
    }

    @Test("Imported friendships are events only with --events") func friendshipEvents() async throws {
        try await withFolder { folder in
            let (people, friends) = (folder.appending(path: "people.csv"), folder.appending(path: "friends.csv"))
            let data = folder.appending(path: "data")
            try Data("id\nana\nluis\neva\n".utf8).write(to: people)
            #expect(try Program.run("import", "people", people.path, "--data", data.path).code == 0)
            func load(_ row: String, _ options: String...) throws {
                try Data("a,b\n\(row)\n".utf8).write(to: friends)
                let result = try Program.runAll(["import", "friends", friends.path] + options)
                #expect(result.code == 0 && result.output.contains("1 rows, 1 created"), "\(result)")
            }
            try load("ana,luis", "--data", data.path)
            try load("ana,eva", "--data", data.path, "--events")
            let service = try await Service(data: data)
            try load("luis,eva", "--url", service.base, "--events")
            let reported = try await service.send("GET /v1/events?type=friend.made").body
            let pairs = reported.matches(of: #/"person":"(\w+)","other":"(\w+)"/#).map { "\($0.1) \($0.2)" }
            #expect(pairs == ["ana eva", "luis eva"], "\(reported)")
            #expect(service.stop() == 0)
        }
    }

    /// Runs a shell command in which `cerca` is the program.
    @discardableResult
    private func shell(_ line: String) throws -> Program.Result {
        try Program.runAll(
            ["-c", "cerca() { \"\(Program.executable.path)\" \"$@\"; }; \(line)"], of: URL(filePath: "/bin/sh"))
    }

    @Test("Opening hours that are not understood are reported") func unreadableHours() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "places.csv")
            try Data("id,kind,name,hours\na,store,A,cuando quiera\nb,store,B,24h\n".utf8).write(to: file)
            let result = try Program.run("import", "places", file.path, "--dry-run")
            #expect(result.code == 0 && result.errors.isEmpty)
            #expect(
                result.output == """
                    \(file.path): 2 rows, 2 well formed, 1 with hours not understood, 0 refused
                      column  read as  values  not read
                      id      id            2
                      kind    kind          2
                      name    name          2
                      hours   hours         2
                        row 2: 'cuando quiera' is not understood: 'cuando' is not expected there
                      row 2: hours doubted: 'cuando quiera' is not understood: 'cuando' is not expected there

                    """)
        }
    }

    @Test("A file is imported into a running service") func runningService() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "people.csv")
            try Data("id,name\nana,Ana\n".utf8).write(to: file)
            let service = try await Service(data: folder.appending(path: "data"))
            let dry = try Program.run("import", "people", file.path, "--url", service.base, "--dry-run")
            #expect(dry.code == 0 && dry.output.contains("1 rows, 1 well formed, 0 refused"))
            let result = try Program.run("import", "people", file.path, "--url", service.base + "/")
            #expect(result.code == 0 && result.output.contains("1 rows, 1 created"))
            #expect(try await service.send("GET /v1/people/ana").status == 200)
            try Data("id,id\n".utf8).write(to: file)
            let broken = try Program.run("import", "people", file.path, "--url", service.base)
            #expect(broken.code == 65 && broken.errors.contains("The header has 'id' twice."))
            #expect(service.stop() == 0)
            for base in [service.base, service.base.replacing("127.0.0.1", with: "localhost")] {
                let gone = try Program.run("import", "people", file.path, "--url", base)
                let complaint =
                    "\(base): Nothing responds (Connection refused): is the service running, and is this its address?"
                #expect(gone.code == 69 && gone.errors == "cerca: \(complaint)\n", "\(gone.errors)")
            }
        }
    }

    @Test("A file that cannot be read creates no data folder", arguments: [["people"], ["tracks", "--person", "ana"]])
    func unreadableFile(subject: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, data) = (folder.appending(path: "file.csv"), folder.appending(path: "data"))
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let result = try Program.runAll(["import"] + subject + [file.path, "--data", data.path])
        #expect(result.code == 66 && result.errors == "cerca: \(file.path): cannot be read\n", "\(result)")
        #expect(!FileManager.default.fileExists(atPath: data.path))
    }

    @Test(
        "Imports that cannot work are refused",
        arguments: [
            (["people"], 64), (["cats", "a.csv"], 64), (["people", "a.txt"], 64), (["people", "/nowhere/a.csv"], 66),
            (["people", "a.csv", "--url", "nonsense", "--data", "x"], 64),
            (["people", "a.csv", "--person", "ana"], 64), (["people", "-"], 64),
            (["people", "-", "--format", "xml"], 64),
            (["people", "-", "-", "--format", "csv"], 64), (["people", "a.csv", "--prune"], 64),
            (["places", "a.csv", "b.csv", "--prune"], 64),
            (["tracks", "-", "--person", "ana", "--format", "csv"], 64),
            (["tracks", "a.gpx"], 64), (["tracks", "a.gpx", "--person", "a b"], 64),
            (["tracks", "a.gpx", "--person", "ana", "--normalise"], 64), (["tracks", "--person", "ana"], 64),
            (["tracks", "/nowhere/a.gpx", "--person", "ana"], 66),
        ] as [([String], Int32)])
    func refusals(arguments: [String], code: Int32) throws {
        let result = try Program.runAll(["import"] + arguments)
        #expect(result.code == code && !result.errors.isEmpty)
    }
}
