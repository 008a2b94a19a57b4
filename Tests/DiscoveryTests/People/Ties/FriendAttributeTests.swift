import Discovery
import Model
import Storage
import Testing

/// People's notes about their friends.
@Suite struct FriendAttributeTests {
    private func notes(_ name: String, _ attribute: FriendAttribute, _ engine: TestEngine) async throws -> [String:
        String]
    {
        let notes = try await engine.engine.notes(of: id(name))
        return Dictionary(uniqueKeysWithValues: notes.map { ($0.friend.text, $0.notes[attribute] ?? "") })
    }

    @Test("Notes are private, survive a restart, and end with the friendship", arguments: FriendAttribute.allCases)
    func lifecycle(attribute: FriendAttribute) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await engine.perform(Batch([MakeFriends(id("ana"), id("luis")), MakeFriends(id("ana"), id("eva"))]))
            let ana = Caller.person(id("ana"))
            try await engine.perform(NoteFriend(id("ana"), id("luis"), attribute, "work"), by: ana)
            try await engine.perform(NoteFriend(id("ana"), id("eva"), attribute, "kin"), by: ana)
            try await engine.perform(NoteFriend(id("luis"), id("ana"), attribute, "boss"))
            try await engine.perform(NoteFriend(id("ana"), id("luis"), attribute, "gym"), by: ana)
            #expect(try await notes("ana", attribute, engine) == ["luis": "gym", "eva": "kin"])
            #expect(try await notes("luis", attribute, engine) == ["ana": "boss"])
            #expect(try await notes("eva", attribute, engine) == [:])
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            try await again.perform(Unfriend(id("luis"), id("ana")))
            let ended = again.canonicalDump
            let later = try await again.restarted()
            #expect(difference(later.canonicalDump, ended) == [])
            #expect(try await notes("ana", attribute, later) == ["eva": "kin"])
            #expect(try await notes("luis", attribute, later) == [:])
            try await later.perform(MakeFriends(id("ana"), id("luis")))
            #expect(try await notes("ana", attribute, later) == ["eva": "kin"], "a new friendship begins without any")
            try await later.perform(NoteFriend(id("ana"), id("eva"), attribute, nil), by: ana)
            #expect(try await notes("ana", attribute, later) == [:])
            let last = try await later.restarted()
            #expect(try await notes("ana", attribute, last) == [:])
            try last.store.close()
        }
    }

    @Test("Only friends make notes about each other", arguments: FriendAttribute.allCases)
    func friendsOnly(attribute: FriendAttribute) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("eva"), person("bea"))
            try await engine.perform(Block(id("bea"), id("ana")))
            for other in ["eva", "bea", "ghost", "ana"] {
                await #expect(throws: Refusal.unknown(.friend, id(other))) {
                    try await engine.perform(NoteFriend(id("ana"), id(other), attribute, "x"), by: .person(id("ana")))
                }
            }
            await #expect(throws: Refusal.notAllowed) {
                try await engine.perform(NoteFriend(id("ana"), id("eva"), attribute, "x"), by: .person(id("eva")))
            }
        }
    }
}
