import Foundation
import GRDB
import Laws
import Model
import Storage
import Testing

/// Automatic backups: they are sound and few, and do not disturb the service.
@Suite(.timeLimit(.minutes(60))) struct BackupTests {
    private func makePeople(_ service: Service) async throws {
        let rows = (0..<3).map { #"{"id":"p\#($0)","throttle":{"distance_m":0,"interval_s":0}}"# }
        let reply = try await service.send(
            "POST /v1/imports/people", rows.joined(separator: "\n"), type: "application/x-ndjson")
        #expect(reply.status == 200)
    }

    private func send(_ service: Service, _ minute: Int) async throws {
        let ping = #"{"person":"p0","t":\#(1_577_836_800 + minute * 60),"lat":1,"lon":\#(Double(minute % 100) / 1000)}"#
        #expect(try await service.send("POST /v1/pings", ping).body.hasPrefix(#"{"stored":1"#))
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Sends positions until the log contains `text` `times` times.
    private func walk(_ service: Service, until text: String, times: Int = 1) async throws -> Int {
        var minute = 0
        while service.logText.ranges(of: text).count < times {
            try await send(service, minute)
            minute += 1
        }
        return minute
    }

    @Test("Backups are written under load, checked, and rotated") func rotation() async throws {
        try await withFolder { folder in
            let (data, kept) = (folder.appending(path: "data"), folder.appending(path: "kept"))
            let service = try await Service(
                data: data,
                environment: [
                    "CERCA_BACKUP_EVERY": "1s", "CERCA_BACKUP_KEEP": "2", "CERCA_BACKUP_FOLDER": kept.path,
                ])
            try await makePeople(service)
            let times = RandomCases.count(3, all: 4)
            _ = try await walk(service, until: "wrote and verified a backup", times: times)
            let reported = try await service.send("GET /metrics").body
            #expect(reported.contains(#/cerca_backup_newest_timestamp_seconds 1\.?[0-9]{9}/#), "\(reported)")
            #expect(service.stop() == 0)
            let names = try names(kept)
            #expect(names.count == 3 && names.last == "lock", "\(names)")
            let attributes = try FileManager.default.attributesOfItem(atPath: kept.appending(path: names[1]).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Restores the newest backup, or the newest one begun by a given time; the former database is kept with its log.
    @Test("A restore takes the service's own backup and keeps the former database") func restoring() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data, environment: ["CERCA_BACKUP_EVERY": "1d"])
            try await service.logs("wrote and verified a backup")
            try await makePeople(service)
            try await send(service, 0)
            service.kill()
            #expect(try Program.run("restore", "--data", data.path).code == 73, "not without --force")
            let early = try Program.run("restore", "--at", "2020-01-01T00:00:00Z", "--force", "--data", data.path)
            #expect(early.code == 66 && early.errors.contains("the service wrote no backup there by 2020"), "\(early)")
            let result = try Program.run("restore", "--force", "--data", data.path)
            #expect(result.code == 0, "\(result)")
            #expect(try Program.run("check", "--data", data.path).output.contains("sound, 0 people"))
            let aside = try #require(try names(data).first { $0.hasPrefix("replaced-") && $0.hasSuffix(".sqlite") })
            let (old, path) = (folder.appending(path: "old"), data.appending(path: aside).path)
            #expect(try Program.run("restore", path, "--data", old.path).code == 0)
            #expect(try Program.run("check", "--data", old.path).output.contains("sound, 3 people, 0 places, 0 pings"))
            #expect(try Program.run("check", "--data", old.path).output.contains("1 pings in the log"))
        }
    }

    @Test("A failed backup is reported, and the service continues") func failedBackup() async throws {
        try await withFolder { folder in
            let (data, place) = (folder.appending(path: "data"), folder.appending(path: "file"))
            try Data().write(to: place)
            let service = try await Service(
                data: data, environment: ["CERCA_BACKUP_EVERY": "1s", "CERCA_BACKUP_FOLDER": place.path])
            try await makePeople(service)
            try await service.logs("a backup could not be written; the newest is none")
            try await send(service, 0)
            let reported = try await service.send("GET /metrics").body
            #expect(reported.contains(#/cerca_backup_failures_total [1-9]/#), "\(reported)")
            #expect(reported.contains("cerca_backup_newest_timestamp_seconds 0"))
            #expect(service.stop() == 0)
        }
    }

    @Test("Two services cannot share a folder of backups") func exclusiveFolder() async throws {
        try await withFolder { folder in
            let kept = folder.appending(path: "kept")
            let holder = try BackupFolder(kept)
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: ["CERCA_BACKUP_EVERY": "1s", "CERCA_BACKUP_FOLDER": kept.path])
            try await service.logs("in use by process")
            #expect(service.stop() == 0)
            withExtendedLifetime(holder) {}
            #expect(try names(kept) == ["lock"])
        }
    }

    /// Partial files of killed backups are removed, foreign files are kept, and a damaged database costs no backup.
    @Test("Only sound backups replace older ones") func soundBackups() async throws {
        try await withFolder { folder in
            let (data, kept) = (folder.appending(path: "data"), folder.appending(path: "kept"))
            #expect(try await Service(data: data).stop() == 0)
            let file = data.appending(path: Store.fileName)
            var backups = try BackupFolder(kept)
            let first = try backups.write(file, at: .init(milliseconds: 1_000_000_000_999), keeping: 1)
            #expect(first.file.lastPathComponent == "cerca-2001-09-09T014640Z.sqlite")
            let partial = kept.appending(path: "cerca-2001-09-09T014641Z.sqlite.partial")
            for file in [partial, kept.appending(path: "mine.sqlite")] { try Data("x".utf8).write(to: file) }
            backups = try BackupFolder(folder.appending(path: "other"))
            backups = try BackupFolder(kept)
            #expect(!FileManager.default.fileExists(atPath: partial.path))
            let queue = try openDatabase(file)
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "INSERT INTO ping_log VALUES (1, x'0109')")
            }
            try queue.close()
            #expect(throws: (any Error).self) {
                try backups.write(file, at: .init(milliseconds: 1_100_000_000_000), keeping: 1)
            }
            #expect(try names(kept) == ["cerca-2001-09-09T014640Z.sqlite", "lock", "mine.sqlite"])
            let clean = try openDatabase(file)
            try await clean.writeWithoutTransaction { db in try db.execute(sql: "DELETE FROM ping_log") }
            try clean.close()
            // The clock was put back. Earlier backups are now in the future and are kept.
            for second: Int64 in 0..<2 {
                _ = try backups.write(file, at: .init(milliseconds: 900_000_000_000 + second * 1000), keeping: 1)
            }
            let (old, new) = ("cerca-2001-09-09T014640Z.sqlite", "cerca-1998-07-09T160001Z.sqlite")
            #expect(try names(kept) == [new, old, "lock", "mine.sqlite"])
            let found = BackupFolder.backups(in: kept, at: .init(milliseconds: 900_000_600_000))
            #expect(found.past.map(\.file.lastPathComponent) == [new])
            #expect(found.future.map(\.file.lastPathComponent) == [old])
            _ = try backups.write(file, at: .init(milliseconds: 1_100_000_000_000), keeping: 1)
            #expect(try names(kept) == ["cerca-2004-11-09T113320Z.sqlite", "lock", "mine.sqlite"], "its time has come")
        }
    }

    @Test("A backup from the future is restored only by name, and the doctor reports it")
    func futureBackups() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let environment = ["CERCA_BACKUP_EVERY": "1d"]
            let service = try await Service(data: data, environment: environment)
            try await service.logs("wrote and verified a backup")
            try await makePeople(service)
            #expect(service.stop() == 0)
            let kept = data.appending(path: "backups")
            let right = try #require(BackupFolder.backups(in: kept).first).file
            // A backup without people, named by a clock that was ahead.
            let ahead = kept.appending(path: "cerca-2999-01-01T000000Z.sqlite")
            try FileManager.default.copyItem(at: right, to: ahead)
            let reported = try Program.run("doctor", "--data", data.path, environment: environment)
            #expect(
                reported.code == 2 && reported.output.contains("fault: backups: \(ahead.lastPathComponent)"),
                "\(reported)")
            #expect(reported.output.contains(#/ok: backups: the newest is of 2\d(?!99)/#), "\(reported)")
            let restored = try Program.run("restore", "--force", "--data", data.path)
            #expect(restored.code == 0 && restored.output.contains("restored from \(right.path)"), "\(restored)")
            #expect(restored.errors.contains("cerca-2999-01-01T000000Z.sqlite: the time in the name is"), "\(restored)")
            let later = try Program.run("restore", "--force", "--at", "2999-06-01T00:00:00Z", "--data", data.path)
            #expect(later.output.contains("restored from \(right.path)"), "\(later)")
            let named = try Program.run("restore", ahead.path, "--force", "--data", data.path)
            #expect(named.code == 0 && named.errors.isEmpty, "\(named)")
            try FileManager.default.removeItem(at: right)
            let none = try Program.run("restore", "--force", "--data", data.path)
            #expect(none.code == 66 && none.errors.contains("the service wrote no backup there; cerca-2999"), "\(none)")
            // It does not count as a new backup either.
            let again = try await Service(data: data, environment: environment)
            try await again.logs("wrote and verified a backup")
            #expect(again.stop() == 0)
            #expect(try names(kept).contains(ahead.lastPathComponent))
        }
    }

    @Test("The doctor reports that the newest backup is old") func oldBackup() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let environment = ["CERCA_BACKUP_EVERY": "1d"]
            let service = try await Service(data: data, environment: environment)
            try await service.logs("wrote and verified a backup")
            #expect(service.stop() == 0)
            #expect(try Program.run("doctor", "--data", data.path, environment: environment).code == 0)
            let backup = try #require(BackupFolder.backups(in: data.appending(path: "backups")).first)
            let old = data.appending(path: "backups/cerca-2020-01-01T000000Z.sqlite")
            try FileManager.default.moveItem(at: backup.file, to: old)
            let result = try Program.run("doctor", "--data", data.path, environment: environment)
            #expect(result.code == 2 && result.output.contains("fault: backups: the newest is of 2020-01-01T00:00:00Z"))
        }
    }
}
