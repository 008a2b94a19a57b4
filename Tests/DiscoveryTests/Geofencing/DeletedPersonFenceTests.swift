import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Services' fences do not watch a new person or group that has the ID of a deleted one.
@Suite struct DeletedPersonFenceTests {
    private static let names = ["ana", "luis"]

    private func circle(_ name: String, watching watched: Fence.Watched) -> Fence {
        Fence(id: id(name), .circle(valencia, metres: 200), watching: watched)
    }

    /// The watched people of the services' fences, by ID of the fence.
    private func fences(_ engine: TestEngine) throws -> [String: Fence.Watched] {
        let fences = try engine.engine.read { try $0.fences(of: nil, after: nil, atMost: 1_000) }
        return Dictionary(uniqueKeysWithValues: fences.map { ($0.value.id.text, $0.value.watched) })
    }

    /// Re-creates Ana, restarts, lets her stay within the fences for a day, and expects no fence events.
    private func expectNothingReported(of engine: TestEngine) async throws {
        try await engine.add(person("ana"))
        let account = engine.canonicalDump
        let restarted = try await engine.restarted()
        #expect(difference(restarted.canonicalDump, account) == [])
        _ = try await restarted.send(ping(0, valencia), at: morning)
        try await restarted.engine.fireTimedFences(at: morning + .seconds(86_400))
        let reported = try await restarted.store.events(after: 0, atMost: 1_000)
            .filter { $0.payload.type.rawValue.hasPrefix("fence") || $0.payload.type.rawValue.hasPrefix("near") }
        #expect(reported.map { "\($0.payload.type) \($0.payload.person?.id.text ?? "")" } == [])
        try restarted.store.close()
    }

    @Test("A deleted person is removed from every fence") func deletedPerson() async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            for name in Self.names { try await engine.add(person(name)) }
            var silence = Fence(id: id("silence"), .anywhere, watching: .people([id("ana"), id("luis")]))
            (silence.passages, silence.silence) = ([.silent], .seconds(7200))
            let near = Fence(id: id("near"), .person(id("ana"), metres: 500), watching: .people([id("luis")]))
            let nearer = Fence(id: id("nearer"), .person(id("luis"), metres: 500), watching: .people([id("ana")]))
            let all = [
                circle("both", watching: .people([id("ana"), id("luis")])),
                circle("one", watching: .people([id("ana")])),
                silence, near, nearer,
            ]
            for fence in all { try await engine.perform(PutFence(Write(fence))) }
            _ = try await engine.send(ping(-600, valencia), at: morning + .seconds(-600))
            #expect(engine.canonicalDump.contains { $0.hasPrefix("visit") })
            try await engine.perform(DeletePerson(id("ana")))
            #expect(try fences(engine) == ["both": .people([id("luis")]), "silence": .people([id("luis")])])
            #expect(!engine.canonicalDump.contains { $0.hasPrefix("visit") })
            try await engine.perform(DeletePerson(id("luis")))
            #expect(try fences(engine).isEmpty)
            try await expectNothingReported(of: engine)
        }
    }

    @Test("A deletion that continues after a restart removes the person from all fences")
    func interruptedDeletion() async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            for name in Self.names { try await engine.add(person(name)) }
            let circles = (0..<100).map { number in
                let names: [PersonID] = number.isMultiple(of: 2) ? [id("ana"), id("luis")] : [id("ana")]
                return PutFence(Write(circle("f\(number)", watching: .people(names))))
            }
            try await engine.perform(Batch(circles))
            var own = circle("own", watching: .people([id("ana")]))
            own.owner = id("ana")
            try await engine.perform(PutFence(Write(own)))
            let state = try await engine.engine.step(DeletePerson(id("ana")), by: .service, at: morning)
            #expect(state == .begun)
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            #expect(try fences(again)["own"] == nil, "it is no service's fence")
            while try await again.engine.finishDeletion(at: morning) {}
            let left = try fences(again)
            #expect(left.count == 50 && left.values.allSatisfy { $0 == .people([id("luis")]) })
            try await expectNothingReported(of: again)
        }
    }

    @Test("Fences about a group are deleted with it", arguments: [true, false])
    func deletedGroup(isDeleted: Bool) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana"))
            let team = Group(id: id("team"), name: "Team", owner: id("ana"))
            try await engine.perform(CreateGroup(team))
            try await engine.perform(PutFence(Write(circle("team", watching: .group(id("team"))))))
            if isDeleted {
                try await engine.perform(DeleteGroup(id("team")))
            } else {
                try await engine.perform(DeletePerson(id("ana")))
                try await engine.add(person("ana"))
            }
            #expect(try fences(engine).isEmpty)
            try await engine.perform(CreateGroup(team))
            try await expectNothingReported(of: engine)
        }
    }
}
