import Discovery
import Foundation
import Laws
import Model
import TestSupport
import Testing

/// The lanes of an outbox, where one person's events delay no other's, and none is lost.
@Suite struct OutboxLaneTests {
    private func webhook(_ change: (inout Webhook) -> Void = { _ in }) -> Webhook {
        var webhook = Webhook(id: id("hook"), url: "https://hooks.example/")
        change(&webhook)
        return webhook
    }

    /// Delivers all messages at once and returns their numbers in order, where -1 is a reset.
    private func deliverAll(_ box: OutboxUnderTest, _ history: History) -> [Int64] {
        var numbers: [Int64] = []
        repeat {
            while let message = box.next(at: morning) {
                numbers.append(message.event?.number ?? -1)
                box.end(message, .delivered, at: morning)
            }
        } while box.read(history, at: morning)
        return numbers
    }

    @Test("A flood of one person leaves slots for others, and is delivered in order", arguments: [true, false])
    func flood(isOrdered: Bool) throws {
        var history = History()
        for _ in 0..<2000 { history.add(0) }
        history.add(1)
        let box = OutboxUnderTest(webhook { $0.isOrdered = isOrdered }, at: morning)
        var reads = 0
        while box.read(history, at: morning) { reads += 1 }
        #expect(reads == 8, "2,001 events, 256 at a time")
        #expect(box.progress.waiting.map(\.number) == Array(1...8) + [2001])
        #expect(box.progress.deferred == [.init(.person(0), from: 9)] && box.progress.owed == 1)
        let first = box.all(at: morning).map { $0.event?.number }
        #expect(first.prefix(2) == [1, 2001], "\(first)")
        let again = OutboxUnderTest(Outbox(of: webhook(), box.progress, waiting: history[box.progress], at: morning))
        let numbers = deliverAll(again, history)
        #expect(numbers.filter { $0 != 2001 } == Array(1...2000) && numbers.count == 2001)
        #expect(again.progress.deferred == nil && again.progress.owed == 2002)
    }

    @Test("A person's requests about many places are one lane")
    func manyPlaces() throws {
        var history = History()
        for number in 0..<1500 {
            var payload = EventPayload(.favouriteCount, about: id("place\(number)") as AnyID)
            payload.cause = PersonNumber(rawValue: 0)
            history.events.append(Event(number: Int64(number + 1), at: morning, payload))
        }
        history.add(1)
        let box = OutboxUnderTest(webhook { $0.types = EventType.allCases }, at: morning)
        while box.read(history, at: morning) {}
        #expect(box.all(at: morning).prefix(2).map { $0.event?.number } == [1, 1501])
    }

    @Test("Floods of many people leave a slot for another person, within one turn of each") func manyFloods() throws {
        var history = History()
        for number in 0..<6000 { history.add(number % 60) }
        history.add(60)
        let box = OutboxUnderTest(webhook(), at: morning)
        var sent: [Int64] = []
        while sent.last != 6001, sent.count < 6001 {
            _ = box.read(history, at: morning)
            // The receiver takes one message for each batch that is read.
            let message = try #require(box.next(at: morning))
            sent.append(message.event?.number ?? -1)
            box.end(message, .delivered, at: morning)
        }
        #expect(sent.count <= 24 + 61, "24 batches are read until the event is seen, then each lane has a turn")
    }

    @Test("A lane that continues elsewhere after a redelivery misses nothing") func redelivery() throws {
        var history = History()
        for number in 0..<300 { history.add(number % 2) }
        let box = OutboxUnderTest(webhook(), at: morning)
        while box.read(history, at: morning) {}
        #expect(box.progress.deferred == [.init(.person(0), from: 17), .init(.person(1), from: 18)])
        for number in [Int64(1), 10, 17, 18, 100] {
            let progress = box.progress.going(onFrom: number, resetting: false, at: morning)
            let events = history[progress]
            let again = OutboxUnderTest(Outbox(of: webhook(), progress, waiting: events, at: morning))
            let numbers = deliverAll(again, history)
            for lane in 0..<2 {
                #expect(numbers.filter { ($0 - 1) % 2 == lane } == (1...300).filter { ($0 - 1) % 2 == lane })
            }
        }
    }

    @Test("A deferred lane whose events left memory receives one reset, and the events that are kept")
    func gaps() throws {
        var history = History()
        for number in 0..<400 { history.add(0, number.isMultiple(of: 2) ? .pingMoved : .friendMade) }
        let box = OutboxUnderTest(webhook { $0.types = EventType.allCases }, at: morning)
        while box.read(history, at: morning) {}
        history.firstInMemory = 401
        let numbers = deliverAll(box, history)
        #expect(numbers.count(where: { $0 == -1 }) == 1)
        #expect(numbers.filter { $0 != -1 } == Array(1...8) + (9...400).filter { $0.isMultiple(of: 2) })
    }

    /// A service with random events, and a receiver that accepts, refuses, or hangs.
    private struct World {
        var random: SeededGenerator
        let people: Int
        var history = History()
        var now = morning
        var underWay: [Outbox.Message] = []
        /// How often another lane was sent while a lane's first event was due, by lane.
        var passed: [Int: Int] = [:]
        var delivered: Set<Int64> = []
        /// The events of each person in the order of their first delivery.
        var order: [Int: [Int64]] = [:]

        func person(_ number: Int64) -> Int {
            Int(history.events[Int(number - 1)].payload.person?.number.rawValue ?? 0)
        }

        mutating func publish() {
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                history.add(Int.random(in: 0..<10, using: &random) < 8 ? 0 : Int.random(in: 0..<people, using: &random))
            }
        }

        /// Starts all messages that may be sent, and counts the lanes that are passed over.
        mutating func send(_ box: OutboxUnderTest) {
            while let message = box.next(at: now), let number = message.event?.number {
                let busy = Set(underWay.compactMap { $0.event.map { person($0.number) } })
                let first = Dictionary(box.progress.waiting.map { (person($0.number), $0.due) }) { first, _ in first }
                for (lane, due) in first where due <= now && !busy.contains(lane) { passed[lane, default: 0] += 1 }
                passed[person(number)] = nil
                underWay.append(message)
            }
        }

        /// Ends some messages in flight, or delivers all of them without trouble.
        mutating func end(_ box: OutboxUnderTest, hasTrouble: Bool) {
            var hanging: [Outbox.Message] = []
            for message in underWay {
                guard let number = message.event?.number else { continue }
                switch hasTrouble ? Int.random(in: 0..<10, using: &random) : 9 {
                case 0: hanging.append(message)
                case 1: box.end(message, .failed(retryAfter: .seconds(1)), at: now)
                default:
                    box.end(message, .delivered, at: now)
                    if delivered.insert(number).inserted { order[person(number), default: []].append(number) }
                }
            }
            underWay = hanging
            now = now + .milliseconds(Int64.random(in: 0...2000, using: &random))
        }
    }

    @Test("Lanes take turns, and nothing is lost or out of order", arguments: RandomCases.seeds(0..<40))
    func turns(seed: UInt64) throws {
        var world = World(random: SeededGenerator(seed: seed), people: seed.isMultiple(of: 3) ? 300 : 12)
        let isOrdered = Bool.random(using: &world.random)
        let hook = webhook { $0.isOrdered = isOrdered }
        var box = OutboxUnderTest(hook, at: morning)
        var (noted, checked, steps) = (box.progress, Int64(0), 0)
        while true {
            steps += 1
            let hasTrouble = steps <= 60
            if hasTrouble { world.publish() }
            let isMore = box.read(world.history, at: world.now)
            world.send(box)
            world.end(box, hasTrouble: hasTrouble)
            #expect(world.passed.values.max() ?? 0 < world.people, "seed \(seed), step \(steps)")
            let progress = box.progress
            #expect(progress.waiting.count <= 2 * Outbox.capacity, "seed \(seed)")
            while checked + 1 < progress.owed {
                checked += 1
                #expect(world.delivered.contains(checked), "seed \(seed): \(checked) is owed")
            }
            if Int.random(in: 0..<10, using: &world.random) == 0 { noted = progress }
            if hasTrouble, Int.random(in: 0..<20, using: &world.random) == 0 {
                box = OutboxUnderTest(Outbox(of: hook, noted, waiting: world.history[noted], at: world.now))
                (world.underWay, world.passed) = ([], [:])
            }
            if !hasTrouble, !isMore, progress.waiting.isEmpty, progress.deferred == nil { break }
            try #require(steps < 100_000, "seed \(seed) does not end")
        }
        #expect(world.delivered.count == world.history.events.count, "seed \(seed)")
        if isOrdered { #expect(world.order.values.allSatisfy { $0 == $0.sorted() }, "seed \(seed)") }
    }
}

extension History {
    /// The waiting events.
    fileprivate subscript(_ progress: WebhookProgress) -> [Event] {
        progress.waiting.filter { !$0.isReset }.map { events[Int($0.number - 1)] }
    }
}
