import Discovery
import Model
import Storage
import TestSupport
import Testing

/// Groups with blocks between members, in which the blocked member sees the blocker as gone.
@Suite struct HiddenMemberTests: GroupSuite {
    /// Why Bob is absent from the group for Eve, whom he has blocked.
    enum Absence: CaseIterable { case hidden, left }

    private func block(_ engine: TestEngine, _ absence: Absence) async throws {
        try await engine.perform(Block(id("bob"), id("eve")), by: .person(id("bob")))
        if absence == .left { try await perform(RemoveMember(id("bob"), from: id("team")), engine, by: "bob") }
    }

    private func types(_ batch: EventReader.Batch) -> [EventType] { batch.events.map(\.type) }

    @Test(
        "A member inherits a group if all longer-standing members have blocked that member",
        arguments: Absence.allCases)
    func heir(absence: Absence) async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "bob", "eve", "carol")
            try await perform(CreateGroup(group("team", of: "ana")), engine, by: "ana")
            try await join("bob", "eve", "carol", to: "team", by: "ana", engine)
            try await block(engine, absence)
            var eve = EventReader(for: .person(id("eve")), EventFilter(), of: engine.engine)
            var carol = EventReader(for: .person(id("carol")), EventFilter(), of: engine.engine)
            try await perform(RemoveMember(id("ana"), from: id("team")), engine, by: "ana")
            #expect(try owner("team", engine) == "eve")
            #expect(try await types(eve.next(from: engine.engine, at: morning)) == [.groupChanged, .groupLeft])
            #expect(try await types(carol.next(from: engine.engine, at: morning)) == [.groupLeft])
        }
    }

    @Test("A block lets no member inherit before a visible member of longer standing")
    func visibleElder() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "bob", "carol", "eve")
            try await perform(CreateGroup(group("team", of: "ana")), engine, by: "ana")
            try await join("bob", "carol", "eve", to: "team", by: "ana", engine)
            try await block(engine, .hidden)
            try await perform(RemoveMember(id("ana"), from: id("team")), engine, by: "ana")
            #expect(try owner("team", engine) == "bob")
        }
    }

    @Test("A change of the owner alone is reported to the new owner, and a new name to all members")
    func changes() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "bob", "eve")
            try await perform(CreateGroup(group("team", of: "ana")), engine, by: "ana")
            try await join("bob", "eve", to: "team", by: "ana", engine)
            try await block(engine, .hidden)
            var bob = EventReader(for: .person(id("bob")), EventFilter(), of: engine.engine)
            var eve = EventReader(for: .person(id("eve")), EventFilter(), of: engine.engine)
            var changed = group("team", of: "bob")
            try await perform(ReplaceGroup(Write(changed)), engine, by: "ana")
            #expect(try await types(bob.next(from: engine.engine, at: morning)) == [.groupChanged])
            #expect(try await types(eve.next(from: engine.engine, at: morning)) == [])
            changed.name = "Choir"
            try await perform(ReplaceGroup(Write(changed)), engine, by: "bob")
            #expect(try await types(bob.next(from: engine.engine, at: morning)) == [.groupChanged])
            #expect(try await types(eve.next(from: engine.engine, at: morning)) == [.groupChanged], "she reads it")
        }
    }

    @Test("An invitation by a hidden member is not visible to the owner, who may invite the same person")
    func invitations() async throws {
        try await withEngine { engine in
            try await people(engine, "eve", "bob", "carol")
            try await engine.perform(MakeFriends(id("bob"), id("carol")))
            try await perform(CreateGroup(group("team", of: "eve")), engine, by: "eve")
            try await join("bob", to: "team", by: "eve", engine)
            try await block(engine, .hidden)
            try await perform(Invite(id("carol"), to: id("team")), engine, by: "bob")
            let eve = Caller.person(id("eve"))
            #expect(try invited("team", engine, for: eve) == [])
            let withdrawn = try await refusal {
                try await perform(Uninvite(id("carol"), from: id("team")), engine, by: "eve")
            }
            #expect(withdrawn == .unknown(.invitation, id("carol")))
            try await perform(Invite(id("carol"), to: id("team")), engine, by: "eve")
            #expect(try invited("team", engine, for: eve) == ["carol"])
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            try again.store.close()
        }
    }

    @Test("Hidden members do not reduce the capacity that the inviter can observe", arguments: Absence.allCases)
    func room(absence: Absence) async throws {
        try await withEngine { engine in
            try await people(engine, "eve", "bob")
            let names = (0..<256).map { "p\($0)" }
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            try await engine.perform(Batch(names.map { MakeFriends(id("eve"), id($0)) }))
            try await perform(CreateGroup(group("team", of: "eve")), engine, by: "eve")
            try await join("bob", to: "team", by: "eve", engine)
            try await block(engine, absence)
            try await engine.perform(Batch(names.map { Invite(id($0), to: id("team")) }))
            #expect(try invited("team", engine).count == 255)
            let full = try await refusal { try await perform(Invite(id("p255"), to: id("team")), engine, by: "eve") }
            #expect(full == .tooManyMembers(256))
        }
    }
}
