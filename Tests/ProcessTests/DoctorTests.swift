import Foundation
import GRDB
import Storage
import Testing

/// `cerca doctor` names the faults of a real installation with their remedies, and changes nothing.
@Suite(.timeLimit(.minutes(60))) struct DoctorTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            var subject: String
            var state: String
            var detail: String
            var remedy: String?
        }
        var state: String
        var findings: [Finding]
    }

    /// Returns the doctor's report on a folder; the worst finding decides the exit code.
    private func examine(
        _ data: URL, _ environment: [String: String] = [:], _ arguments: String...
    ) throws -> Report {
        let result = try Program.runAll(["doctor", "--json", "--data", data.path] + arguments, environment)
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(result.code == ["ok": 0, "warning": 1, "fault": 2][report.state], "\(result)")
        #expect(report.findings.allSatisfy { ($0.state == "ok") == ($0.remedy == nil) }, "\(report)")
        return report
    }

    /// Returns the only finding that is not sound.
    private func complaint(
        _ data: URL, _ environment: [String: String] = [:], _ arguments: [String] = []
    ) throws -> Report.Finding {
        let result = try Program.runAll(["doctor", "--json", "--data", data.path] + arguments, environment)
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        let wrong = report.findings.filter { $0.state != "ok" }
        let finding = try #require(wrong.count == 1 ? wrong.first : nil, "\(result)")
        #expect(result.code == (finding.state == "fault" ? 2 : 1))
        return finding
    }

    /// Makes a folder with a position, as a stopped service leaves it.
    private func makeData(_ data: URL) async throws {
        let service = try await Service(data: data)
        #expect(try await service.send("PUT /v1/people/ana", "{}").status == 201)
        let ping = #"{"person":"ana","t":1577836800,"lat":39.5,"lon":-0.4}"#
        #expect(try await service.send("POST /v1/pings", ping).body.contains("stored"))
        #expect(service.stop() == 0)
    }

    private func contents(_ data: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: data.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: data.appending(path: $0))) })
    }

    @Test("A sound folder has no faults and is not changed") func soundFolder() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            let before = try contents(data)
            let report = try examine(data)
            #expect(report.state == "ok", "\(report)")
            #expect(
                report.findings.contains { $0.subject == "schema" && $0.detail.contains("which this program writes") })
            #expect(report.findings.contains { $0.subject == "libraries" && $0.detail.contains("SpatiaLite 5") })
            #expect(try contents(data) == before)
            let words = try Program.run("doctor", "--data", data.path)
            #expect(words.code == 0 && words.output.contains("ok: service: no process uses the folder\n"), "\(words)")
        }
    }

    @Test("A running service reports its installation without paths and details") func reportedInstallation()
        async throws
    {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            let reply = try await service.send("GET /v1/service")
            #expect(reply.status == 200 && !reply.body.contains(folder.path) && !reply.body.contains("detail"))
            for part in [#"{"subject":"service","state":"ok"}"#, #"{"subject":"libraries","state":"ok"}"#] {
                #expect(reply.body.contains(part), "\(reply.body)")
            }
            #expect(reply.body.contains(#/"database_bytes":[1-9]\d{3,},/#), "\(reply.body)")
            #expect(
                try await service.send("PUT /v1/people/ana", "{}").status == 201, "it still holds its folder and writes"
            )
            #expect(service.stop() == 0)
        }
    }

    @Test("A running service is named and continues") func runningService() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data, after: "ulimit -n 4000")
            let report = try examine(data)
            let details = report.findings.map(\.detail)
            #expect(details.contains("process \(service.pid) uses the folder"))
            #expect(details.contains("4000 at most, fewer than limits.connections (10000)"), "those of the service")
            #expect(try await service.send("PUT /v1/people/ana", "{}").status == 201)
            #expect(service.stop() == 0)
        }
    }

    @Test("A folder or file that others may read is named") func readableByOthers() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            for (path, right, wrong) in [(data.path, 0o700, 0o750), (file(data).path, 0o600, 0o604)] {
                try FileManager.default.setAttributes([.posixPermissions: wrong], ofItemAtPath: path)
                let finding = try complaint(data)
                #expect(finding.subject == "permissions" && finding.state == "fault")
                #expect(finding.remedy == "chmod \(String(right, radix: 8)) \(path)")
                try FileManager.default.setAttributes([.posixPermissions: right], ofItemAtPath: path)
            }
        }
    }

    @Test("A folder of backups that others may write to is named, with the remedy")
    func writableBackups() async throws {
        try await withFolder { folder in
            let (data, kept) = (folder.appending(path: "data"), folder.appending(path: "kept"))
            try await makeData(data)
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
            let environment = ["CERCA_BACKUP_FOLDER": kept.path]
            for mode in [0o700, 0o755, 0o775, 0o777, 0o1777, 0o702] {
                let isOpen = mode & 0o002 != 0
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: kept.path)
                let wrong = try examine(data, environment).findings.filter { $0.state != "ok" }
                #expect(wrong.count == (isOpen ? 1 : 0), "\(String(mode, radix: 8)): \(wrong)")
                guard let finding = wrong.first else { continue }
                #expect(finding.subject == "permissions" && finding.state == "fault")
                let remedy = try #require(finding.remedy)
                #expect(remedy == "chmod go-w \(kept.path)")
                let mended = try Program.runAll(["-c", remedy], of: URL(fileURLWithPath: "/bin/sh"))
                #expect(mended.code == 0)
                #expect(try examine(data, environment).state == "ok")
            }
        }
    }

    @Test(
        "A folder of backups of another group or user is named",
        .enabled(if: geteuid() == 0, "only root may give files away"))
    func foreignBackups() async throws {
        try await withFolder { folder in
            let (data, kept) = (folder.appending(path: "data"), folder.appending(path: "kept"))
            try await makeData(data)
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
            let environment = ["CERCA_BACKUP_FOLDER": kept.path]
            func remedies() throws -> [String] { try examine(data, environment).findings.compactMap(\.remedy) }
            #expect(chmod(kept.path, 0o775) == 0 && chown(kept.path, 0, 1) == 0)
            #expect(try remedies() == ["chmod go-w \(kept.path)"])
            #expect(chmod(kept.path, 0o755) == 0)
            #expect(try remedies() == [], "the group may only read")
            #expect(chown(kept.path, 1, 1) == 0)
            #expect(try remedies() == ["chown --reference=\(data.path) \(kept.path)"])
        }
    }

    @Test("A database of another user is named", .enabled(if: geteuid() == 0, "only root may give files away"))
    func foreignFile() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            #expect(chown(file(data).path, 1, 1) == 0)
            let finding = try complaint(data)
            #expect(finding.remedy == "chown --reference=\(data.path) \(file(data).path)")
        }
    }

    @Test("A missing folder is named") func missingFolder() async throws {
        try await withFolder { folder in
            let finding = try complaint(folder.appending(path: "elsewhere"))
            #expect(finding.subject == "folder" && finding.state == "warning")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "elsewhere").path))
        }
    }

    @Test("A database of a newer program is named, with the remedy") func newerDatabase() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            try await write(data, "INSERT INTO grdb_migrations VALUES ('99 something of the future')")
            let finding = try complaint(data)
            #expect(finding.subject == "schema" && finding.state == "fault" && finding.detail.contains("schema 99"))
            #expect(finding.remedy?.contains("restore a backup that it wrote") == true)
        }
    }

    @Test("A damaged database is named") func damagedDatabase() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            try Data(repeating: 7, count: 100_000).write(to: file(data))
            let finding = try complaint(data)
            #expect(finding.subject == "database" && finding.state == "fault", "\(finding)")
        }
    }

    @Test("A clock behind stored times is named") func clockBehind() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            try await write(data, "UPDATE positions SET received_ms = 4102444800000")
            let finding = try complaint(data)
            #expect(finding.subject == "clock" && finding.detail.contains("2100-01-01T00:00:00Z"), "\(finding)")
        }
    }

    /// A kill left a long log.
    @Test("A long write-ahead log is named") func longLog() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            #expect(try await service.send("PUT /v1/people/ana", "{}").status == 201)
            service.kill()
            let log = file(data).path + "-wal"
            let handle = try #require(FileHandle(forWritingAtPath: log))
            try handle.truncate(atOffset: 2 << 20)
            try handle.close()
            let finding = try complaint(data, ["CERCA_LIMITS_WAL_BYTES": "\(1 << 20)"])
            #expect(finding.subject == "write-ahead log" && finding.remedy?.contains("cerca checkpoint") == true)
        }
    }

    @Test("A full or write-protected disk is named", .enabled(if: Disk.isAllowed, "no file system can be mounted here"))
    func fullDisk() async throws {
        try await withFolder { folder in
            let disk = try Disk(folder.appending(path: "disk"), megabytes: 12)
            defer { disk.remove() }
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: disk.folder.path)
            let environment = ["CERCA_LIMITS_WAL_BYTES": "\(1 << 20)"]
            try await makeData(disk.folder)
            #expect(try examine(disk.folder, environment).state == "ok")
            try disk.fill(disk.folder.appending(path: "ballast"))
            let full = try complaint(disk.folder, environment)
            #expect(full.subject == "disk" && full.state == "fault" && full.detail.hasPrefix("0 bytes free"), "\(full)")
            try FileManager.default.removeItem(at: disk.folder.appending(path: "ballast"))
            try disk.remount("ro")
            let protected = try complaint(disk.folder, environment)
            #expect(protected.detail.contains("Read-only file system"), "\(protected)")
        }
    }

    @Test(
        "A wrong setting is named",
        arguments: [
            (["CERCA_THROTLE_DISTANCE_M": "9"], "environment", "CERCA_THROTLE_DISTANCE_M"),
            (["CERCA_PORT": "70000"], "settings", "must be from 0 to 65535"),
            (["CERCA_HOST": "192.0.2.1", "CERCA_CLEARTEXT": "yes"], "settings", "which needs keys"),
            (["CERCA_KEY_FILE": "nowhere.json"], "keys", "nowhere.json: does not exist"),
            (["CERCA_TRUSTED_PROXIES": "127.0.0.1"], "hosts", "there are none"),
            (
                ["CERCA_HOSTS": "cerca.example", "CERCA_TRUSTED_PROXIES": "0.0.0.0/0"], "proxies",
                "every client can forge"
            ),
        ])
    func wrongSetting(environment: [String: String], subject: String, words: String) async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try await makeData(data)
            let wrong = try examine(data, environment).findings.filter { $0.state != "ok" }
            #expect(wrong.contains { $0.subject == subject && $0.detail.contains(words) }, "\(wrong)")
        }
    }

    @Test("An invalid configuration file is named") func invalidConfiguration() async throws {
        try await withFolder { folder in
            let config = folder.appending(path: "cerca.json")
            try Data(#"{"prot": 8080}"#.utf8).write(to: config)
            let finding = try complaint(folder.appending(path: "data"), [:], ["--config", config.path])
            #expect(finding.subject == "settings" && finding.detail.contains("'prot' is not a key"))
        }
    }

    @Test(
        "The doctor warns of certificates that were not renewed in time or are not valid",
        arguments: [
            ("-2 days", "-1 day", "fault", "it expired at"), ("-9 days", "+1 day", "warning", "has not been renewed"),
            ("-1 day", "+9 days", "ok", "it is valid until"), ("+1 day", "+9 days", "fault", "from"),
        ])
    func certificateDates(start: String, end: String, state: String, words: String) async throws {
        try await withFolder { folder in
            let (key, chain) = (folder.appending(path: "key.pem").path, folder.appending(path: "chain.pem").path)
            let script = """
                set -e
                umask 077
                openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout \(key) \
                    -out \(folder.path)/request
                : >\(folder.path)/index; echo 01 >\(folder.path)/serial
                printf '[ca]\\ndefault_ca=a\\n[a]\\nnew_certs_dir=%s\\ndatabase=%s/index\\nserial=%s/serial\\n' \
                    \(folder.path) \(folder.path) \(folder.path) >\(folder.path)/ca
                printf 'default_md=sha256\\npolicy=p\\n[p]\\ncommonName=supplied\\n' >>\(folder.path)/ca
                openssl ca -batch -selfsign -config \(folder.path)/ca -keyfile \(key) -in \(folder.path)/request \
                    -notext -out \(chain) -startdate "$(date -u -d '\(start)' +%Y%m%d%H%M%SZ)" \
                    -enddate "$(date -u -d '\(end)' +%Y%m%d%H%M%SZ)"
                """
            let made = try Program.runAll(["-c", script], of: URL(fileURLWithPath: "/bin/sh"))
            #expect(made.code == 0, "\(made.errors)")
            let report = try examine(
                folder.appending(path: "data"), ["CERCA_TLS_CERTIFICATE": chain, "CERCA_TLS_KEY": key])
            let finding = try #require(report.findings.first { $0.subject == "certificate" }, "\(report)")
            #expect(finding.state == state && finding.detail.contains(words), "\(finding)")
        }
    }

    private func file(_ data: URL) -> URL { data.appending(path: Store.fileName) }

    private func write(_ data: URL, _ sql: String) async throws {
        let database = try openDatabase(file(data))
        try await database.writeWithoutTransaction { db in try db.execute(sql: sql) }
        try database.close()
    }
}
