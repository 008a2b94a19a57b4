internal import Geo
internal import Model
internal import Storage

extension Engine {
    /// The maximum number of positions in a trail.
    private static let longestTrail = 2_000

    /// Returns the newest positions of a person since a link's creation, oldest first, as its holder may see them.
    ///
    /// These are what a friend who shares at the link's precision could query from the history, by the sharing of then
    /// and now. Coarse positions are rounded to whole quarter hours, or hours.
    func trail(of person: PersonNumber, through share: Share, now: Timestamp) async throws -> [PastPosition] {
        let limit = read { max(share.precision, $0.people.sharing(of: person, at: now)) }
        guard limit < .hidden, share.since <= now else { return [] }
        let times = share.since..<now + .milliseconds(1)
        let longer = Precision.city.rounded(times.lowerBound) - PastTerms.lookback..<times.upperBound
        guard let terms = try await store.sharings(of: [person], in: longer).first.map(PastTerms.init) else {
            return []
        }
        let together = [share.since..<Timestamp(milliseconds: .max)]
        func shown(_ step: Step, atMost limit: Precision, in state: borrowing LiveState) -> PastPosition? {
            guard let instant = step.instant(at: max(limit, terms.precision(at: step.ping.time)), before: now),
                let view = Self.view(at: instant, limit, together, terms, terms),
                view.precision != .exact || instant == step.ping.time
            else { return nil }
            let leg = Leg(from: step.ping, to: step.next, rules: rules, horizon: view.horizon)
            if state.meetsPrivacyZone(leg, of: person, view) {
                return shown(step, atMost: .approximate, in: state)
            }
            return state.shown(leg, of: person, view)
        }
        // The limit counts visible positions; hidden ones must not show by how many are missing.
        var trail: [PastPosition] = []
        var last: StoredPing?
        var start = HistoryStart.beginning
        while true {
            let rows = try await pings(of: person, in: times, from: start, limit: Self.longestTrail)
            let pings = [last].compactMap(\.self) + rows.items.filter { !$0.isSuspect }
            var steps = zip(pings, pings.dropFirst()).map { Step(ping: $0, next: $1) }
            last = pings.last
            if rows.isLast, let last { steps.append(Step(ping: last, next: nil)) }
            trail += try await read(each: steps, costing: 100) { state, step in
                shown(step, atMost: limit, in: state)
            }
            trail.removeFirst(max(0, trail.count - Self.longestTrail))
            guard !rows.isLast, let key = rows.items.last?.key else { return trail }
            start = .after(key)
        }
    }
}

/// A stored position of a track, and the one after it.
private struct Step: Sendable {
    let ping: StoredPing
    let next: StoredPing?

    /// The first instant at which the person's presence may be shown at a precision; nil for none.
    func instant(at precision: Precision, before now: Timestamp) -> Timestamp? {
        let time = precision.rounded(ping.time)
        guard time < ping.time, let grain = precision.grain else { return ping.time }
        let instant = time + grain
        return instant <= now && next.map { instant < $0.time } ?? true ? instant : nil
    }
}
