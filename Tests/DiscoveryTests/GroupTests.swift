import Discovery
import GRDB
import Geo
import Storage
import Testing

/// Groups: who may do what, what ends with what, and that all of it outlives a restart.
@Suite struct GroupTests {
    private func group(_ name: String, of owner: String, _ change: (inout Group) -> Void = { _ in }) -> Group {
        var group = Group(id: id(name), name: name, owner: id(owner))
        change(&group)
        return group
    }

    private func people(_ live: TestLive, _ names: String...) async throws {
        for name in names { try await live.add(person(name)) }
        for name in names.dropFirst() { try await live.perform(.makeFriends([(id(names[0]), id(name))])) }
    }

    private func perform(
        _ action: GroupAction, _ live: TestLive, by name: String? = nil, at time: Timestamp = morning
    ) async throws {
        try await live.perform(.group(action), by: name.map { .person(id($0)) } ?? .service, at: time)
    }

    /// Invites people one after the other, who accept, a second apart.
    private func join(_ names: String..., to group: String, by inviter: String, _ live: TestLive) async throws {
        for (index, name) in names.enumerated() {
            try await perform(.invite(id(name), to: id(group), by: nil), live, by: inviter)
            let action = GroupAction.accept(id(name), id(group))
            try await perform(action, live, by: name, at: morning + .seconds(Int64(index + 1)))
        }
    }

    private func members(_ group: String, _ live: TestLive, for caller: Caller = .service) throws -> [String] {
        try live.live.read { picture throws(Refusal) in
            try picture.members(of: id(group), for: caller).map { $0.id.text }
        }
    }

    private func invited(_ group: String, _ live: TestLive, for caller: Caller = .service) throws -> [String] {
        try live.live.read { picture throws(Refusal) in
            try picture.invited(to: id(group), for: caller).map { $0.id.text }
        }
    }

    private func owner(_ group: String, _ live: TestLive) throws -> String {
        try live.live.read { picture throws(Refusal) in
            try picture.group(id(group), knownTo: .service).record.value.owner.text
        }
    }

    private func refusal(_ body: () async throws -> Void) async throws -> Refusal? {
        do { try await body() } catch let refusal as Refusal { return refusal }
        return nil
    }

    @Test func areJoinedByInvitationAndAcceptanceOnlyAndKeptOverARestart() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis", "eva", "zoe")
            let timetable = GroupTimetable(hours: "Mo-Fr 09:00-18:00", timezone: "Europe/Madrid")
            try await perform(.create(group("team", of: "ana") { $0.timetable = timetable }), live, by: "ana")
            #expect(try members("team", live) == ["ana"])
            let accepting = try await refusal { try await perform(.accept(id("luis"), id("team")), live, by: "luis") }
            #expect(accepting == .unknown(.group, id("team")), "nobody asked him")
            try await join("luis", to: "team", by: "ana", live)
            try await perform(.invite(id("eva"), to: id("team"), by: nil), live, by: "ana")
            try await perform(.invite(id("zoe"), to: id("team"), by: nil), live, by: "ana")
            let other = try await refusal { try await perform(.accept(id("eva"), id("team")), live, by: "luis") }
            #expect(other == .notAllowed, "nobody accepts for her")
            try await perform(.uninvite(id("eva"), id("team")), live, by: "eva")
            try await perform(.uninvite(id("zoe"), id("team")), live, by: "ana")
            #expect(try invited("team", live) == [])
            for name in ["eva", "zoe"] {
                let late = try await refusal { try await perform(.accept(id(name), id("team")), live, by: name) }
                #expect(late == .unknown(.group, id("team")))
            }
            try await perform(.invite(id("eva"), to: id("team"), by: nil), live, by: "ana")
            let account = live.account
            #expect(
                account.filter { $0.hasPrefix("group") || $0.hasPrefix("member") || $0.hasPrefix("invited") }.count == 4
            )
            let again = try await live.restarted()
            #expect(again.account == account)
            try await perform(.accept(id("eva"), id("team")), again, by: "eva", at: morning + .seconds(9))
            #expect(try members("team", again) == ["ana", "eva", "luis"])
            try again.store.close()
        }
    }

    @Test func onlyFriendsOfTheInviterAreInvitedAndAllOthersAlike() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis")
            try await live.add(person("eva"), person("bea"))
            try await live.perform(.block(id("bea"), id("ana")))
            try await perform(.create(group("team", of: "ana")), live, by: "ana")
            for name in ["eva", "bea", "ghost", "ana"] {
                let refused = try await refusal {
                    try await perform(.invite(id(name), to: id("team"), by: nil), live, by: "ana")
                }
                #expect(refused == .unknown(.friend, id(name)))
            }
            try await perform(.invite(id("luis"), to: id("team"), by: nil), live)
            #expect(try invited("team", live) == ["luis"], "a service invites for the owner")
            let named = try await refusal {
                try await perform(.invite(id("ana"), to: id("team"), by: id("luis")), live)
            }
            #expect(named == .unknown(.member, id("luis")), "and for members only")
        }
    }

    @Test func whoIsNoMemberIsToldThatThereIsNoSuchGroup() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis", "eva")
            try await perform(.create(group("team", of: "ana")), live)
            try await perform(.invite(id("eva"), to: id("team"), by: nil), live)
            for (name, there) in [("luis", "team"), ("luis", "nothing"), ("eva", "team"), ("nobody", "team")] {
                let caller = Caller.person(id(name))
                let actions: [GroupAction] = [
                    .replace(Write(group(there, of: name))), .delete(id(there), .always),
                    .invite(id("ana"), to: id(there), by: nil), .accept(id("ana"), id(there)),
                    .uninvite(id("ana"), id(there)), .remove(id("ana"), from: id(there)),
                    .remove(id(name), from: id(there)),
                ]
                for action in actions {
                    let refused = try await refusal { try await perform(action, live, by: name) }
                    #expect(refused == .unknown(.group, id(there)), "\(name): \(action)")
                }
                #expect(throws: Refusal.unknown(.group, id(there))) { try members(there, live, for: caller) }
                #expect(throws: Refusal.unknown(.group, id(there))) { try invited(there, live, for: caller) }
            }
        }
    }

    @Test func anOwnerWhoLeavesIsFollowedByTheMemberOfLongestStanding() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis", "eva", "zoe")
            try await perform(.create(group("team", of: "ana")), live)
            try await join("zoe", "luis", "eva", to: "team", by: "ana", live)
            let before = try live.live.read { picture throws(Refusal) in
                try picture.group(id("team"), knownTo: .service).record.revision
            }
            try await perform(.remove(id("ana"), from: id("team")), live, by: "ana")
            #expect(try owner("team", live) == "zoe")
            #expect(try members("team", live) == ["eva", "luis", "zoe"])
            let after = try live.live.read { picture throws(Refusal) in
                try picture.group(id("team"), knownTo: .service).record.revision
            }
            #expect(after > before)
            var handed = group("team", of: "eva")
            let stranger = try await refusal {
                handed.owner = id("ana")
                try await perform(.replace(Write(handed)), live, by: "zoe")
            }
            #expect(stranger == .unknown(.member, id("ana")), "only a member can own it")
            handed.owner = id("eva")
            try await perform(.replace(Write(handed)), live, by: "zoe")
            let deposed = try await refusal {
                try await perform(.remove(id("luis"), from: id("team")), live, by: "zoe")
            }
            #expect(deposed == .notOwner)
            try await perform(.remove(id("luis"), from: id("team")), live, by: "eva")
            try await perform(.remove(id("zoe"), from: id("team")), live, by: "zoe")
            try await perform(.remove(id("eva"), from: id("team")), live, by: "eva")
            #expect(throws: Refusal.unknown(.group, id("team"))) { try members("team", live) }
            let rows = try live.store.inspect { db in
                try Int.fetchOne(db, sql: "SELECT (SELECT count(*) FROM groups) + (SELECT count(*) FROM memberships)")
            }
            #expect(rows == 0, "a group of nobody is gone")
        }
    }

    @Test func anInvitationEndsWithTheFriendshipAndWithTheInvitersMembership() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis", "eva", "zoe")
            try await perform(.create(group("team", of: "ana")), live)
            try await live.perform(.makeFriends([(id("luis"), id("eva"))]))
            func invite(_ name: String, by inviter: String) async throws {
                try await perform(.invite(id(name), to: id("team"), by: nil), live, by: inviter)
            }
            for end in [Action.unfriend(id("eva"), id("ana")), .block(id("eva"), id("ana"))] {
                try await live.perform(.makeFriends([(id("ana"), id("eva"))]))
                try await invite("eva", by: "ana")
                try await invite("zoe", by: "ana")
                try await live.perform(end)
                #expect(try invited("team", live) == ["zoe"])
            }
            try await join("luis", to: "team", by: "ana", live)
            try await invite("eva", by: "luis")
            #expect(try invited("team", live, for: .person(id("luis"))) == ["eva"], "one's own")
            #expect(try invited("team", live, for: .person(id("ana"))) == ["zoe"], "all but of whom one must not know")
            try await perform(.remove(id("luis"), from: id("team")), live, by: "luis")
            #expect(try invited("team", live) == ["zoe"])
            let account = live.account
            let again = try await live.restarted()
            #expect(again.account == account)
            try again.store.close()
        }
    }

    @Test func whoBlocksAMemberIsAbsentToThatMember() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis", "eva")
            try await perform(.create(group("team", of: "ana")), live)
            try await join("luis", "eva", to: "team", by: "ana", live)
            try await live.perform(.block(id("eva"), id("ana")))
            let ana = Caller.person(id("ana"))
            #expect(try members("team", live, for: ana) == ["ana", "luis"])
            #expect(try members("team", live, for: .person(id("eva"))) == ["eva", "luis"])
            #expect(try members("team", live, for: .person(id("luis"))) == ["ana", "eva", "luis"])
            func count(_ name: String) throws -> [Int] {
                try live.live.read { picture throws(Refusal) in try picture.groups(of: id(name)).map { $0.members } }
            }
            #expect(try count("ana") == [2])
            #expect(try count("luis") == [3])
            for name in ["eva", "ghost"] {
                let refused = try await refusal {
                    try await perform(.remove(id(name), from: id("team")), live, by: "ana")
                }
                #expect(refused == .unknown(.member, id(name)))
                var handed = group("team", of: "ana")
                handed.owner = id(name)
                let kept = try await refusal { try await perform(.replace(Write(handed)), live, by: "ana") }
                #expect(kept == .unknown(.member, id(name)))
            }
        }
    }

    @Test func toBeMembersTogetherShowsNameAndCityOnly() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            try await live.add(
                person("eva") {
                    $0.surname = "Sanz"
                    $0.city = "Gandia"
                    $0.photo = "https://x.example/e.jpg"
                    $0.email = "e@x.example"
                })
            try await live.perform(.makeFriends([(id("luis"), id("ana")), (id("luis"), id("eva"))]))
            try await perform(.create(group("team", of: "luis")), live)
            try await join("ana", "eva", to: "team", by: "luis", live)
            func seen(by name: String) throws -> Person? {
                try live.live.read { picture throws(Refusal) in
                    try picture.members(of: id("team"), for: .person(id(name))).first { $0.id == id("eva") }
                }
            }
            var shown = Person(id: id("eva"))
            (shown.name, shown.city) = ("eva", "Gandia")
            #expect(try seen(by: "ana") == shown)
            #expect(try seen(by: "luis")?.email == "e@x.example")
            #expect(throws: Refusal.unknown(.position, id("eva"))) {
                try live.live.read { picture throws(Refusal) in
                    try picture.position(of: id("eva"), for: .person(id("ana")), at: morning)
                }
            }
        }
    }

    @Test func aPersonWhoIsDeletedHasLeftAllGroups() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis", "eva")
            try await perform(.create(group("team", of: "ana")), live)
            try await perform(.create(group("alone", of: "ana")), live)
            try await join("luis", to: "team", by: "ana", live)
            try await perform(.invite(id("eva"), to: id("team"), by: nil), live, by: "ana")
            try await perform(.create(group("hers", of: "eva")), live)
            try await perform(.invite(id("ana"), to: id("hers"), by: nil), live, by: "eva")
            try await live.perform(.label(id("luis"), of: id("ana"), "work"))
            try await live.perform(.deletePerson(id("ana"), .always), at: morning + .seconds(60))
            #expect(try owner("team", live) == "luis")
            #expect(try members("team", live) == ["luis"])
            #expect(try invited("team", live) == [], "what she asked is void")
            #expect(try invited("hers", live) == [])
            #expect(throws: Refusal.unknown(.group, id("alone"))) { try members("alone", live) }
            let account = live.account
            #expect(!account.contains { $0.hasPrefix("label") })
            let again = try await live.restarted()
            #expect(again.account == account)
            try again.store.close()
        }
    }

    @Test func thereAreBounds() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            let names = (0..<256).map { "p\($0)" }
            try await live.perform(.put(names.map { Write(person($0)) }))
            try await live.perform(.makeFriends(names.map { (id("ana"), id($0)) }))
            try await perform(.create(group("team", of: "ana")), live)
            for name in names.dropLast() { try await perform(.invite(id(name), to: id("team"), by: nil), live) }
            let full = try await refusal { try await perform(.invite(id("p255"), to: id("team"), by: nil), live) }
            #expect(full == .tooManyMembers(256))
            for number in 0..<100 { try await perform(.create(group("g\(number)", of: "p1")), live) }
            let one = try await refusal { try await perform(.create(group("more", of: "p1")), live) }
            #expect(one == .tooManyGroups(100))
            let other = try await refusal { try await perform(.accept(id("p1"), id("team")), live, by: "p1") }
            #expect(other == .tooManyGroups(100))
            let taken = try await refusal { try await perform(.create(group("g1", of: "ana")), live) }
            #expect(taken == .groupExists(id("g1")))
        }
    }

    @Test func nearestFriendsAreThoseOfTheGroupWhileItIsOpen() async throws {
        try await withLive { live in
            try await people(live, "ana", "luis", "eva")
            try await live.add(person("zoe"))
            for (index, name) in ["ana", "luis", "eva", "zoe"].enumerated() {
                _ = try await live.send(ping(0, east(Double(index) * 100), of: name))
            }
            // Hours of a Friday in Valencia, an hour before UTC: the morning is 11:00 there.
            let timetable = GroupTimetable(hours: "Fr 11:00-12:00", timezone: "Europe/Madrid")
            try await perform(.create(group("team", of: "ana") { $0.timetable = timetable }), live)
            try await join("eva", to: "team", by: "ana", live)
            try await live.perform(.makeFriends([(id("eva"), id("zoe"))]))
            try await join("zoe", to: "team", by: "eva", live)
            func nearest(_ instants: [Timestamp], label: String? = nil) throws -> [String] {
                try live.live.read { picture throws(Refusal) in
                    try picture.nearestFriends(
                        of: id("ana"), NearestQuery(limit: 9),
                        passing: FriendFilter(group: id("team"), label: label, at: instants), by: .person(id("ana")),
                        at: morning
                    ).items.map { $0.friend.id.text }
                }
            }
            #expect(try nearest([morning]) == ["eva"], "neither a friend elsewhere nor a stranger here")
            #expect(try nearest([morning + .seconds(3599)]) == ["eva"])
            #expect(try nearest([morning - .milliseconds(1)]) == [])
            #expect(try nearest([morning + .seconds(3600)]) == [])
            #expect(try nearest([morning, morning + .seconds(3600)]) == [], "open at all instants")
            #expect(try nearest([morning], label: "kin") == [])
            try await live.perform(.label(id("ana"), of: id("eva"), "kin"))
            #expect(try nearest([morning], label: "kin") == ["eva"])
            func past(_ now: Timestamp) async throws -> [String] {
                try await live.live.nearestFriends(
                    of: id("ana"), at: morning + .seconds(1), NearestQuery(limit: 9),
                    passing: FriendFilter(group: id("team"), at: [now, morning + .seconds(1)]),
                    by: .person(id("ana")), now: now
                ).items.map { $0.person.id.text }
            }
            #expect(try await past(morning + .seconds(60)) == ["eva"])
            #expect(try await past(morning + .seconds(3600)) == [], "open then, and not now")
            try await perform(.remove(id("ana"), from: id("team")), live)
            #expect(throws: Refusal.unknown(.group, id("team"))) { try nearest([morning]) }
        }
    }
}
