import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Inactivity alerts, which the clock triggers once until the next contact.
@Suite struct SilenceTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")

    /// An alert after an hour without contact of Ana, owned by a service or a person.
    private func silence(of owner: PersonID? = nil) -> Fence {
        var fence = Fence(id: id("quiet"), .anywhere, watching: .people([ana]))
        (fence.owner, fence.passages, fence.silence) = (owner, [.silent], .seconds(3600))
        return fence
    }

    private func withEngine(_ owner: PersonID?, _ body: (TestEngine) async throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana") { $0.sharing.alerts = .friends }, person("luis"))
            try await engine.perform(MakeFriends(ana, luis))
            try await engine.perform(PutFence(Write(silence(of: owner))))
            try await body(engine)
        }
    }

    private func reported(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 1_000).filter { $0.payload.type == .fenceSilent }.map {
            "\($0.payload.person?.id.text ?? "") \(Int((($0.payload.happened ?? $0.at) - morning).seconds))"
        }
    }

    private func tick(_ engine: TestEngine, _ seconds: Int64...) async throws {
        for second in seconds { try await engine.engine.fireTimedFences(at: morning + .seconds(second)) }
    }

    private func recordContact(_ engine: TestEngine, _ seconds: Int64) async throws {
        _ = try await engine.send(ping(Double(seconds), valencia), at: morning + .seconds(seconds))
    }

    @Test("Inactivity is reported once until the next contact", arguments: [nil, "ana", "luis"])
    func once(owner: String?) async throws {
        try await withEngine(owner.map { id($0) }) { engine in
            try await tick(engine, 3599)
            #expect(try await reported(engine) == [])
            try await recordContact(engine, 3000)
            try await tick(engine, 3601, 6599)
            #expect(try await reported(engine) == [])
            try await tick(engine, 6600, 6700, 20_000)
            #expect(try await reported(engine) == ["ana 6600"])
            try await recordContact(engine, 21_000)
            try await recordContact(engine, 21_010)
            try await tick(engine, 24_609)
            #expect(try await reported(engine) == ["ana 6600"])
            try await tick(engine, 24_700)
            #expect(try await reported(engine) == ["ana 6600", "ana 24610"])
        }
    }

    @Test("An inactivity alert that a friend accepts after its time starts at the acceptance")
    func lateConsent() async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana") { $0.sharing.alerts = .asked }, person("luis"))
            try await engine.perform(MakeFriends(ana, luis))
            try await engine.perform(PutFence(Write(silence(of: luis))))
            try await recordContact(engine, 100)
            try await tick(engine, 3601, 3701)
            let consent = AcceptWatcher(id("quiet"), of: luis, about: ana)
            try await engine.perform(consent, by: .person(ana), at: morning + .seconds(4000))
            try await tick(engine, 7599)
            #expect(try await reported(engine) == [])
            try await tick(engine, 7601)
            #expect(try await reported(engine).count == 1)
        }
    }

    @Test("Without any contact, inactivity counts from the creation of the fence") func noContact() async throws {
        try await withEngine(nil) { engine in
            try await tick(engine, 3600)
            #expect(try await reported(engine) == ["ana 3600"])
        }
    }

    @Test("Reported and pending alerts survive a restart") func restart() async throws {
        for isReported in [true, false] {
            try await withEngine(nil) { engine in
                try await recordContact(engine, 100)
                if isReported { try await tick(engine, 3700) }
                let account = engine.canonicalDump
                let restarted = try await engine.restarted()
                #expect(difference(restarted.canonicalDump, account) == [])
                try await tick(restarted, 3700, 4000)
                #expect(try await reported(restarted) == ["ana 3700"])
                try restarted.store.close()
            }
        }
    }

    /// With approximate sharing, the time is the quarter hour of the last contact, whatever pings it contains.
    @Test("A friend's inactivity counts from the visible time of the last contact", arguments: [0, 7, 450, 890])
    func approximateFriend(second: Int64) async throws {
        try await withEngine(luis) { engine in
            try await engine.perform(
                PutPeople([
                    Write(
                        person("ana") {
                            $0.sharing.alerts = .friends; $0.sharing.precision = .approximate
                        })
                ]))
            try await recordContact(engine, 900 + second)
            try await tick(engine, 4499)
            #expect(try await reported(engine) == [])
            try await tick(engine, 4500, 4600)
            #expect(try await reported(engine) == ["ana 4500"])
            try await recordContact(engine, 5400 + second)
            try await tick(engine, 8999)
            #expect(try await reported(engine) == ["ana 4500"])
            try await tick(engine, 9000)
            #expect(try await reported(engine) == ["ana 4500", "ana 9000"])
        }
    }

    @Test("Inactivity of friends who are hidden or do not agree is not reported") func hiddenFriend() async throws {
        for number in 0..<2 {
            try await withEngine(luis) { engine in
                try await recordContact(engine, 0)
                try await engine.perform(
                    PutPeople([
                        Write(
                            person("ana") {
                                $0.sharing.precision = number == 0 ? .hidden : .exact
                                $0.sharing.alerts = number == 0 ? .friends : .nobody
                            })
                    ]))
                try await tick(engine, 3600, 9000)
                try await recordContact(engine, 10_000)
                try await tick(engine, 20_000)
                #expect(try await reported(engine) == [])
            }
        }
    }

    @Test("A late position is not a new contact") func latePosition() async throws {
        try await withEngine(nil) { engine in
            try await recordContact(engine, 3000)
            try await tick(engine, 6600)
            _ = try await engine.send(ping(2000, valencia), at: morning + .seconds(7000))
            try await tick(engine, 7001, 20_000)
            #expect(try await reported(engine) == ["ana 6600"])
        }
    }
}
