import Discovery
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Comments and favourites.
@Suite struct OpinionTests {
    /// Random commands; then the same account after a stop and a start, and from a second service that is told the same.
    @Test(arguments: 0..<6) func whatIsThoughtIsWhatIsStored(seed: Int) async throws {
        try await withLive { live in
            var dice = Dice(seed: UInt64(seed))
            let end: [Action] = [
                .put([Write(person("p0"))]),
                .putPlaces([Write(Place(id: id("place0"), kind: "topic", name: "Sol"))]),
                .comment(CommentDraft(id: id("last"), place: id("place0"), author: id("p0"), text: "x")),
                .mark(id("p0"), .places, id("place0")),
            ]
            let script = ((0..<500).map { _ in dice.opinion() } + end).enumerated().map { step, action in
                Command(action, by: .service, received: morning + .seconds(step / 3))
            }
            for command in script { try await Self.carryOut(command, live) }
            let account = live.account
            #expect(account.contains { $0.hasPrefix("PlaceComment") }, "seed \(seed)")
            #expect(account.contains { $0.hasPrefix("popular places") }, "seed \(seed)")
            try await withLive { other in
                for command in script { try await Self.carryOut(command, other) }
                #expect(
                    difference(other.account, account) == [], "seed \(seed): the same commands make the same picture")
            }
            let restarted = try await live.restarted()
            #expect(difference(restarted.account, account) == [], "seed \(seed)")
            try restarted.store.close()
        }
    }

    /// Refusals are part of life; anything else is not.
    private static func carryOut(_ command: Command, _ live: TestLive) async throws {
        do { _ = try await live.live.perform(command) } catch is Refusal {}
    }

    @Test func anIdThatIsAnothersMakesNoComment() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            try await live.perform(.putPlaces([Write(Place(id: id("sol"), kind: "topic", name: "Sol"))]))
            let draft = CommentDraft(id: id("c"), place: id("sol"), author: id("ana"), text: "x")
            try await live.perform(.comment(draft))
            var other = draft
            other.author = id("luis")
            await #expect(throws: Refusal.conditionFailed) { try await live.perform(.comment(other)) }
            guard case .commented(let shown, isNew: false) = try await live.perform(.comment(draft)) else {
                Issue.record("it is there already")
                return
            }
            #expect(shown.author == id("ana"))
        }
    }

    @Test func whatIsSaidAfterTheClockWasSetBackWasStillSaidAfterwards() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            try await live.perform(.putPlaces([Write(Place(id: id("sol"), kind: "topic", name: "Sol"))]))
            try await live.perform(
                .comment(CommentDraft(id: id("c"), place: id("sol"), author: id("ana"), text: "x")))
            let edit = Action.editComment(id("c"), at: id("sol"), text: "y", .always)
            guard case .commented(let shown, _) = try await live.perform(edit, at: morning - .seconds(60)) else {
                Issue.record("it was edited")
                return
            }
            #expect(shown.comment.editedAt == morning && shown.comment.revision == morning.milliseconds + 1)
        }
    }

    @Test func placesKnowSinceWhenTheyAreThere() async throws {
        try await withLive { live in
            var sol = Place(id: id("sol"), kind: "topic", name: "Sol")
            func created(_ live: TestLive) throws -> Timestamp? {
                try live.live.read { picture throws(Refusal) in try picture.place(id("sol")).value.created }
            }
            try await live.perform(.putPlaces([Write(sol)]))
            sol.name = "Luna"
            try await live.perform(.putPlaces([Write(sol)]), at: morning + .seconds(60))
            #expect(try created(live) == morning)
            let restarted = try await live.restarted()
            #expect(try created(restarted) == morning)
            try await restarted.perform(.deletePlace(id("sol"), .always))
            try await restarted.perform(.putPlaces([Write(sol)]), at: morning + .seconds(90))
            #expect(try created(restarted) == morning + .seconds(90))
            try restarted.store.close()
        }
    }
}

extension Dice {
    fileprivate mutating func opinion() -> Action {
        let (a, b) = (id("p\(integer(0...6))"), id("p\(integer(0...6))"))
        let place = id("place\(integer(0...5))")
        let product = id("product\(integer(0...4))")
        let comment = id("comment\(integer(0...15))")
        switch integer(0...15) {
        case 0, 1: return .put([Write(person(a.text))])
        case 2: return chance(0.4) ? .deletePerson(a, .always) : .block(a, b)
        case 3, 4: return .putPlaces([Write(Place(id: place, kind: "topic", name: pick(["Sol", "Luna"])))])
        case 5:
            return chance(0.4) ? .deletePlace(place, .always) : .putProducts([Write(Product(id: product, name: "P"))])
        case 6: return chance(0.3) ? .deleteProduct(product, .always) : .unblock(a, b)
        case 7...9: return .comment(CommentDraft(id: comment, place: place, author: a, text: pick(["x", "y"])))
        case 10: return .editComment(comment, at: place, text: "z", .always)
        case 11: return .deleteComment(comment, at: place, .always)
        default:
            let kind = pick(FavouriteKind.allCases)
            let other =
                switch kind {
                case .people: b
                case .places: place
                case .products: product
                }
            return chance(0.2) ? .unmark(a, kind, other) : .mark(a, kind, other)
        }
    }
}
