import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Fences that people have about friends: as far as those agree, and no more than a question would tell.
@Suite struct FriendFenceTests {
    private static let ana: PersonID = id("ana")
    private static let luis: PersonID = id("luis")
    let ana = Self.ana
    let luis = Self.luis

    /// Luis has a circle of 800 m about the middle of Valencia; Ana is his friend, and shares exactly.
    func withFriends(
        _ alerts: Alerts, _ body: (TestLive) async throws -> Void
    ) async throws {
        try await withLive { live in
            try await live.add(person("ana") { $0.sharing.alerts = alerts }, person("luis"), person("eva"))
            try await live.perform(MakeFriends(ana, luis))
            try await live.perform(PutFence(Write(circle())), by: .person(luis))
            try await body(live)
        }
    }

    func circle(_ change: (inout Fence) -> Void = { _ in }) -> Fence {
        var fence = Fence(id: id("school"), .circle(valencia, metres: 800), watching: .people([ana]))
        (fence.owner, fence.margin) = (luis, 50)
        change(&fence)
        return fence
    }

    private func share(_ live: TestLive, _ change: @escaping (inout Person) -> Void) async throws {
        try await live.perform(PutPeople([Write(person("ana", change))]))
    }

    /// What Luis is told of fences, with the seconds after the morning began.
    func told(_ live: TestLive, at now: Timestamp = morning + .seconds(86_400)) async throws -> [String] {
        var reader = EventReader(for: .person(luis), EventFilter(), after: 0, of: live.live)
        return try await reader.page(atMost: 1_000, from: live.live, at: now).events
            .filter { $0.type.rawValue.hasPrefix("fence") }.map { event in
                "\(event.type.rawValue) \(Int((event.at - morning).seconds)) \(event.precision?.rawValue ?? "")"
            }
    }

    /// She comes and goes again, each time so many seconds after the morning began.
    func visit(_ live: TestLive, at time: Double) async throws {
        for (seconds, place) in [(0.0, 3000.0), (300, 0), (600, 3000)] {
            _ = try await live.send(
                ping(time + seconds, east(place)), at: morning + .seconds(Int64(time + seconds)))
        }
    }

    @Test(arguments: [
        (Alerts.nobody, false, 0), (.nobody, true, 0), (.asked, false, 0), (.asked, true, 2), (.friends, false, 2),
    ])
    func aFriendIsToldAsFarAsThePersonAgrees(alerts: Alerts, accepts: Bool, count: Int) async throws {
        try await withFriends(alerts) { live in
            if accepts {
                try await live.perform(AcceptWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            }
            try await visit(live, at: 0)
            #expect(try await told(live) == ["fence.enter 300 exact", "fence.exit 600 exact"].suffix(count))
        }
    }

    @Test func thePersonSeesWhoAsksAndAnswers() async throws {
        try await withFriends(.asked) { live in
            func watchers() throws -> [String] {
                try live.live.read { try $0.watchers(of: ana) }.map {
                    "\($0.owner) \($0.fence.id) \($0.watch.state) \($0.isWatching)"
                }
            }
            #expect(try watchers() == ["luis school asked false"])
            let asked = try await live.store.events(after: 0, atMost: 100).filter { $0.fact.type == .fenceAsked }
            #expect(asked.map { "\($0.fact.person?.id.text ?? "") \($0.fact.other?.id.text ?? "")" } == ["luis ana"])
            #expect(try await told(live) == [], "but who asks is not told that she wants to be asked")
            try await live.perform(AcceptWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            #expect(try watchers() == ["luis school accepted true"])
            try await live.perform(PutFence(Write(circle { $0.note = "So" })), by: .person(luis))
            #expect(try watchers() == ["luis school accepted true"], "what he notes is nothing to her")
            let wider = circle { $0.area = .circle(valencia, metres: 900) }
            try await live.perform(PutFence(Write(wider)), by: .person(luis))
            #expect(try watchers() == ["luis school asked false"], "another fence is another question")
            try await live.perform(EndWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            #expect(try watchers() == [])
            await #expect(throws: Refusal.unknown(.fence, id("school"))) {
                try await live.perform(AcceptWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            }
        }
    }

    @Test func onlyFriendsAreWatchedAndNobodyByTooMany() async throws {
        try await withFriends(.friends) { live in
            for name in ["eva", "nobody"] {
                await #expect(throws: Refusal.unknown(.friend, id(name))) {
                    try await live.perform(
                        PutFence(Write(circle { $0.watched = .people([id(name)]) })), by: .person(luis))
                }
            }
            try await live.perform(MakeFriends(ana, id("eva")))
            for number in 0..<99 {
                let fence = circle { ($0.id, $0.owner) = (id("f\(number)"), id("eva")) }
                try await live.perform(PutFence(Write(fence)), by: .person(id("eva")))
            }
            await #expect(throws: Refusal.tooMany(.watcher, 100)) {
                try await live.perform(PutFence(Write(circle { $0.id = id("more") })), by: .person(luis))
            }
        }
    }

    /// However it ends, Luis is told no more, not even that she left, and has the same fences.
    @Test func anEndIsSilentAndLooksAlike() async throws {
        let ends: [@Sendable (TestLive) async throws -> Void] = [
            { try await $0.perform(Unfriend(Self.ana, Self.luis)) },
            { try await $0.perform(Block(Self.ana, Self.luis)) },
            { try await $0.perform(DeletePerson(Self.ana)) },
        ]
        let pauses: [@Sendable (TestLive) async throws -> Void] = [
            { try await $0.perform(EndWatcher(id("school"), of: Self.luis, about: Self.ana)) },
            { try await $0.perform(PutPeople([Write(person("ana"))])) },
        ]
        for (number, end) in (ends + pauses).enumerated() {
            try await withFriends(.friends) { live in
                _ = try await live.send(ping(0, valencia), at: morning)
                #expect(try await told(live) == ["fence.enter 0 exact"])
                let mark = live.live.read { $0.account.first { $0.hasPrefix("last event") } }
                try await end(live)
                let isEnd = number < ends.count
                // Only what she lets no friend have about her any more is forgotten when she comes next.
                #expect(number == 4 || !live.account.contains { $0.hasPrefix("visit") }, "\(number)")
                #expect(try await told(live) == (isEnd ? [] : ["fence.enter 0 exact"]), "\(number)")
                if number != 2 { try await visit(live, at: 1000) }
                #expect(try await told(live) == (isEnd ? [] : ["fence.enter 0 exact"]), "\(number)")
                #expect(mark != nil)
                let fences = try live.live.read { try $0.fences(of: luis, after: nil, atMost: 10) }.map(\.value)
                #expect(fences == (isEnd ? [] : [circle()]), "\(number)")
                #expect(!live.account.contains { $0.hasPrefix("visit") }, "\(number)")
                let account = live.account
                let restarted = try await live.restarted()
                #expect(difference(restarted.account, account) == [], "\(number)")
                try restarted.store.close()
            }
        }
    }

    @Test func aFenceAboutSeveralLosesWhoIsNoFriendAnyMore() async throws {
        try await withFriends(.friends) { live in
            try await live.perform(MakeFriends(luis, id("eva")))
            let both = circle { $0.watched = .people([ana, id("eva"), luis]) }
            try await live.perform(PutFence(Write(both)), by: .person(luis))
            try await live.perform(Unfriend(luis, id("eva")))
            let left = try live.live.read { try $0.fence(id("school"), of: luis) }
            #expect(left.value.watched == .people([ana, luis]))
            _ = try await live.send(ping(0, valencia), ping(0, valencia, of: "luis"), at: morning)
            #expect(try await told(live) == ["fence.enter 0 ", "fence.enter 0 exact"])
        }
    }

    @Test func whoSharesAnApproximatePlaceCrossesInWholeCellsAndQuarters() async throws {
        try await withFriends(.friends) { live in
            try await share(live) {
                $0.sharing = Sharing(.approximate); $0.sharing.alerts = .friends
            }
            try await visit(live, at: 450)
            for line in try await told(live) {
                let words = line.split(separator: " ")
                #expect(words.last == "approximate" && (Int(words[1]) ?? 1) % 900 == 0, "\(line)")
            }
            #expect(try await told(live).count == 2)
            try await share(live) {
                $0.sharing = Sharing(.city); $0.sharing.alerts = .friends
            }
            #expect(try await told(live) == [], "what was told more exactly than may be asked now is told no more")
        }
    }

    @Test func whoStaysIsToldByTheClockWhileThatMayBeTold() async throws {
        for isShown in [true, false] {
            try await withFriends(.friends) { live in
                let fence = circle { ($0.passages, $0.dwell) = ([.dwell], .seconds(300)) }
                try await live.perform(PutFence(Write(fence)), by: .person(luis))
                _ = try await live.send(ping(0, valencia), at: morning)
                if !isShown { try await share(live) { $0.sharing.alerts = .nobody } }
                try await live.live.tellDwelling(at: morning + .seconds(301))
                try await live.live.tellDwelling(at: morning + .seconds(400))
                #expect(try await told(live) == (isShown ? ["fence.dwell 300 exact"] : []))
            }
        }
    }

    /// Fences of every size about a privacy zone tell nothing of where in it she is.
    @Test func fencesCannotBracketAPrivacyZone() async throws {
        var worlds: [[String]] = []
        for inside in [0.0, 60, 150] {
            try await withFriends(.friends) { live in
                try await share(live) {
                    $0.sharing.alerts = .friends
                    $0.sharing.zones = [PrivacyZone(id: id("home"), centre: east(10_000), radius: 900)]
                }
                for step in 0..<20 {
                    let fence = circle {
                        $0.id = id("f\(step)")
                        $0.area = .circle(east(9_000 + Double(step) * 100), metres: 150)
                        $0.margin = 0
                    }
                    try await live.perform(PutFence(Write(fence)), by: .person(luis))
                }
                for (index, place) in [3000.0, 10_000 + inside, 10_600 - inside, 3000].enumerated() {
                    let time = index * 1000
                    _ = try await live.send(
                        ping(Double(time), east(place), accuracy: 0), at: morning + .seconds(Int64(time)))
                }
                worlds.append(try await told(live))
            }
        }
        #expect(worlds.allSatisfy { $0 == worlds[0] }, "\(worlds)")
    }

    @Test func whatHappenedDuringErasedTimesIsErasedAlsoWhereOnlyTheQuarterIsTold() async throws {
        try await withFriends(.friends) { live in
            try await share(live) {
                $0.sharing = Sharing(.approximate); $0.sharing.alerts = .friends
            }
            try await visit(live, at: 450)
            _ = try await live.live.erase(
                of: ana, in: morning + .seconds(700)..<morning + .seconds(800), where: nil, by: .service,
                received: morning + .seconds(86_400))
            let left = try await live.store.events(after: 0, atMost: 100).map(\.fact.type)
            #expect(!left.contains(.fenceEnter) && left.contains(.fenceExit), "\(left)")
        }
    }
}
