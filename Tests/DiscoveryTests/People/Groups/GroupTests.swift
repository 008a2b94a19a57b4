import Discovery
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Permissions and lifecycle of groups, including restarts.
@Suite struct GroupTests: GroupSuite {
    @Test("Groups are joined by accepted invitations only, and kept across a restart") func joining() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis", "eva", "zoe")
            let timetable = ZonedHours(hours: "Mo-Fr 09:00-18:00", timezone: "Europe/Madrid")
            try await perform(CreateGroup(group("team", of: "ana") { $0.timetable = timetable }), engine, by: "ana")
            #expect(try members("team", engine) == ["ana"])
            let accepting = try await refusal {
                try await perform(AcceptInvitation(of: id("luis"), to: id("team")), engine, by: "luis")
            }
            #expect(accepting == .unknown(.group, id("team")), "nobody asked him")
            try await join("luis", to: "team", by: "ana", engine)
            try await perform(Invite(id("eva"), to: id("team")), engine, by: "ana")
            try await perform(Invite(id("zoe"), to: id("team")), engine, by: "ana")
            let other = try await refusal {
                try await perform(AcceptInvitation(of: id("eva"), to: id("team")), engine, by: "luis")
            }
            #expect(other == .notAllowed, "nobody accepts for her")
            try await perform(Uninvite(id("eva"), from: id("team")), engine, by: "eva")
            try await perform(Uninvite(id("zoe"), from: id("team")), engine, by: "ana")
            #expect(try invited("team", engine) == [])
            for name in ["eva", "zoe"] {
                let late = try await refusal {
                    try await perform(AcceptInvitation(of: id(name), to: id("team")), engine, by: name)
                }
                #expect(late == .unknown(.group, id("team")))
            }
            try await perform(Invite(id("eva"), to: id("team")), engine, by: "ana")
            let account = engine.canonicalDump
            #expect(
                account.filter { $0.hasPrefix("group") || $0.hasPrefix("member") || $0.hasPrefix("invited") }.count == 4
            )
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            try await perform(
                AcceptInvitation(of: id("eva"), to: id("team")), again, by: "eva", at: morning + .seconds(9))
            #expect(try members("team", again) == ["ana", "eva", "luis"])
            try again.store.close()
        }
    }

    @Test("Only friends of the inviter can be invited, and all others are refused alike")
    func invitations() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis")
            try await engine.add(person("eva"), person("bea"))
            try await engine.perform(Block(id("bea"), id("ana")))
            try await perform(CreateGroup(group("team", of: "ana")), engine, by: "ana")
            for name in ["eva", "bea", "ghost", "ana"] {
                let refused = try await refusal {
                    try await perform(Invite(id(name), to: id("team")), engine, by: "ana")
                }
                #expect(refused == .unknown(.friend, id(name)))
            }
            try await perform(Invite(id("luis"), to: id("team")), engine)
            #expect(try invited("team", engine) == ["luis"], "a service invites for the owner")
            let named = try await refusal {
                try await perform(Invite(id("ana"), to: id("team"), by: id("luis")), engine)
            }
            #expect(named == .unknown(.member, id("luis")), "and for members only")
        }
    }

    @Test("When the owner leaves, the longest-standing member inherits the group") func heir() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis", "eva", "zoe")
            try await perform(CreateGroup(group("team", of: "ana")), engine)
            try await join("zoe", "luis", "eva", to: "team", by: "ana", engine)
            let before = try engine.engine.read { state throws(Refusal) in
                try state.group(id("team"), knownTo: .service).record.revision
            }
            try await perform(RemoveMember(id("ana"), from: id("team")), engine, by: "ana")
            #expect(try owner("team", engine) == "zoe")
            #expect(try members("team", engine) == ["eva", "luis", "zoe"])
            let after = try engine.engine.read { state throws(Refusal) in
                try state.group(id("team"), knownTo: .service).record.revision
            }
            #expect(after > before)
            var handed = group("team", of: "eva")
            let stranger = try await refusal {
                handed.owner = id("ana")
                try await perform(ReplaceGroup(Write(handed)), engine, by: "zoe")
            }
            #expect(stranger == .unknown(.member, id("ana")), "only a member can own it")
            handed.owner = id("eva")
            try await perform(ReplaceGroup(Write(handed)), engine, by: "zoe")
            let deposed = try await refusal {
                try await perform(RemoveMember(id("luis"), from: id("team")), engine, by: "zoe")
            }
            #expect(deposed == .notOwner)
            try await perform(RemoveMember(id("luis"), from: id("team")), engine, by: "eva")
            try await perform(RemoveMember(id("zoe"), from: id("team")), engine, by: "zoe")
            try await perform(RemoveMember(id("eva"), from: id("team")), engine, by: "eva")
            #expect(throws: Refusal.unknown(.group, id("team"))) { try members("team", engine) }
            let rows = try engine.store.inspect { db in
                try Int.fetchOne(db, sql: "SELECT (SELECT count(*) FROM groups) + (SELECT count(*) FROM memberships)")
            }
            #expect(rows == 0, "a group of nobody is gone")
        }
    }

    @Test("An invitation ends with the friendship and with the inviter's membership")
    func endedInvitations() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis", "eva", "zoe")
            try await perform(CreateGroup(group("team", of: "ana")), engine)
            try await engine.perform(MakeFriends(id("luis"), id("eva")))
            func invite(_ name: String, by inviter: String) async throws {
                try await perform(Invite(id(name), to: id("team")), engine, by: inviter)
            }
            let ends: [any Action] = [Unfriend(id("eva"), id("ana")), Block(id("eva"), id("ana"))]
            for end in ends {
                try await engine.perform(MakeFriends(id("ana"), id("eva")))
                try await invite("eva", by: "ana")
                try await invite("zoe", by: "ana")
                try await engine.perform(end)
                #expect(try invited("team", engine) == ["zoe"])
            }
            try await join("luis", to: "team", by: "ana", engine)
            try await invite("eva", by: "luis")
            #expect(try invited("team", engine, for: .person(id("luis"))) == ["eva"], "one's own")
            #expect(
                try invited("team", engine, for: .person(id("ana"))) == ["zoe"], "all but of whom one must not know")
            try await perform(RemoveMember(id("luis"), from: id("team")), engine, by: "luis")
            #expect(try invited("team", engine) == ["zoe"])
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            try again.store.close()
        }
    }

    @Test("A deleted person leaves all groups") func deletedPerson() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis", "eva")
            try await perform(CreateGroup(group("team", of: "ana")), engine)
            try await perform(CreateGroup(group("alone", of: "ana")), engine)
            try await join("luis", to: "team", by: "ana", engine)
            try await perform(Invite(id("eva"), to: id("team")), engine, by: "ana")
            try await perform(CreateGroup(group("hers", of: "eva")), engine)
            try await perform(Invite(id("ana"), to: id("hers")), engine, by: "eva")
            try await engine.perform(NoteFriend(id("luis"), id("ana"), .label, "work"))
            try await engine.perform(DeletePerson(id("ana")), at: morning + .seconds(60))
            #expect(try owner("team", engine) == "luis")
            #expect(try members("team", engine) == ["luis"])
            #expect(try invited("team", engine) == [], "what she asked is void")
            #expect(try invited("hers", engine) == [])
            #expect(throws: Refusal.unknown(.group, id("alone"))) { try members("alone", engine) }
            let account = engine.canonicalDump
            #expect(!account.contains { $0.hasPrefix("label") })
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            try again.store.close()
        }
    }

    @Test("Members of a group and groups of a person are limited") func limits() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let names = (0..<256).map { "p\($0)" }
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            try await engine.perform(Batch(names.map { MakeFriends(id("ana"), id($0)) }))
            try await perform(CreateGroup(group("team", of: "ana")), engine)
            try await engine.perform(Batch(names.dropLast().map { Invite(id($0), to: id("team")) }))
            let full = try await refusal { try await perform(Invite(id("p255"), to: id("team")), engine) }
            #expect(full == .tooManyMembers(256))
            try await engine.perform(Batch((0..<100).map { CreateGroup(group("g\($0)", of: "p1")) }))
            let one = try await refusal { try await perform(CreateGroup(group("more", of: "p1")), engine) }
            #expect(one == .tooManyGroups(100))
            let other = try await refusal {
                try await perform(AcceptInvitation(of: id("p1"), to: id("team")), engine, by: "p1")
            }
            #expect(other == .tooManyGroups(100))
            let taken = try await refusal { try await perform(CreateGroup(group("g1", of: "ana")), engine) }
            #expect(taken == .groupExists(id("g1")))
        }
    }
}
