import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Events of positions that are not stored, and ping hints while followers watch.
@Suite struct LiveMoveTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")
    private let bea: PersonID = id("bea")
    private let now = morning + .seconds(1000)

    /// Runs the body with Ana, her friends Luis, who shares exactly, and Bea, who does not, and Eva, a stranger.
    private func withFriends(_ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana") { $0.sharing.alerts = .friends }, person("luis"),
                person("bea") { $0.sharing = Sharing(.approximate) }, person("eva"))
            for friend in [luis, bea] { try await engine.perform(MakeFriends(ana, friend)) }
            _ = try await engine.send(ping(0, valencia), at: now)
            try await body(engine)
        }
    }

    private func follower(_ caller: Caller, _ engine: TestEngine, _ change: (inout EventFilter) -> Void = { _ in })
        async throws -> EventReader
    {
        var filter = EventFilter()
        change(&filter)
        var reader = EventReader(for: caller, filter, of: engine.engine)
        _ = try await reader.next(from: engine.engine, at: now)
        return reader
    }

    @Test("Moves that are not stored reach only viewers of the exact position, and take no event number")
    func exactViewers() async throws {
        try await withFriends { engine in
            var followers = [EventReader]()
            for caller in [Caller.service, .person(luis), .person(ana), .person(bea), .person(id("eva"))] {
                followers.append(try await follower(caller, engine))
            }
            let last = followers.map(\.resume)
            for (second, metres) in [(30.0, 200.0), (40, 250), (60, 5_000)] {
                _ = try await engine.send(ping(second, east(metres)), at: now)
                for index in followers.indices {
                    let reported = try await followers[index].next(from: engine.engine, at: now).events
                    #expect(reported.map(\.position?.place) == (index < 3 ? [east(metres)] : []), "follower \(index)")
                    #expect(reported.allSatisfy { $0.number == last[index] && $0.type == .pingMoved })
                    #expect(followers[index].resume == last[index])
                }
            }
            // A reader that reconnects later receives her current position.
            var late = EventReader(for: .person(luis), EventFilter(), after: last[1], of: engine.engine)
            #expect(try await late.next(from: engine.engine, at: now).events.first?.position?.place == east(5_000))
        }
    }

    @Test("Moves lost from memory reset a service, and a friend gets the latest position")
    func lostMoves() async throws {
        try await withFriends { engine in
            var (service, friend) = (try await follower(.service, engine), try await follower(.person(luis), engine))
            for start in stride(from: 0, to: 20_200, by: 400) {
                let pings = (start..<start + 400).map { number in
                    var report = ping(0, east(Double(number % 2)))
                    report.time = morning + .milliseconds(Int64(10_000 + number))
                    return report
                }
                try await engine.perform(Record(pings), at: now)
            }
            let missed = try await service.next(from: engine.engine, at: now)
            #expect(missed.isReset && missed.events.isEmpty)
            let reported =
                try await friend.next(from: engine.engine, at: now).events
                + friend.next(from: engine.engine, at: now).events
            #expect(reported.map(\.position?.place) == [east(1)])
        }
    }

    @Test("An area filter applies to the position that the viewer sees") func areaFilter() async throws {
        try await withFriends { engine in
            let cell = try engine.engine.read { try $0.position(of: ana, for: .person(bea), at: now) }.place
            var exact = try await follower(.person(luis), engine) { $0.circle = Circle(east(300), 50) }
            var service = try await follower(.service, engine) { filter in
                filter.area = try? .box(Box(west: -0.374, south: 39, east: 0, north: 40))
            }
            var coarse = EventReader(for: .person(bea), EventFilter(), of: engine.engine)
            #expect(try await coarse.next(from: engine.engine, at: now).events.contains { $0.position?.place == cell })
            for (filter, count) in [(Circle(cell, 1), 1), (Circle(valencia, 1), 0)] {
                var reader = EventReader(for: .person(bea), with(filter), of: engine.engine)
                #expect(
                    try await reader.next(from: engine.engine, at: now).events.count == count, "not by her true place")
            }
            var reported: [[Coordinate?]] = [[], []]
            for (second, metres) in [(20.0, 100.0), (30, 280), (40, 420), (50, 300)] {
                _ = try await engine.send(ping(second, east(metres)), at: now)
                reported[0] += try await exact.next(from: engine.engine, at: now).events.map(\.position?.place)
                reported[1] += try await service.next(from: engine.engine, at: now).events.map(\.position?.place)
            }
            #expect(reported[0] == [east(280), east(300)])
            #expect(reported[1] == [east(280), east(420), east(300)])
            var place = Place(id: id("shop"), kind: "store", name: "Shop")
            place.coordinate = east(300)
            try await engine.perform(PutPlace(Write(place)))
            try await engine.perform(Befriend(luis, id("eva")))
            #expect(try await service.next(from: engine.engine, at: now).events.map(\.type) == [.placeCreated])
        }
    }

    private func with(_ circle: Circle) -> EventFilter {
        var filter = EventFilter()
        filter.circle = circle
        return filter
    }

    @Test("Events of an erased period are no longer returned") func erasure() async throws {
        try await withFriends { engine in
            let fence = Fence(id: id("f"), .circle(east(300), metres: 100), watching: .everybody)
            try await engine.perform(PutFence(Write(fence)))
            func reported() async throws -> [String] {
                var reader = EventReader(for: .service, EventFilter(), after: 0, of: engine.engine)
                let page = try await reader.page(atMost: 1000, from: engine.engine, at: now)
                #expect(try reader.resume == engine.store.lastEvent())
                return page.events.map(\.type.rawValue).filter { $0.hasPrefix("fence") }
            }
            // Neither position is stored.
            _ = try await engine.send(ping(40, east(300)), ping(60, east(450)), at: now)
            #expect(try await reported() == ["fence.enter", "fence.exit"])
            let times = morning + .seconds(20)..<morning + .seconds(52)
            _ = try await engine.engine.erase(of: ana, in: times, where: nil, by: .service, received: now)
            #expect(try await reported() == ["fence.exit"], "of the ring")
            #expect(
                try await engine.store.events(after: 0, atMost: 99).map(\.payload.type).contains(.fenceEnter) == false)
            #expect(try await engine.store.events(after: 0, atMost: 99).map(\.payload.type).contains(.fenceExit))
        }
    }

    // MARK: - Hints

    /// Ana's phone, which sends a fix per second.
    private struct Phone {
        let engine: TestEngine
        var second = 0.0

        /// Sends the next fix and returns whether its hint is short.
        mutating func isLatencySensitive() async throws -> Bool {
            second += 1
            let now = morning + .seconds(1000)
            let hint = try #require(try await engine.hinted(ping(second, east(second)), at: now).hints.first)
            let pause = (hint.notBefore - morning).seconds - second
            #expect([500, 25].contains(hint.beyond) && (hint.beyond == 25) == (pause == 10), "\(hint)")
            return hint.beyond == 25
        }

        /// Sends the next fix while the reader watches.
        mutating func isLatencySensitive(by reader: EventReader) async throws -> Bool {
            let watching = reader.watching(in: engine.engine)
            let isLatencySensitive = try await isLatencySensitive()
            withExtendedLifetime(watching) {}
            return isLatencySensitive
        }
    }

    private func reader(
        _ caller: Caller, _ engine: TestEngine, of person: PersonID? = nil, _ types: Set<EventType> = []
    )
        -> EventReader
    {
        var filter = EventFilter()
        (filter.person, filter.types) = (person, types)
        return EventReader(for: caller, filter, of: engine.engine)
    }

    @Test("A hint is short while a viewer of the exact position watches") func watchedHint() async throws {
        try await withFriends { engine in
            var phone = Phone(engine: engine)
            #expect(try await !phone.isLatencySensitive())
            for (watcher, isShort) in [
                (reader(.person(luis), engine), true), (reader(.person(luis), engine, of: ana), true),
                (reader(.person(luis), engine, of: bea), false), (reader(.person(luis), engine, [.friendMade]), false),
                (reader(.person(bea), engine), false), (reader(.person(ana), engine), false),
                (reader(.person(id("eva")), engine), false), (reader(.service, engine), false),
                (reader(.service, engine, of: ana), true), (reader(.service, engine, [.pingMoved]), true),
            ] {
                let isLatencySensitive = try await phone.isLatencySensitive(by: watcher)
                #expect(isLatencySensitive == isShort, "\(watcher)")
                #expect(try await !phone.isLatencySensitive(), "only as long as somebody does")
                withExtendedLifetime(watcher) {}
            }
            let list = EventWatch(for: .person(luis), of: engine.engine)
            #expect(try await phone.isLatencySensitive())
            withExtendedLifetime(list) {}
        }
    }

    @Test("A link shortens the hint if it shows the exact position") func linkHint() async throws {
        for precision in [Precision.exact, .approximate] {
            try await withFriends { engine in
                let token = TokenHash(repeatElement(7, count: 32))
                let share = Share(
                    id: id("s"), token: token, precision, since: morning, until: now + .seconds(3600))
                try await engine.perform(OpenShare(share, of: ana), at: now)
                let reader = try #require(ShareReader(token, of: engine.engine, at: now)).watching(in: engine.engine)
                var phone = Phone(engine: engine)
                #expect(try await phone.isLatencySensitive() == (precision == .exact))
                withExtendedLifetime(reader) {}
            }
        }
    }

    @Test("A hint ends at the border of a fence whose owner sees the exact position") func fenceHint() async throws {
        for owner in [luis, bea] {
            try await withFriends { engine in
                var fence = Fence(id: id("f"), .circle(east(1000), metres: 700), watching: .people([ana]))
                fence.owner = owner
                try await engine.perform(PutFence(Write(fence)), by: .person(owner))
                let hint = try await engine.hinted(ping(30, east(100)), at: now).hints.first
                #expect((hint?.beyond ?? 0 < 201) == (owner == luis), "\(owner)")
            }
        }
    }
}
