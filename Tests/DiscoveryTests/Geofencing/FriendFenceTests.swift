import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Fences about friends report as far as the friends agree, and no more than a query would show.
@Suite struct FriendFenceTests {
    private static let ana: PersonID = id("ana")
    private static let luis: PersonID = id("luis")
    let ana = Self.ana
    let luis = Self.luis

    /// Runs the body with a circle of 800 m that Luis has about his friend Ana, who shares exactly.
    func withFriends(
        _ alerts: Alerts, _ body: (TestEngine) async throws -> Void
    ) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana") { $0.sharing.alerts = alerts }, person("luis"), person("eva"))
            try await engine.perform(MakeFriends(ana, luis))
            try await engine.perform(PutFence(Write(circle())), by: .person(luis))
            try await body(engine)
        }
    }

    func circle(_ change: (inout Fence) -> Void = { _ in }) -> Fence {
        var fence = Fence(id: id("school"), .circle(valencia, metres: 800), watching: .people([ana]))
        (fence.owner, fence.margin) = (luis, 50)
        change(&fence)
        return fence
    }

    private func share(_ engine: TestEngine, _ change: @escaping (inout Person) -> Void) async throws {
        try await engine.perform(PutPeople([Write(person("ana", change))]))
    }

    /// The fence events that Luis receives, with their times in seconds after the morning.
    func reported(_ engine: TestEngine, at now: Timestamp = morning + .seconds(86_400)) async throws -> [String] {
        var reader = EventReader(for: .person(luis), EventFilter(), after: 0, of: engine.engine)
        return try await reader.page(atMost: 1_000, from: engine.engine, at: now).events
            .filter { $0.type.rawValue.hasPrefix("fence") }.map { event in
                "\(event.type.rawValue) \(Int((event.at - morning).seconds)) \(event.precision?.rawValue ?? "")"
            }
    }

    /// Ana enters the circle and leaves it again, from `time` seconds after the morning on.
    func visit(_ engine: TestEngine, at time: Double) async throws {
        for (seconds, place) in [(0.0, 3000.0), (300, 0), (600, 3000)] {
            _ = try await engine.send(
                ping(time + seconds, east(place)), at: morning + .seconds(Int64(time + seconds)))
        }
    }

    @Test(
        "A friend's fence reports only as far as the person agrees",
        arguments: [
            (Alerts.nobody, false, 0), (.nobody, true, 0), (.asked, false, 0), (.asked, true, 2), (.friends, false, 2),
        ])
    func consent(alerts: Alerts, accepts: Bool, count: Int) async throws {
        try await withFriends(alerts) { engine in
            if accepts {
                try await engine.perform(AcceptWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            }
            try await visit(engine, at: 0)
            #expect(try await reported(engine) == ["fence.enter 300 exact", "fence.exit 600 exact"].suffix(count))
        }
    }

    @Test("A person sees and answers requests of friends to watch them") func requests() async throws {
        try await withFriends(.asked) { engine in
            func watchers() throws -> [String] {
                try engine.engine.read { try $0.watchers(of: ana) }.map {
                    "\($0.owner) \($0.fence.id) \($0.watch.state) \($0.isWatching)"
                }
            }
            #expect(try watchers() == ["luis school asked false"])
            let asked = try await engine.store.events(after: 0, atMost: 100).filter { $0.payload.type == .fenceAsked }
            #expect(
                asked.map { "\($0.payload.person?.id.text ?? "") \($0.payload.other?.id.text ?? "")" } == ["luis ana"])
            #expect(try await reported(engine) == [], "but who asks is not told that she wants to be asked")
            try await engine.perform(AcceptWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            #expect(try watchers() == ["luis school accepted true"])
            try await engine.perform(PutFence(Write(circle { $0.note = "So" })), by: .person(luis))
            #expect(try watchers() == ["luis school accepted true"], "what he notes is nothing to her")
            let wider = circle { $0.area = .circle(valencia, metres: 900) }
            try await engine.perform(PutFence(Write(wider)), by: .person(luis))
            #expect(try watchers() == ["luis school asked false"], "another fence is another question")
            try await engine.perform(EndWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            #expect(try watchers() == [])
            await #expect(throws: Refusal.unknown(.fence, id("school"))) {
                try await engine.perform(AcceptWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            }
        }
    }

    @Test("Only friends can be watched, by at most 100 fences") func limits() async throws {
        try await withFriends(.friends) { engine in
            for name in ["eva", "nobody"] {
                await #expect(throws: Refusal.unknown(.friend, id(name))) {
                    try await engine.perform(
                        PutFence(Write(circle { $0.watched = .people([id(name)]) })), by: .person(luis))
                }
            }
            try await engine.perform(MakeFriends(ana, id("eva")))
            for number in 0..<99 {
                let fence = circle { ($0.id, $0.owner) = (id("f\(number)"), id("eva")) }
                try await engine.perform(PutFence(Write(fence)), by: .person(id("eva")))
            }
            await #expect(throws: Refusal.tooMany(.watcher, 100)) {
                try await engine.perform(PutFence(Write(circle { $0.id = id("more") })), by: .person(luis))
            }
        }
    }

    /// Luis receives no further event, not even an exit, and all ends leave the same fences.
    @Test("All ends of watching are silent and look alike to the watcher") func silentEnd() async throws {
        let ends: [@Sendable (TestEngine) async throws -> Void] = [
            { try await $0.perform(Unfriend(Self.ana, Self.luis)) },
            { try await $0.perform(Block(Self.ana, Self.luis)) },
            { try await $0.perform(DeletePerson(Self.ana)) },
        ]
        let pauses: [@Sendable (TestEngine) async throws -> Void] = [
            { try await $0.perform(EndWatcher(id("school"), of: Self.luis, about: Self.ana)) },
            { try await $0.perform(PutPeople([Write(person("ana"))])) },
        ]
        for (number, end) in (ends + pauses).enumerated() {
            try await withFriends(.friends) { engine in
                _ = try await engine.send(ping(0, valencia), at: morning)
                #expect(try await reported(engine) == ["fence.enter 0 exact"])
                let mark = engine.engine.read { $0.canonicalDump.first { $0.hasPrefix("last event") } }
                try await end(engine)
                let isEnd = number < ends.count
                // If she allows no alerts, the visit is deleted at her next position.
                #expect(number == 4 || !engine.canonicalDump.contains { $0.hasPrefix("visit") }, "\(number)")
                #expect(try await reported(engine) == (isEnd ? [] : ["fence.enter 0 exact"]), "\(number)")
                if number != 2 { try await visit(engine, at: 1000) }
                #expect(try await reported(engine) == (isEnd ? [] : ["fence.enter 0 exact"]), "\(number)")
                #expect(mark != nil)
                let fences = try engine.engine.read { try $0.fences(of: luis, after: nil, atMost: 10) }.map(\.value)
                #expect(fences == (isEnd ? [] : [circle()]), "\(number)")
                #expect(!engine.canonicalDump.contains { $0.hasPrefix("visit") }, "\(number)")
                let account = engine.canonicalDump
                let restarted = try await engine.restarted()
                #expect(difference(restarted.canonicalDump, account) == [], "\(number)")
                try restarted.store.close()
            }
        }
    }

    @Test("A fence about several people drops a former friend") func formerFriend() async throws {
        try await withFriends(.friends) { engine in
            try await engine.perform(MakeFriends(luis, id("eva")))
            let both = circle { $0.watched = .people([ana, id("eva"), luis]) }
            try await engine.perform(PutFence(Write(both)), by: .person(luis))
            try await engine.perform(Unfriend(luis, id("eva")))
            let left = try engine.engine.read { try $0.fence(id("school"), of: luis) }
            #expect(left.value.watched == .people([ana, luis]))
            _ = try await engine.send(ping(0, valencia), ping(0, valencia, of: "luis"), at: morning)
            #expect(try await reported(engine) == ["fence.enter 0 ", "fence.enter 0 exact"])
        }
    }

    @Test("With approximate sharing, crossings are in whole cells and quarter hours")
    func approximateSharing() async throws {
        try await withFriends(.friends) { engine in
            try await share(engine) {
                $0.sharing = Sharing(.approximate); $0.sharing.alerts = .friends
            }
            try await visit(engine, at: 450)
            for line in try await reported(engine) {
                let words = line.split(separator: " ")
                #expect(words.last == "approximate" && (Int(words[1]) ?? 1) % 900 == 0, "\(line)")
            }
            #expect(try await reported(engine).count == 2)
            try await share(engine) {
                $0.sharing = Sharing(.city); $0.sharing.alerts = .friends
            }
            #expect(
                try await reported(engine) == [], "what was told more exactly than may be asked now is told no more")
        }
    }

    @Test("A dwell is reported by the clock while alerts are allowed") func dwell() async throws {
        for isShown in [true, false] {
            try await withFriends(.friends) { engine in
                let fence = circle { ($0.passages, $0.dwell) = ([.dwell], .seconds(300)) }
                try await engine.perform(PutFence(Write(fence)), by: .person(luis))
                _ = try await engine.send(ping(0, valencia), at: morning)
                if !isShown { try await share(engine) { $0.sharing.alerts = .nobody } }
                try await engine.engine.fireTimedFences(at: morning + .seconds(301))
                try await engine.engine.fireTimedFences(at: morning + .seconds(400))
                #expect(try await reported(engine) == (isShown ? ["fence.dwell 300 exact"] : []))
            }
        }
    }

    @Test("Fences around a privacy zone do not reveal the position within it") func privacyZone() async throws {
        var worlds: [[String]] = []
        for inside in [0.0, 60, 150] {
            try await withFriends(.friends) { engine in
                try await share(engine) {
                    $0.sharing.alerts = .friends
                    $0.sharing.zones = [PrivacyZone(id: id("home"), centre: east(10_000), radius: 900)]
                }
                for step in 0..<20 {
                    let fence = circle {
                        $0.id = id("f\(step)")
                        $0.area = .circle(east(9_000 + Double(step) * 100), metres: 150)
                        $0.margin = 0
                    }
                    try await engine.perform(PutFence(Write(fence)), by: .person(luis))
                }
                for (index, place) in [3000.0, 10_000 + inside, 10_600 - inside, 3000].enumerated() {
                    let time = index * 1000
                    _ = try await engine.send(
                        ping(Double(time), east(place), accuracy: 0), at: morning + .seconds(Int64(time)))
                }
                worlds.append(try await reported(engine))
            }
        }
        #expect(worlds.allSatisfy { $0 == worlds[0] }, "\(worlds)")
    }

    @Test("Events within an erased period are erased even if only their quarter hour is visible")
    func erasure() async throws {
        try await withFriends(.friends) { engine in
            try await share(engine) {
                $0.sharing = Sharing(.approximate); $0.sharing.alerts = .friends
            }
            try await visit(engine, at: 450)
            _ = try await engine.engine.erase(
                of: ana, in: morning + .seconds(700)..<morning + .seconds(800), where: nil, by: .service,
                received: morning + .seconds(86_400))
            let left = try await engine.store.events(after: 0, atMost: 100).map(\.payload.type)
            #expect(!left.contains(.fenceEnter) && left.contains(.fenceExit), "\(left)")
        }
    }
}
