import Discovery
import Laws
import Model
import Storage
import TestSupport
import Testing

@Suite struct CommentAndFavouriteTests {
    @Test(
        "Random commands leave the same state after a restart and in a second service",
        arguments: RandomCases.seeds(0..<6))
    func randomCommands(seed: UInt64) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: seed)
            let end: [any Action] = [
                PutPeople([Write(person("p0"))]),
                PutPlaces([Write(Place(id: id("place0"), kind: "topic", name: "Sol"))]),
                PostComment(id: id("last"), place: id("place0"), author: id("p0"), text: "x"),
                SetFavourite(id("p0"), .places, id("place0")),
            ]
            let script = ((0..<500).map { _ in random.commentOrFavourite() } + end).enumerated().map { step, action in
                (action, morning + .seconds(step / 3))
            }
            for (action, time) in script { try await Self.perform(action, at: time, engine) }
            let account = engine.canonicalDump
            #expect(account.contains { $0.hasPrefix("PlaceComment") }, "seed \(seed)")
            #expect(account.contains { $0.hasPrefix("popular places") }, "seed \(seed)")
            try await withEngine { other in
                for (action, time) in script { try await Self.perform(action, at: time, other) }
                #expect(
                    difference(other.canonicalDump, account) == [],
                    "seed \(seed): the same commands make the same picture")
            }
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [], "seed \(seed)")
            try restarted.store.close()
        }
    }

    /// Performs a random action, which may be refused.
    private static func perform(_ action: any Action, at time: Timestamp, _ engine: TestEngine) async throws {
        do { try await engine.perform(action, at: time) } catch is Refusal {}
    }

    @Test("A comment with the ID of another author's comment is refused") func takenID() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(PutPlaces([Write(Place(id: id("sol"), kind: "topic", name: "Sol"))]))
            let comment = PostComment(id: id("c"), place: id("sol"), author: id("ana"), text: "x")
            try await engine.perform(comment)
            let other = PostComment(id: id("c"), place: id("sol"), author: id("luis"), text: "x")
            await #expect(throws: Refusal.conditionFailed) { try await engine.perform(other) }
            let again = try await engine.perform(comment)
            #expect(again.comment.author == id("ana") && !again.isNew)
        }
    }

    @Test("An edit is never dated before its comment, even if the clock was set back")
    func clockSetBack() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            try await engine.perform(PutPlaces([Write(Place(id: id("sol"), kind: "topic", name: "Sol"))]))
            try await engine.perform(
                PostComment(id: id("c"), place: id("sol"), author: id("ana"), text: "x"))
            let edit = EditComment(id("c"), at: id("sol"), text: "y")
            let shown = try await engine.perform(edit, at: morning - .seconds(60))
            #expect(shown.comment.editedAt == morning && shown.comment.revision == morning.milliseconds + 1)
        }
    }

    @Test("A place keeps its creation time until it is deleted") func creationTime() async throws {
        try await withEngine { engine in
            var sol = Place(id: id("sol"), kind: "topic", name: "Sol")
            func created(_ engine: TestEngine) throws -> Timestamp? {
                try engine.engine.read { state throws(Refusal) in try state.place(id("sol")).value.created }
            }
            try await engine.perform(PutPlaces([Write(sol)]))
            sol.name = "Luna"
            try await engine.perform(PutPlaces([Write(sol)]), at: morning + .seconds(60))
            #expect(try created(engine) == morning)
            let restarted = try await engine.restarted()
            #expect(try created(restarted) == morning)
            try await restarted.perform(DeletePlace(id("sol")))
            try await restarted.perform(PutPlaces([Write(sol)]), at: morning + .seconds(90))
            #expect(try created(restarted) == morning + .seconds(90))
            try restarted.store.close()
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func commentOrFavourite() -> any Action {
        let (a, b): (PersonID, PersonID) = (id("p\(integer(0...6))"), id("p\(integer(0...6))"))
        let place: PlaceID = id("place\(integer(0...5))")
        let product: ProductID = id("product\(integer(0...4))")
        let comment: CommentID = id("comment\(integer(0...15))")
        switch integer(0...15) {
        case 0, 1: return PutPeople([Write(person(a.text))])
        case 2: return chance(0.4) ? DeletePerson(a) : Block(a, b)
        case 3, 4: return PutPlaces([Write(Place(id: place, kind: "topic", name: pick(["Sol", "Luna"])))])
        case 5:
            return chance(0.4) ? DeletePlace(place) : PutProducts([Write(Product(id: product, name: "P"))])
        case 6: return chance(0.3) ? DeleteProduct(product) : Unblock(a, b)
        case 7...9: return PostComment(id: comment, place: place, author: a, text: pick(["x", "y"]))
        case 10: return EditComment(comment, at: place, text: "z")
        case 11: return DeleteComment(comment, at: place)
        default:
            let kind = pick(FavouriteKind.allCases)
            let other =
                switch kind {
                case .people: b.any
                case .places: place.any
                case .products: product.any
                }
            return chance(0.2) ? SetFavourite(a, kind, other, to: false) : SetFavourite(a, kind, other)
        }
    }
}
