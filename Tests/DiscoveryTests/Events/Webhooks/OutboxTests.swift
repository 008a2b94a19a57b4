import Discovery
import Foundation
import Model
import TestSupport
import Testing

/// The order and the times of a webhook's messages.
@Suite struct OutboxTests {
    private static let (ana, luis) = (EventPayload.Participant(0, id("ana")), EventPayload.Participant(1, id("luis")))

    private func webhook(_ change: (inout Webhook) -> Void = { _ in }) -> Webhook {
        var webhook = Webhook(id: id("hook"), url: "https://hooks.example/")
        change(&webhook)
        return webhook
    }

    private func event(_ number: Int64, _ person: EventPayload.Participant = ana, _ type: EventType = .friendMade)
        -> Event
    {
        Event(number: number, at: morning + .seconds(Double(number)), EventPayload(type, person))
    }

    /// The numbers of messages, where -1 is a reset.
    private func numbers(_ messages: [Outbox.Message]) -> [Int64] { messages.map { $0.event?.number ?? -1 } }

    @Test("A person's next event waits for the previous one") func personOrder() throws {
        let box = OutboxUnderTest(webhook(), at: morning)
        box.take(
            EventBatch(events: [event(1), event(2, Self.luis), event(3)], through: 3, isBehind: false), at: morning)
        let first = box.all(at: morning)
        #expect(numbers(first) == [1, 2])
        #expect(!box.end(first[1], .delivered, at: morning))
        #expect(box.numbers(at: morning) == [])
        #expect(!box.end(first[0], .failed(retryAfter: nil), at: morning))
        #expect(box.numbers(at: morning) == [], "what failed holds up what is after it")
        #expect(box.numbers(at: morning + .seconds(5)) == [1])
        #expect(box.progress.through == 3 && box.progress.waiting.map(\.number) == [1, 3] && box.progress.owed == 1)
    }

    @Test("Without order, messages are sent at once, with slots kept for others") func unordered() throws {
        let box = OutboxUnderTest(webhook { $0.isOrdered = false }, at: morning)
        box.take(EventBatch(events: (1...20).map { event($0) }, through: 20, isBehind: false), at: morning)
        #expect(box.numbers(at: morning) == Array(1...6), "two places are kept for others")
        box.take(
            EventBatch(events: (21...24).map { event($0, Self.luis) }, through: 24, isBehind: false), at: morning)
        #expect(box.numbers(at: morning) == [21])
    }

    @Test("Retries back off, and end after three days") func backoff() throws {
        let box = OutboxUnderTest(webhook(), at: morning)
        box.take(EventBatch(events: [event(1)], through: 1, isBehind: false), at: morning)
        var (now, pauses) = (morning, [Int]())
        while box.outbox.disabled == nil, pauses.count < 100 {
            let message = try #require(box.next(at: now))
            #expect(!box.end(message, .failed(retryAfter: nil), at: now))
            guard let due = box.progress.waiting.first?.due, box.outbox.disabled == nil else { break }
            #expect(box.next(at: due - .milliseconds(1)) == nil)
            pauses.append(Int((due - now).seconds))
            now = due
        }
        #expect(Array(pauses.prefix(8)) == [5, 300, 1800, 7200, 18_000, 28_800, 28_800, 28_800])
        #expect(pauses.reduce(0, +) == 3 * 86_400 && box.outbox.disabled == .failing)
    }

    @Test("The receiver sets the time of a retry, within bounds") func retryTime() throws {
        for (wanted, due) in [(Duration.seconds(40), 40.0), (.zero, 1), (.seconds(1_000_000), 28_800)] {
            let box = OutboxUnderTest(webhook(), at: morning)
            box.take(EventBatch(events: [event(1)], through: 1, isBehind: false), at: morning)
            let message = try #require(box.next(at: morning))
            #expect(!box.end(message, .failed(retryAfter: wanted), at: morning, jitter: 1.2))
            #expect(box.progress.waiting.first?.due == morning + .seconds(due))
        }
    }

    @Test("An event that alone fails is given up without disabling the webhook") func failingEvent() throws {
        let box = OutboxUnderTest(webhook(), at: morning)
        box.take(EventBatch(events: [event(1), event(2, Self.luis)], through: 2, isBehind: false), at: morning)
        let first = box.all(at: morning)
        #expect(!box.end(first[0], .failed(retryAfter: nil), at: morning))
        #expect(!box.end(first[1], .delivered, at: morning + .seconds(10)))
        let last = try #require(box.next(at: morning + .seconds(300)))
        #expect(box.end(last, .failed(retryAfter: nil), at: morning + Outbox.retryPeriod))
        #expect(box.outbox.disabled == nil && box.progress.waiting == [])
    }

    @Test("After a delivery, other messages are retried within five minutes") func recovery() throws {
        let box = OutboxUnderTest(webhook(), at: morning)
        box.take(EventBatch(events: [event(1)], through: 1, isBehind: false), at: morning)
        var now = morning
        for _ in 0..<5 {
            let message = try #require(box.next(at: now))
            #expect(!box.end(message, .failed(retryAfter: nil), at: now))
            now = try #require(box.progress.waiting.first?.due)
        }
        let failed = now - .seconds(18_000)
        box.take(EventBatch(events: [event(2, Self.luis)], through: 2, isBehind: false), at: failed)
        let message = try #require(box.next(at: failed))
        #expect(!box.end(message, .delivered, at: failed))
        #expect(box.progress.waiting.first?.due == failed + .seconds(300))
    }

    @Test("A receiver that is gone is sent nothing more") func gone() throws {
        let box = OutboxUnderTest(webhook(), at: morning)
        box.take(EventBatch(events: [event(1), event(2, Self.luis)], through: 2, isBehind: false), at: morning)
        let message = try #require(box.next(at: morning))
        #expect(!box.end(message, .gone, at: morning))
        #expect(box.outbox.disabled == .gone && box.next(at: morning) == nil)
    }

    @Test("A gap is reported first, and only to a webhook that it concerns") func gap() throws {
        let kept = OutboxUnderTest(webhook(), through: 10, at: morning)
        kept.take(EventBatch(events: [event(17)], through: 20, isBehind: true), at: morning)
        #expect(kept.numbers(at: morning) == [17], "of what is kept none is missing")
        let box = OutboxUnderTest(webhook { $0.types = EventType.allCases }, through: 10, at: morning)
        box.take(EventBatch(events: [event(17)], through: 20, isBehind: true), at: morning)
        box.take(EventBatch(events: [event(21, Self.luis)], through: 21, isBehind: true), at: morning)
        let reset = box.all(at: morning)
        #expect(numbers(reset) == [-1])
        #expect(!box.end(reset[0], .failed(retryAfter: nil), at: morning))
        // A stop does not change this, because waiting events are read again.
        let again = OutboxUnderTest(
            Outbox(
                of: webhook { $0.types = EventType.allCases }, box.progress,
                waiting: [event(17), event(21, Self.luis)], at: morning))
        #expect(again.progress == box.progress && again.numbers(at: morning) == [])
        let second = again.all(at: morning + .seconds(5))
        #expect(numbers(second) == [-1])
        #expect(!again.end(second[0], .delivered, at: morning + .seconds(5)))
        #expect(again.numbers(at: morning + .seconds(5)) == [17, 21])
    }

    @Test("A waiting event that was only in memory is a gap after a stop") func lostEvent() throws {
        let all = webhook { $0.types = EventType.allCases }
        let box = OutboxUnderTest(all, at: morning)
        box.take(EventBatch(events: [event(1, Self.ana, .pingMoved)], through: 1, isBehind: false), at: morning)
        let again = OutboxUnderTest(Outbox(of: all, box.progress, waiting: [], at: morning))
        #expect(again.numbers(at: morning) == [-1])
    }

    @Test("An outbox has room for 256 events") func capacity() throws {
        let box = OutboxUnderTest(webhook(), at: morning)
        func event(_ number: Int64) -> Event {
            self.event(number, EventPayload.Participant(PersonNumber(rawValue: Int32(number)), id("p\(number)")))
        }
        box.take(EventBatch(events: (1...255).map { event($0) }, through: 255, isBehind: false), at: morning)
        #expect(box.outbox.hasRoom)
        box.take(EventBatch(events: [event(256)], through: 256, isBehind: false), at: morning)
        #expect(!box.outbox.hasRoom)
    }
}
