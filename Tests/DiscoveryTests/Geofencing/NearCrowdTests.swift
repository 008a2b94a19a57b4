import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Bounds on comparisons in a crowd do not depend on hidden positions.
@Suite struct NearCrowdTests {
    private let eve: PersonID = id("eve")

    /// The events of each of Eve's uploads near visible friends and many in a zone, one of them at `hidden`.
    private func events(withHiddenFriendAt hidden: Coordinate) async throws -> [[String]] {
        try await withEngine { engine in
            let zone = PrivacyZone(id: id("home"), centre: valencia, radius: 2000)
            let inZone: [PersonID] = (0..<190).map { id("z\($0)") }
            let shown: [PersonID] = (0..<20).map { id("p\($0)") }
            let people = inZone.map { name in
                person(name.text) {
                    $0.sharing.alerts = .friends
                    $0.sharing.zones = [zone]
                }
            }
            let others = ([eve] + shown).map { name in person(name.text) { $0.sharing.alerts = .friends } }
            try await engine.perform(PutPeople((people + others).map { Write($0) }))
            try await engine.perform(Batch((inZone + shown).map { MakeFriends(eve, $0) }))
            var fence = Fence(id: id("near"), .person(eve, metres: 1000), watching: .friends)
            fence.owner = eve
            try await engine.perform(PutFence(Write(fence)), by: .person(eve))
            let reports = inZone.map { ping(0, $0 == inZone[95] ? hidden : valencia, of: $0.text) }
            try await engine.perform(Record(reports + shown.map { ping(0, valencia, of: $0.text) }))
            var (last, events) = (try engine.store.lastEvent(), [[String]]())
            for step in 1...24 {
                let now = morning + .milliseconds(Int64(step) * 120_007)
                let report = PingReport(
                    person: eve, time: now, place: step.isMultiple(of: 2) ? valencia : east(20_000))
                try await engine.perform(Record([report]), by: .person(eve), at: now)
                let some = try await engine.store.events(after: last, atMost: 100)
                last = try engine.store.lastEvent()
                events.append(
                    some.filter { $0.payload.type == .nearEnter || $0.payload.type == .nearExit }.map { event in
                        "\(event.payload.type.rawValue) \(event.payload.other?.id.text ?? "")"
                    })
            }
            return events
        }
    }

    @Test("Events of other friends do not reveal whether a friend in a privacy zone is near")
    func hidden() async throws {
        let (near, far) = (
            try await events(withHiddenFriendAt: valencia), try await events(withHiddenFriendAt: east(1500))
        )
        #expect(near == far)
        #expect(near.joined().count > 100)
    }

    /// Sends an upload by which Eve enters a fence of each of 90 friends, half of them proximity fences.
    ///
    /// - Returns: the longest turn, and the owners of the fences that reported it.
    private func owners(ofFencesEnteredBy upload: [PingReport]) async throws -> (turn: Int, owners: Set<PersonID>) {
        let monitor = WorkMonitor()
        let friends: [PersonID] = (0..<90).map { id("o\($0)") }
        return try await withEngine(monitor: monitor) { engine in
            let people = ([eve] + friends).map { name in person(name.text) { $0.sharing.alerts = .friends } }
            try await engine.perform(PutPeople(people.map { Write($0) }))
            try await engine.perform(Batch(friends.map { MakeFriends(eve, $0) }))
            for (number, friend) in friends.enumerated() {
                var fence =
                    number.isMultiple(of: 2)
                    ? Fence(id: id("here"), .circle(valencia, metres: 500), watching: .people([eve]))
                    : Fence(id: id("near"), .person(friend, metres: 500), watching: .friends)
                fence.owner = friend
                try await engine.perform(PutFence(Write(fence)), by: .person(friend))
            }
            try await engine.perform(Record(friends.map { ping(0, valencia, of: $0.text) }))
            monitor.reset()
            let now = morning + .seconds(600)
            try await engine.perform(Record(upload), by: .person(eve), at: now)
            let events = try await engine.store.events(after: 0, atMost: 10_000)
            let entries = events.map(\.payload).filter { $0.type == .fenceEnter || $0.type == .nearEnter }
            let owners = entries.compactMap { $0.type == .nearEnter ? $0.person?.id : $0.other?.id }
            return (monitor.longest(.turn), Set(owners))
        }
    }

    @Test("Each of many fences that a person enters at once reports it, in bounded turns", arguments: [1, 40])
    func crowdOfFences(pings: Int) async throws {
        let upload = (0..<pings).map { ping(Double(5 * $0), valencia, of: "eve") }
        let (turn, owners) = try await owners(ofFencesEnteredBy: upload)
        #expect(owners.count == 90)
        #expect(turn <= WorkBudget.stepsPerTurn)
    }

    /// Ana has proximity fences about Bob, who pauses sharing, and Eve has fences that Ana's upload enters.
    ///
    /// - Returns: the events of the upload, and the number of commits that it took.
    private func upload(_ pings: [PingReport], withHiddenFriendAt hidden: Coordinate) async throws -> [String] {
        let (ana, bob): (PersonID, PersonID) = (id("ana"), id("bob"))
        return try await withEngine { engine in
            let people = [ana, bob, eve].map { name in
                person(name.text) {
                    $0.sharing.alerts = .friends
                    if name == bob { $0.sharing.pausedUntil = morning + .seconds(90_000) }
                }
            }
            try await engine.perform(PutPeople(people.map { Write($0) }))
            try await engine.perform(Batch([MakeFriends(ana, bob), MakeFriends(ana, eve)]))
            for number in 0..<70 {
                var fence = Fence(id: id("n\(number)"), .person(ana, metres: 1000), watching: .people([bob]))
                fence.owner = ana
                try await engine.perform(PutFence(Write(fence)), by: .person(ana))
            }
            for number in 0..<40 {
                var fence = Fence(id: id("e\(number)"), .circle(valencia, metres: 300), watching: .people([ana]))
                (fence.owner, fence.isOnce, fence.passages) = (eve, true, [.enter])
                try await engine.perform(PutFence(Write(fence)), by: .person(eve))
            }
            try await engine.perform(Record([ping(0, hidden, of: "bob")]))
            let (last, commits) = (try engine.store.lastEvent(), engine.engine.tally.commits)
            try await engine.perform(Record(pings), by: .person(ana), at: morning + .seconds(600))
            let events = try await engine.store.events(after: last, atMost: 1_000).map { event in
                "\(event.payload.type.rawValue) \(event.payload.subject?.text ?? "")"
            }
            return events + ["\(engine.engine.tally.commits - commits) commits"]
        }
    }

    @Test("A friend's hidden place changes neither events nor turns of others' fences", arguments: [1, 2])
    func hiddenFriend(pings: Int) async throws {
        let upload = (0..<pings).map { ping(Double(300 * $0), $0 == 0 ? valencia : east(5000), of: "ana") }
        let near = try await self.upload(upload, withHiddenFriendAt: east(900))
        #expect(near == (try await self.upload(upload, withHiddenFriendAt: east(9000))))
        #expect(near.count { $0.hasPrefix("fence.enter") } == (pings == 1 ? 40 : 0))
    }

    @Test("A batch of many people, each near twenty friends, takes bounded turns") func crowdOfBatch() async throws {
        let monitor = WorkMonitor()
        let friends: [PersonID] = (0..<20).map { id("f\($0)") }
        let moving: [PersonID] = (0..<60).map { id("m\($0)") }
        try await withEngine(monitor: monitor) { engine in
            let people = (friends + moving).map { name in person(name.text) { $0.sharing.alerts = .friends } }
            try await engine.perform(PutPeople(people.map { Write($0) }))
            try await engine.perform(Batch(moving.flatMap { one in friends.map { MakeFriends(one, $0) } }))
            for owner in moving {
                var fence = Fence(id: id("near"), .person(owner, metres: 500), watching: .people(friends))
                fence.owner = owner
                try await engine.perform(PutFence(Write(fence)), by: .person(owner))
            }
            try await engine.perform(Record(friends.map { ping(0, valencia, of: $0.text) }))
            monitor.reset()
            let upload = moving.map { ping(300, valencia, of: $0.text) }
            try await engine.perform(Record(upload), at: morning + .seconds(600))
            let events = try await engine.store.events(after: 0, atMost: 10_000)
            #expect(events.count { $0.payload.type == .nearEnter } == 60 * 20)
            #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn, "\(monitor.longest(.turn))")
        }
    }
}
