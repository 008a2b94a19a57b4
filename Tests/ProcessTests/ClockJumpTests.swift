import Foundation
import GRDB
import Storage
import Testing

/// The real program with a clock that jumps a year ahead for some seconds, and is a year ahead at a start.
@Suite(.timeLimit(.minutes(60))) struct ClockJumpTests {
    private static let year = Duration.seconds(365 * 86_400)

    /// A service with state that such a clock must not affect.
    private struct Scene {
        let clock: StillClock
        let receiver: Receiver
        let data: URL
        var environment: [String: String] {
            clock.environment.merging(receiver.allow) { $1 }.merging(["CERCA_BACKUP_EVERY": "1d"]) { $1 }
        }

        func start() async throws -> Service {
            let service = try await Service(data: data, environment: environment)
            // The loader only warns if it cannot load the clock.
            #expect(!service.logText.contains("LD_PRELOAD"), "\(service.logText)")
            return service
        }

        /// Waits for `times` attempts to deliver to the webhook in this run of the service.
        func tried(_ times: Int, by service: Service) async throws {
            var body = ""
            try await wait(
                until: {
                    body = try await service.send("GET /v1/webhooks/hook/deliveries").body
                    return body.ranges(of: #""status":503"#).count >= times
                }, { "tried \(times) times: \(body)" })
        }

        /// Expects that nothing was ended, disabled, or reported.
        func check(_ service: Service, _ link: String) async throws {
            let shown = try await service.send("GET \(link)", accept: "application/json")
            #expect(shown.status == 200, "the link goes on: \(shown)")
            let webhook = try await service.send("GET /v1/webhooks/hook").body
            #expect(webhook.contains(#""id":"hook""#) && !webhook.contains("disabled"), "\(webhook)")
            let types = try events()
            #expect(types == ["friend.asked", "share.opened"], "\(types)")
        }

        /// The types of the kept events, in any order.
        func events() throws -> [String] {
            let database = try openDatabase(data.appending(path: Store.fileName))
            defer { try? database.close() }
            return try database.read { db in try String.fetchAll(db, sql: "SELECT type FROM events ORDER BY type") }
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        try await withDiskFolder { disk in
            try await withFolder { folder in
                let clock = try StillClock(compiledIn: disk, keptIn: folder)
                try clock.put(ahead: .zero)
                let receiver = try await Receiver(folder)
                defer { receiver.stop() }
                try await body(Scene(clock: clock, receiver: receiver, data: folder.appending(path: "data")))
            }
        }
    }

    @Test("A clock a year ahead for seconds ends no link, disables no webhook, and reports no silence")
    func nothingEnds() async throws {
        try await withScene { scene in
            var service = try await scene.start()
            for person in ["ana", "luis"] { try await service.send("PUT /v1/people/\(person)", "{}") }
            try await service.send("POST /v1/pings", #"{"person":"ana","lat":39.47,"lon":-0.37}"#)
            let made = try await service.send(
                "POST /v1/people/ana/shares", #"{"for_s":604800,"precision":"exact"}"#)
            let link = String(try #require(made.body.firstMatch(of: #/"url":"([^"]+)"/#)?.1, "\(made)"))
            let quiet = #"{"people":["ana"],"on":["silent"],"silent_s":3600}"#
            #expect(try await service.send("PUT /v1/fences/quiet", quiet).status == 201)
            try await scene.receiver.take("hook", "down", service)
            try await service.send("PUT /v1/people/ana/friends/luis")
            try await scene.tried(1, by: service)

            try scene.clock.put(ahead: Self.year)
            try await service.logs("the clock is ahead or behind")
            try await scene.tried(2, by: service)
            try await scene.check(service, link)
            try scene.clock.put(ahead: .zero)
            try await service.logs("the clock is trusted again")
            try await scene.check(service, link)

            // Repeats this with a start while the clock is ahead.
            service.kill()
            try scene.clock.put(ahead: Self.year)
            service = try await scene.start()
            try await service.logs("wrote and verified a backup")
            try await service.logs("the clock is ahead or behind")
            try await scene.tried(1, by: service)
            try await scene.check(service, link)
            try scene.clock.put(ahead: .zero)
            try await service.logs("the clock is trusted again")
            try await scene.check(service, link)
            let shown = try await service.send("GET \(link)", accept: "application/json").body
            #expect(shown.contains(#""position":{"lat":39.4"#), "\(shown)")
            #expect(service.stop() == 0)
            try checkBackups(scene.data)
        }
    }

    /// Expects one backup named by a right clock, and one of the second run, named by a clock a year ahead.
    private func checkBackups(_ data: URL) throws {
        let backups = BackupFolder.backups(in: data.appending(path: "backups"))
        #expect(backups.count == 2)
        let ahead = try #require(backups.last).file.lastPathComponent
        let doctor = try Program.run("doctor", "--data", data.path)
        #expect(
            doctor.code == 2 && doctor.output.contains("fault: backups: \(ahead): the time in the name is after"),
            "\(doctor)")
        let restored = try Program.run("restore", "--force", "--data", data.path)
        #expect(restored.output.contains("restored from \(backups[0].file.path)"), "\(restored)")
        #expect(restored.errors.contains(ahead), "\(restored)")
    }
}
