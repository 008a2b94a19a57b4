import Discovery
import Foundation
import Laws
import Model
import TestSupport
import Testing

/// An outbox over runs of a service with wrong clocks, where only time that passes during a run ends anything.
@Suite struct OutboxClockTests {
    private static let year = Duration.seconds(365 * 86_400)
    private static let longestPause = Duration.seconds(28_800 * 1.2)

    private let webhook = Webhook(id: id("hook"), url: "https://hooks.example/")

    private func event(_ number: Int64) -> Event {
        Event(
            number: number, at: morning,
            EventPayload(.friendMade, EventPayload.Participant(PersonNumber(Int32(number)), id("p"))))
    }

    private func begin(_ progress: WebhookProgress, _ events: [Event], at now: Timestamp) -> OutboxUnderTest {
        OutboxUnderTest(Outbox(of: webhook, progress, waiting: events, at: now))
    }

    @Test("A start with a clock that is years off gives up no message", arguments: [-1.0, 1, 50])
    func wrongStart(years: Double) throws {
        let first = begin(WebhookProgress(through: 0), [], at: morning)
        first.take(EventBatch(events: [event(1)], through: 1, isBehind: false), at: morning)
        first.end(try #require(first.next(at: morning)), .failed(retryAfter: nil), at: morning)
        let later = morning + Self.year * years
        let second = begin(first.progress, [event(1)], at: later)
        let message = try #require(second.next(at: later + .seconds(5)), "it is tried after its pause, or at once")
        second.end(message, .failed(retryAfter: nil), at: later + .seconds(5))
        #expect(second.outbox.disabled == nil)
        let third = begin(second.progress, [event(1)], at: morning)
        #expect(third.next(at: morning + .seconds(300)) != nil, "no pause is longer because a clock was wrong")
    }

    @Test(
        "A webhook is retried within the longest pause, and disabled after three days of running time",
        arguments: RandomCases.seeds(0..<200))
    func runningTime(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let events = (1...3).map { event($0) }
        var (ran, origin) = (Duration.zero, morning)
        var box = begin(WebhookProgress(through: 0), [], at: origin)
        box.take(EventBatch(events: events, through: 3, isBehind: false), at: origin)
        // The first and last failed attempts of each message, by a clock that advances while the service runs.
        var (first, last): ([Int64: Duration], [Int64: Duration]) = ([:], [:])
        while box.outbox.disabled == nil, ran < Outbox.retryPeriod * 3 {
            for message in box.all(at: origin + ran) where box.outbox.disabled == nil {
                let number = message.waiting.number
                (first[number], last[number]) = (first[number] ?? ran, ran)
                let wanted = random.chance(0.1) ? Duration.seconds(40) : nil
                box.end(message, .failed(retryAfter: wanted), at: origin + ran, jitter: random.number(0.8..<1.2))
            }
            for (number, time) in last {
                #expect(ran - time <= Self.longestPause + .seconds(7200), "seed \(seed): \(number) at \(ran)")
            }
            ran += random.pick([.seconds(5), .seconds(300), .seconds(3600)])
            guard random.chance(0.02) else { continue }
            // A stop, and a start with any clock.
            origin = morning + Self.year * random.pick([0, 0, -1, 1, 0.01, -0.01, 50])
            box = begin(box.progress, events, at: origin + ran)
        }
        let failed = ran - (first.values.min() ?? .zero)
        #expect(box.outbox.disabled == nil || failed >= Outbox.retryPeriod, "seed \(seed): after \(failed)")
    }
}
