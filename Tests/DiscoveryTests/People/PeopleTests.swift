import Discovery
import Geo
import Model
import Storage
import TestSupport
import Testing

@Suite struct PeopleTests {
    private func ids(_ tie: Tie, _ name: String, _ engine: TestEngine) async throws -> [String] {
        try await engine.engine.people(tie, of: id(name), at: morning).people.map(\.person.id.text)
    }

    @Test("A friendship is requested, accepted, and ended") func friendship() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            #expect(try await engine.perform(Befriend(id("ana"), id("luis"))) == .asked)
            #expect(try await engine.perform(Befriend(id("ana"), id("luis"))) == .asked)
            #expect(try await ids(.asked, "ana", engine) == ["luis"])
            #expect(try await ids(.askedBy, "luis", engine) == ["ana"])
            #expect(try await engine.perform(Befriend(id("luis"), id("ana"))) == .friends)
            #expect(try await ids(.friends, "ana", engine) == ["luis"])
            #expect(try await ids(.friends, "luis", engine) == ["ana"])
            #expect(try await ids(.asked, "ana", engine).isEmpty)
            #expect(try await ids(.askedBy, "luis", engine).isEmpty)
            try await engine.perform(Unfriend(id("luis"), id("ana")))
            #expect(try await ids(.friends, "ana", engine).isEmpty)
        }
    }

    @Test("Revoked tokens stay revoked after a restart and after a deletion") func revokedTokens() async throws {
        try await withEngine { engine in
            var ana = person("ana")
            ana.tokensNotBefore = morning
            try await engine.add(ana, person("luis"))
            func isEnded(_ name: String, _ issued: Timestamp?, _ engine: TestEngine) -> Bool {
                engine.engine.read { $0.hasEnded(tokenOf: id(name), issued: issued) }
            }
            let restarted = try await engine.restarted()
            for engine in [engine, restarted] {
                #expect(isEnded("ana", morning - .seconds(1), engine) && isEnded("ana", nil, engine))
                #expect(!isEnded("ana", morning, engine))
                #expect(!isEnded("luis", nil, engine) && !isEnded("nobody", nil, engine))
            }
            try await restarted.perform(DeletePerson(id("ana")))
            #expect(isEnded("ana", nil, restarted) && !isEnded("ana", morning, restarted))
            try restarted.store.close()
        }
    }

    @Test("Either person may end a friend request") func endedRequest() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            for refuser in ["ana", "luis"] {
                try await engine.perform(Befriend(id("ana"), id("luis")))
                try await engine.perform(Unfriend(id(refuser), id(refuser == "ana" ? "luis" : "ana")))
                #expect(try await ids(.asked, "ana", engine).isEmpty)
                #expect(try await ids(.askedBy, "luis", engine).isEmpty)
            }
        }
    }

    @Test("A block ends the friendship and makes both unknown to each other") func block() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(Block(id("ana"), id("luis")))
            #expect(try await ids(.friends, "luis", engine).isEmpty)
            for (one, other) in [("ana", "luis"), ("luis", "ana")] {
                await #expect(throws: Refusal.unknown(.person, id(other))) {
                    try await engine.perform(Befriend(id(one), id(other)))
                }
                await #expect(throws: Refusal.unknown(.person, id(other))) {
                    try await engine.perform(Decide(id(one), id(other), likes: true))
                }
            }
            try await engine.perform(Unblock(id("ana"), id("luis")))
            #expect(try await engine.perform(Befriend(id("luis"), id("ana"))) == .asked)
        }
    }

    @Test("People act for themselves only") func ownActions() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            let luis = Caller.person(id("luis"))
            await #expect(throws: Refusal.notAllowed) {
                try await engine.perform(Befriend(id("ana"), id("luis")), by: luis)
            }
            await #expect(throws: Refusal.notAllowed) {
                try await engine.perform(DeletePerson(id("ana")), by: luis)
            }
            let recorded = try await engine.perform(Record([ping(0, valencia)]), by: luis)
            #expect(recorded.verdicts == [.unknownPerson])
        }
    }

    @Test("A friendship needs two different people who exist") func invalidFriendship() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            await #expect(throws: Refusal.oneself) { try await engine.perform(Befriend(id("ana"), id("ana"))) }
            await #expect(throws: Refusal.unknown(.person, id("x"))) {
                try await engine.perform(Befriend(id("ana"), id("x")))
            }
        }
    }

    @Test("Nearest friends are in order and have exact distances") func nearestFriends() async throws {
        try await withEngine { engine in
            let names = ["ana", "far", "near", "nowhere", "stranger"]
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            try await engine.perform(Batch(["far", "near", "nowhere"].map { MakeFriends(id("ana"), id($0)) }))
            _ = try await engine.send(
                ping(0, valencia), ping(0, east(1234.5), of: "near"), ping(0, east(300_000), of: "far"),
                ping(0, east(1), of: "stranger"))
            let page = try engine.engine.read { state throws(Refusal) in
                try state.nearestFriends(of: id("ana"), NearestQuery(limit: 10), by: .service, at: morning)
            }
            #expect(page.items.map(\.person.id.text) == ["near", "far"])
            #expect(page.items.map(\.decimetres) == [12_345, 3_000_000])
            #expect(page.items.map(\.bearing) == [90, 90])
            #expect(page.next == nil)
            #expect(throws: Refusal.noPosition(id("nowhere"))) {
                try engine.engine.read { state throws(Refusal) in
                    try state.nearestFriends(of: id("nowhere"), NearestQuery(limit: 1), by: .service, at: morning)
                }
            }
        }
    }

    @Test("Revisions grow, and conditions are checked") func revisions() async throws {
        try await withEngine { engine in
            func write(_ person: Person, _ condition: Condition) async throws -> Result<Written, Refusal>? {
                try await engine.perform(PutPeople([Write(person, if: condition)])).first
            }
            let first = try await write(person("ana"), .isAbsent)?.get()
            #expect(first?.isNew == true && first?.revision == morning.milliseconds)
            #expect(try await write(person("ana"), .isAbsent) == .failure(.conditionFailed))
            let same = try await write(person("ana"), .always)?.get()
            #expect(same?.isNew == false && same?.revision == morning.milliseconds, "nothing changed")
            let changed = person("ana") { $0.about = "new" }
            #expect(try await write(changed, .isRevision([1])) == .failure(.conditionFailed))
            #expect(
                try await write(changed, .isRevision([1, morning.milliseconds]))?.get().revision == morning.milliseconds
                    + 1)
            #expect(try await write(person("luis"), .exists) == .failure(.conditionFailed))
        }
    }

    @Test("A deleted person is gone with all ties") func deletedPerson() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(Befriend(id("eva"), id("ana")))
            try await engine.perform(Decide(id("luis"), id("ana"), likes: true))
            _ = try await engine.send(ping(0, valencia))
            try await engine.perform(DeletePerson(id("ana")))
            #expect(try await ids(.friends, "luis", engine).isEmpty)
            #expect(try await ids(.asked, "eva", engine).isEmpty)
            #expect(!engine.canonicalDump.joined().contains("ana"))
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, engine.canonicalDump) == [])
            let old = engine.canonicalDump
            try await restarted.add(person("ana"))
            #expect(throws: Refusal.noPosition(id("ana"))) {
                try restarted.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
            }
            #expect(restarted.canonicalDump != old)
            try restarted.store.close()
        }
    }
}
