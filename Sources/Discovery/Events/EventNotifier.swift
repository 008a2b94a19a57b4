internal import Geo
internal import Model
internal import Storage

extension Engine {
    /// The interval between two notifications of subscribers.
    private static let pause = Duration.milliseconds(20)
    /// Maximum number of events matched with subscribers; if there are more, all subscribers are woken.
    private static let mostPublished = 2_000

    /// Wakes waiting subscribers until the task is canceled, and then ends all waits.
    public func publishEvents() async {
        var passes = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pause)
            passes += 1
            // Timeouts are checked once a second.
            publishOnce(wakingLate: passes.isMultiple(of: 50))
        }
        feed.end()
    }

    /// Deletes a batch of retained events past their age limit; those that a webhook still has to send go later.
    public func forgetEvents() async throws {
        guard let past = trust.past else { return }
        let oldest = past - rules.eventRetention
        _ = try await store.forgetEvents(
            before: oldest, owed: read { $0.webhooks.owed }, atLeastFrom: oldest - Outbox.retryPeriod)
    }

    private func publishOnce(wakingLate: Bool) {
        guard let news = feed.unpublished(atMost: Self.mostPublished) else {
            if wakingLate { feed.wake(people: [], everybody: false, late: true) }
            return
        }
        guard !news.isMore else { return feed.wake(people: news.waiting, everybody: true, late: wakingLate) }
        var concerned: Set<PersonNumber> = []
        if !news.waiting.isEmpty {
            for part in news.events.stretches({ _ in 1 }) {
                read { state in
                    for event in part { concerned.formUnion(state.audience(of: event.payload, among: news.waiting)) }
                }
            }
            for part in Set(news.moved).sorted().stretches({ _ in 1 }) {
                read { state in
                    for person in part { concerned.formUnion(state.audience(ofMoveOf: person, among: news.waiting)) }
                }
            }
        }
        feed.wake(people: concerned, everybody: true, late: wakingLate)
    }
}
