import Discovery
import Geo
import Model
import TestSupport
import Testing

/// Visibility of groups to members and to others.
@Suite struct GroupViewTests: GroupSuite {
    @Test("To people who are not members, a group does not exist") func nonmembers() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis", "eva")
            try await perform(CreateGroup(group("team", of: "ana")), engine)
            try await perform(Invite(id("eva"), to: id("team")), engine)
            for (name, there) in [("luis", "team"), ("luis", "nothing"), ("eva", "team"), ("nobody", "team")] {
                let caller = Caller.person(id(name))
                let actions: [any GroupAction] = [
                    ReplaceGroup(Write(group(there, of: name))), DeleteGroup(id(there)),
                    Invite(id("ana"), to: id(there)), AcceptInvitation(of: id("ana"), to: id(there)),
                    Uninvite(id("ana"), from: id(there)), RemoveMember(id("ana"), from: id(there)),
                    RemoveMember(id(name), from: id(there)),
                ]
                for action in actions {
                    let refused = try await refusal { try await perform(action, engine, by: name) }
                    #expect(refused == .unknown(.group, id(there)), "\(name): \(action)")
                }
                #expect(throws: Refusal.unknown(.group, id(there))) { try members(there, engine, for: caller) }
                #expect(throws: Refusal.unknown(.group, id(there))) { try invited(there, engine, for: caller) }
            }
        }
    }

    @Test("A member who blocks another is absent to the blocked member") func blocks() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis", "eva")
            try await perform(CreateGroup(group("team", of: "ana")), engine)
            try await join("luis", "eva", to: "team", by: "ana", engine)
            try await engine.perform(Block(id("eva"), id("ana")))
            let ana = Caller.person(id("ana"))
            #expect(try members("team", engine, for: ana) == ["ana", "luis"])
            #expect(try members("team", engine, for: .person(id("eva"))) == ["eva", "luis"])
            #expect(try members("team", engine, for: .person(id("luis"))) == ["ana", "eva", "luis"])
            func count(_ name: String) async throws -> [Int] {
                try await engine.engine.groups(of: id(name)).map { $0.members }
            }
            #expect(try await count("ana") == [2])
            #expect(try await count("luis") == [3])
            for name in ["eva", "ghost"] {
                let refused = try await refusal {
                    try await perform(RemoveMember(id(name), from: id("team")), engine, by: "ana")
                }
                #expect(refused == .unknown(.member, id(name)))
                var handed = group("team", of: "ana")
                handed.owner = id(name)
                let kept = try await refusal { try await perform(ReplaceGroup(Write(handed)), engine, by: "ana") }
                #expect(kept == .unknown(.member, id(name)))
            }
        }
    }

    @Test("Members who are not friends see only name and city of each other") func profiles() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.add(
                person("eva") {
                    $0.surname = "Sanz"
                    $0.city = "Gandia"
                    $0.photo = "https://x.example/e.jpg"
                    $0.email = "e@x.example"
                })
            try await engine.perform(Batch([MakeFriends(id("luis"), id("ana")), MakeFriends(id("luis"), id("eva"))]))
            try await perform(CreateGroup(group("team", of: "luis")), engine)
            try await join("ana", "eva", to: "team", by: "luis", engine)
            func seen(by name: String) throws -> Person? {
                try engine.engine.read { state throws(Refusal) in
                    try state.members(of: id("team"), for: .person(id(name))).first { $0.id == id("eva") }
                }
            }
            var shown = Person(id: id("eva"))
            (shown.name, shown.city) = ("eva", "Gandia")
            #expect(try seen(by: "ana") == shown)
            #expect(try seen(by: "luis")?.email == "e@x.example")
            #expect(throws: Refusal.unknown(.position, id("eva"))) {
                try engine.engine.read { state throws(Refusal) in
                    try state.position(of: id("eva"), for: .person(id("ana")), at: morning)
                }
            }
        }
    }

    @Test("Nearest friends of a group are found only while the group is open") func nearestFriends() async throws {
        try await withEngine { engine in
            try await people(engine, "ana", "luis", "eva")
            try await engine.add(person("zoe"))
            for (index, name) in ["ana", "luis", "eva", "zoe"].enumerated() {
                _ = try await engine.send(ping(0, east(Double(index) * 100), of: name))
            }
            // A Friday in Valencia, one hour ahead of UTC, where the morning is 11:00.
            let timetable = ZonedHours(hours: "Fr 11:00-12:00", timezone: "Europe/Madrid")
            try await perform(CreateGroup(group("team", of: "ana") { $0.timetable = timetable }), engine)
            try await join("eva", to: "team", by: "ana", engine)
            try await engine.perform(MakeFriends(id("eva"), id("zoe")))
            try await join("zoe", to: "team", by: "eva", engine)
            func nearest(_ instants: [Timestamp], label: String? = nil) throws -> [String] {
                try engine.engine.read { state throws(Refusal) in
                    try state.nearestFriends(
                        of: id("ana"), NearestQuery(limit: 9),
                        passing: FriendFilter(group: id("team"), label: label, at: instants), by: .person(id("ana")),
                        at: morning
                    ).items.map { $0.person.id.text }
                }
            }
            #expect(try nearest([morning]) == ["eva"], "neither a friend elsewhere nor a stranger here")
            #expect(try nearest([morning + .seconds(3599)]) == ["eva"])
            #expect(try nearest([morning - .milliseconds(1)]) == [])
            #expect(try nearest([morning + .seconds(3600)]) == [])
            #expect(try nearest([morning, morning + .seconds(3600)]) == [], "open at all instants")
            #expect(try nearest([morning], label: "kin") == [])
            try await engine.perform(NoteFriend(id("ana"), id("eva"), .label, "kin"))
            #expect(try nearest([morning], label: "kin") == ["eva"])
            func past(_ now: Timestamp) async throws -> [String] {
                try await engine.engine.nearestFriends(
                    of: id("ana"), at: morning + .seconds(1), NearestQuery(limit: 9),
                    passing: FriendFilter(group: id("team"), at: [now, morning + .seconds(1)]),
                    by: .person(id("ana")), now: now
                ).items.map { $0.person.id.text }
            }
            #expect(try await past(morning + .seconds(60)) == ["eva"])
            #expect(try await past(morning + .seconds(3600)) == [], "open then, and not now")
            try await perform(RemoveMember(id("ana"), from: id("team")), engine)
            #expect(throws: Refusal.unknown(.group, id("team"))) { try nearest([morning]) }
        }
    }
}
