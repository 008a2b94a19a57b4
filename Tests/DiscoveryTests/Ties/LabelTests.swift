import Discovery
import Model
import Storage
import Testing

/// What people call their friends.
@Suite struct LabelTests {
    private func labels(_ name: String, _ live: TestLive) async throws -> [String: String] {
        let labels = try await live.live.labels(of: id(name))
        return Dictionary(uniqueKeysWithValues: labels.map { ($0.friend.text, $0.label) })
    }

    @Test func areOnesOwnKeptOverARestartAndEndWithTheFriendship() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"), person("eva"))
            try await live.perform(Each([MakeFriends(id("ana"), id("luis")), MakeFriends(id("ana"), id("eva"))]))
            let ana = Caller.person(id("ana"))
            try await live.perform(LabelFriend(id("ana"), id("luis"), "work"), by: ana)
            try await live.perform(LabelFriend(id("ana"), id("eva"), "kin"), by: ana)
            try await live.perform(LabelFriend(id("luis"), id("ana"), "boss"))
            try await live.perform(LabelFriend(id("ana"), id("luis"), "gym"), by: ana)
            #expect(try await labels("ana", live) == ["luis": "gym", "eva": "kin"])
            #expect(try await labels("luis", live) == ["ana": "boss"])
            #expect(try await labels("eva", live) == [:])
            let account = live.account
            let again = try await live.restarted()
            #expect(difference(again.account, account) == [])
            try await again.perform(Unfriend(id("luis"), id("ana")))
            #expect(try await labels("ana", again) == ["eva": "kin"])
            #expect(try await labels("luis", again) == [:])
            try await again.perform(MakeFriends(id("ana"), id("luis")))
            #expect(try await labels("ana", again) == ["eva": "kin"], "a new friendship begins without one")
            try await again.perform(LabelFriend(id("ana"), id("eva"), nil), by: ana)
            #expect(try await labels("ana", again) == [:])
            let last = try await again.restarted()
            #expect(try await labels("ana", last) == [:])
            try last.store.close()
        }
    }

    @Test func nobodyElseIsLabelledOrLabels() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("eva"), person("bea"))
            try await live.perform(Block(id("bea"), id("ana")))
            for other in ["eva", "bea", "ghost", "ana"] {
                await #expect(throws: Refusal.unknown(.friend, id(other))) {
                    try await live.perform(LabelFriend(id("ana"), id(other), "x"), by: .person(id("ana")))
                }
            }
            await #expect(throws: Refusal.notAllowed) {
                try await live.perform(LabelFriend(id("ana"), id("eva"), "x"), by: .person(id("eva")))
            }
        }
    }
}
