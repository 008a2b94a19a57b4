import Discovery
import Foundation
import Model
import TestSupport
import Testing

/// What a webhook is sent, in which order and when.
@Suite struct OutboxTests {
    private static let (ana, luis) = (Fact.Participant(0, id("ana")), Fact.Participant(1, id("luis")))

    private func webhook(_ change: (inout Webhook) -> Void = { _ in }) -> Webhook {
        var webhook = Webhook(id: id("hook"), url: "https://hooks.example/")
        change(&webhook)
        return webhook
    }

    private func outbox(_ webhook: Webhook, through: Int64 = 0) -> Outbox {
        Outbox(of: webhook, WebhookProgress(through: through), waiting: [], at: morning)
    }

    private func event(_ number: Int64, _ person: Fact.Participant = ana, _ type: EventType = .friendMade) -> Event {
        Event(number: number, at: morning + .seconds(Double(number)), Fact(type, person))
    }

    /// The numbers of what may be sent at an instant, all of which is under way then; -1 is a reset.
    private func numbers(_ messages: [Outbox.Message]) -> [Int64] { messages.map { $0.event?.number ?? -1 } }

    private func start(_ outbox: inout Outbox, at now: Timestamp = morning) -> [Outbox.Message] {
        var messages: [Outbox.Message] = []
        while let message = outbox.next(at: now) { messages.append(message) }
        return messages
    }

    @Test func theNextEventOfAPersonWaitsForTheOneBefore() throws {
        var box = outbox(webhook())
        box.take(
            EventBatch(events: [event(1), event(2, Self.luis), event(3)], through: 3, isBehind: false), at: morning)
        let first = start(&box)
        #expect(numbers(first) == [1, 2])
        #expect(!box.end(first[1], .delivered, at: morning, jitter: 1))
        #expect(numbers(start(&box)) == [])
        #expect(!box.end(first[0], .failed(retryAfter: nil), at: morning, jitter: 1))
        #expect(numbers(start(&box)) == [], "what failed holds up what is after it")
        #expect(numbers(start(&box, at: morning + .seconds(5))) == [1])
        #expect(box.progress.through == 3 && box.progress.waiting.map(\.number) == [1, 3] && box.progress.owed == 1)
    }

    @Test func withoutOrderAllGoAtOnceButNoMoreThanEight() throws {
        var box = outbox(webhook { $0.isOrdered = false })
        box.take(EventBatch(events: (1...20).map { event($0) }, through: 20, isBehind: false), at: morning)
        #expect(numbers(start(&box)) == Array(1...8))
    }

    @Test func itIsTriedLessAndLessOftenForThreeDays() throws {
        var box = outbox(webhook())
        box.take(EventBatch(events: [event(1)], through: 1, isBehind: false), at: morning)
        var (now, pauses) = (morning, [Int]())
        while box.disabled == nil, pauses.count < 100 {
            let message = try #require(box.next(at: now))
            #expect(!box.end(message, .failed(retryAfter: nil), at: now, jitter: 1))
            guard let due = box.progress.waiting.first?.due, box.disabled == nil else { break }
            #expect(box.next(at: due - .milliseconds(1)) == nil)
            pauses.append(Int((due - now).seconds))
            now = due
        }
        #expect(Array(pauses.prefix(8)) == [5, 300, 1800, 7200, 18_000, 28_800, 28_800, 28_800])
        #expect(pauses.reduce(0, +) == 3 * 86_400 && box.disabled == .failing)
    }

    @Test func aReceiverSaysWhenToComeAgainWithinBounds() throws {
        for (wanted, due) in [(Duration.seconds(40), 40.0), (.zero, 1), (.seconds(1_000_000), 28_800)] {
            var box = outbox(webhook())
            box.take(EventBatch(events: [event(1)], through: 1, isBehind: false), at: morning)
            let message = try #require(box.next(at: morning))
            #expect(!box.end(message, .failed(retryAfter: wanted), at: morning, jitter: 1.2))
            #expect(box.progress.waiting.first?.due == morning + .seconds(due))
        }
    }

    @Test func whatOnlyOneEventSuffersIsGivenUpAndDoesNotEndTheWebhook() throws {
        var box = outbox(webhook())
        box.take(EventBatch(events: [event(1), event(2, Self.luis)], through: 2, isBehind: false), at: morning)
        let first = start(&box)
        #expect(!box.end(first[0], .failed(retryAfter: nil), at: morning, jitter: 1))
        #expect(!box.end(first[1], .delivered, at: morning + .seconds(10), jitter: 1))
        let last = try #require(box.next(at: morning + .seconds(300)))
        #expect(box.end(last, .failed(retryAfter: nil), at: morning + Outbox.patience, jitter: 1))
        #expect(box.disabled == nil && box.progress.waiting == [])
    }

    @Test func onceTheReceiverTakesSomethingTheRestIsTriedWithinFiveMinutes() throws {
        var box = outbox(webhook())
        box.take(EventBatch(events: [event(1)], through: 1, isBehind: false), at: morning)
        var now = morning
        for _ in 0..<5 {
            let message = try #require(box.next(at: now))
            #expect(!box.end(message, .failed(retryAfter: nil), at: now, jitter: 1))
            now = try #require(box.progress.waiting.first?.due)
        }
        let failed = now - .seconds(18_000)
        box.take(EventBatch(events: [event(2, Self.luis)], through: 2, isBehind: false), at: failed)
        let message = try #require(box.next(at: failed))
        #expect(!box.end(message, .delivered, at: failed, jitter: 1))
        #expect(box.progress.waiting.first?.due == failed + .seconds(300))
    }

    @Test func whoIsGoneIsSentNothingMore() throws {
        var box = outbox(webhook())
        box.take(EventBatch(events: [event(1), event(2, Self.luis)], through: 2, isBehind: false), at: morning)
        let message = try #require(box.next(at: morning))
        #expect(!box.end(message, .gone, at: morning, jitter: 1))
        #expect(box.disabled == .gone && box.next(at: morning) == nil)
    }

    @Test func aGapIsToldFirstToWhomItConcerns() throws {
        var kept = outbox(webhook(), through: 10)
        kept.take(EventBatch(events: [event(17)], through: 20, isBehind: true), at: morning)
        #expect(numbers(start(&kept)) == [17], "of what is kept none is missing")
        var box = outbox(webhook { $0.types = EventType.allCases }, through: 10)
        box.take(EventBatch(events: [event(17)], through: 20, isBehind: true), at: morning)
        box.take(EventBatch(events: [event(21, Self.luis)], through: 21, isBehind: true), at: morning)
        let reset = start(&box)
        #expect(numbers(reset) == [-1])
        #expect(!box.end(reset[0], .failed(retryAfter: nil), at: morning, jitter: 1))
        // The same after a stop: what waits is read again.
        var again = Outbox(
            of: webhook { $0.types = EventType.allCases }, box.progress, waiting: [event(17), event(21, Self.luis)],
            at: morning)
        #expect(again.progress == box.progress && numbers(start(&again)) == [])
        let second = start(&again, at: morning + .seconds(5))
        #expect(numbers(second) == [-1])
        #expect(!again.end(second[0], .delivered, at: morning + .seconds(5), jitter: 1))
        #expect(numbers(start(&again, at: morning + .seconds(5))) == [17, 21])
    }

    @Test func whatWasInMemoryOnlyAndWaitedIsAGapAfterAStop() throws {
        let all = webhook { $0.types = EventType.allCases }
        var box = outbox(all)
        box.take(EventBatch(events: [event(1, Self.ana, .pingMoved)], through: 1, isBehind: false), at: morning)
        var again = Outbox(of: all, box.progress, waiting: [], at: morning)
        #expect(numbers(start(&again)) == [-1])
    }

    @Test func thereIsRoomForSoManyAndNoMore() throws {
        var box = outbox(webhook())
        box.take(EventBatch(events: (1...255).map { event($0) }, through: 255, isBehind: false), at: morning)
        #expect(box.hasRoom)
        box.take(EventBatch(events: [event(256)], through: 256, isBehind: false), at: morning)
        #expect(!box.hasRoom)
    }
}
