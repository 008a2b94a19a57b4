internal import Geo
internal import Model
internal import Storage

extension Live {
    /// How often readers are woken who have something to read.
    private static let pause = Duration.milliseconds(20)
    /// How many events are looked at to tell whom they concern; when there are more everybody is woken.
    private static let mostHeralded = 2_000

    /// Wakes those who wait for events, until the task is cancelled; then it wakes all of them for good.
    public func herald() async {
        var passes = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pause)
            passes += 1
            // Whose time is up is looked for once a second.
            heraldOnce(wakingLate: passes.isMultiple(of: 50))
        }
        feed.end()
    }

    /// Forgets kept events that are older than the rules say, some of them if they are many; those that a webhook owes later.
    public func forgetEvents() async throws {
        guard let past = trust.past else { return }
        let oldest = past - rules.eventRetention
        _ = try await store.forgetEvents(
            before: oldest, owed: read { $0.webhooks.owed }, atLeastFrom: oldest - Outbox.patience)
    }

    private func heraldOnce(wakingLate: Bool) {
        guard let news = feed.unheralded(atMost: Self.mostHeralded) else {
            if wakingLate { feed.wake(people: [], everybody: false, late: true) }
            return
        }
        guard !news.isMore else { return feed.wake(people: news.waiting, everybody: true, late: wakingLate) }
        var concerned: Set<PersonNumber> = []
        if !news.waiting.isEmpty {
            for part in news.events.stretches({ _ in 1 }) {
                read { picture in
                    for event in part { concerned.formUnion(picture.audience(of: event.fact, among: news.waiting)) }
                }
            }
            for part in Set(news.moved).sorted().stretches({ _ in 1 }) {
                read { picture in
                    for person in part { concerned.formUnion(picture.audience(ofMoveOf: person, among: news.waiting)) }
                }
            }
        }
        feed.wake(people: concerned, everybody: true, late: wakingLate)
    }
}
