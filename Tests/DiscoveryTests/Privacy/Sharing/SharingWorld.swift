import Discovery
import Geo
import Laws
import Model
import Storage
import Structures
import TestSupport
import Testing

/// People with random actions, and a simple model of what they share.
struct SharingWorld {
    let seed: UInt64
    var engine: TestEngine
    private var random: SeededGenerator
    private let names = ["ana", "luis", "eva", "bea"]
    private var now = morning
    private var chosen: [String: [(since: Timestamp, sharing: Sharing)]] = [:]
    private var friendships: [Set<String>: [Range<Timestamp>]] = [:]
    /// The times of positions that lay in a zone when they were sent.
    private var inZones: [String: Set<Timestamp>] = [:]
    private let homes: [Coordinate]

    init(seed: UInt64, _ engine: TestEngine) {
        self.seed = seed
        self.engine = engine
        var random = SeededGenerator(seed: seed)
        homes = (0..<3).map { _ in random.jittered(valencia, metres: 3000) }
        self.random = random
    }

    /// Performs a random action, some minutes later.
    mutating func step() async throws {
        now = now + .seconds(random.integer(60...2400))
        let name = random.pick(names)
        if chosen[name] == nil { return try await share(name) }
        switch random.integer(0...19) {
        case 0...2: try await share(name)
        case 3...5:
            let other = random.pick(names)
            if other != name, chosen[other] != nil { try await befriend(name, other) }
        case 6: try await engine.engine.compact()
        case 7: engine = try await engine.restarted()
        default:
            let home = random.pick(homes)
            let place =
                random.chance(0.5) ? random.jittered(home, metres: 300) : random.jittered(valencia, metres: 6000)
            var report = ping((now - morning).seconds, place, of: name)
            if random.chance(0.2) { report.time = now - .seconds(random.integer(1...3000)) }
            let verdicts = try await engine.send(report, at: now)
            guard verdicts[0].word.contains(/stored|throttled/), let time = report.time else { return }
            if isInZone(place, of: name) { inZones[name, default: []].insert(time) }
        }
    }

    private mutating func share(_ name: String) async throws {
        var sharing = Sharing(random.pick([.exact, .exact, .exact, .approximate, .city, .hidden]))
        if random.chance(0.2) { sharing.pausedUntil = now + .seconds(random.integer(-2000...6000)) }
        // Equal hours, written so that they need a calendar or not.
        let days = seed.isMultiple(of: 2) ? "Mo-Su" : "Jan-Dec"
        if random.chance(0.2) { sharing.timetable = ZonedHours(hours: "\(days) 09:00-18:00", timezone: "UTC") }
        for (number, home) in homes.enumerated() where random.chance(0.2) {
            sharing.zones.append(
                PrivacyZone(id: id("z\(number)"), centre: home, radius: Double(random.integer(300...1500))))
        }
        try await engine.perform(PutPeople([Write(person(name) { $0.sharing = sharing })]), at: now)
        chosen[name, default: []].append((now, sharing))
    }

    private mutating func befriend(_ a: String, _ b: String) async throws {
        let pair: Set = [a, b]
        if let last = friendships[pair]?.last, last.upperBound > now {
            let end: any Action = random.chance(0.5) ? Unfriend(id(a), id(b)) : Block(id(a), id(b))
            try await engine.perform(end, at: now)
            try await engine.perform(Unblock(id(a), id(b)), at: now)
            friendships[pair]?.removeLast()
            friendships[pair]?.append(last.lowerBound..<now)
        } else {
            try await engine.perform(MakeFriends(id(a), id(b)), at: now)
            friendships[pair, default: []].append(now..<Timestamp(milliseconds: .max))
        }
    }

    // MARK: - The model

    private func isInZone(_ place: Coordinate, of name: String) -> Bool {
        guard let key = try? SipKey(engine.store.secret(.zones)) else { return false }
        return (chosen[name]?.last?.sharing.zones ?? []).contains {
            Geodesic.distance(from: $0.displacedCentre(of: id(name), key), to: place) <= $0.radius
        }
    }

    private func isInPrivacyZone(_ ping: StoredPing, of name: String) -> Bool {
        inZones[name]?.contains(ping.time) ?? false || isInZone(ping.place, of: name)
    }

    private func precision(of name: String, at time: Timestamp) -> Precision {
        let sharing = chosen[name]?.last { $0.since <= time }?.sharing ?? Sharing()
        if let end = sharing.pausedUntil, time < end { return .hidden }
        let hour = time.milliseconds / 3_600_000 % 24
        if sharing.timetable != nil, !(9..<18).contains(hour) { return .hidden }
        return sharing.precision
    }

    private func agreed(_ a: String, _ b: String, at time: Timestamp) -> Precision {
        guard friendships[[a, b]]?.contains(where: { $0.contains(time) }) ?? false else { return .hidden }
        return max(precision(of: a, at: time), precision(of: b, at: time))
    }

    private func rounded(_ time: Timestamp, _ precision: Precision) -> Timestamp {
        let grain: Int64 = precision == .exact ? 1 : precision == .approximate ? 900_000 : 3_600_000
        return Timestamp(milliseconds: time.milliseconds / grain * grain)
    }

    /// The precision agreed now and at all instants that an answer about `time` concerns, no finer than `limit`.
    private func agreed(
        _ a: String, _ b: String, then time: Timestamp, atMost limit: Precision = .exact
    ) -> (Precision, instant: Timestamp) {
        var precision = max(limit, agreed(a, b, at: now), agreed(a, b, at: time))
        for _ in 0..<3 { precision = max(precision, agreed(a, b, at: rounded(time, precision))) }
        return (precision, rounded(time, precision))
    }

    private static func hides(_ sharing: Sharing, at time: Timestamp) -> Bool {
        if let end = sharing.pausedUntil, time < end { return true }
        let hour = time.milliseconds / 3_600_000 % 24
        return sharing.precision == .hidden || sharing.timetable != nil && !(9..<18).contains(hour)
    }

    /// Whether a choice hides a person at any instant of an interval, given that timetables change at full hours.
    private static func hides(_ sharing: Sharing, from: Timestamp, to: Timestamp) -> Bool {
        let hours = from.milliseconds / 3_600_000 + 1..<max(from.milliseconds, to.milliseconds) / 3_600_000 + 1
        return hides(sharing, at: from) || hides(sharing, at: to)
            || hours.contains { hides(sharing, at: Timestamp(milliseconds: $0 * 3_600_000)) }
    }

    /// Whether a person was hidden at any instant of an interval.
    private func wasHidden(_ name: String, from: Timestamp, to: Timestamp) -> Bool {
        let choices = chosen[name] ?? []
        let ends = choices.dropFirst().map(\.since) + [Timestamp(milliseconds: .max)]
        return zip(choices, ends).contains { choice, end in
            let first = max(from, choice.since)
            let last = min(to, end - .milliseconds(1))
            return first <= last && Self.hides(choice.sharing, from: first, to: last)
        }
    }

    /// Whether a person was a friend throughout an interval, and never hidden.
    private func isKnown(_ name: String, to viewer: String, from: Timestamp, to: Timestamp) -> Bool {
        !wasHidden(name, from: from, to: to)
            && friendships[[name, viewer]]?.contains { $0.contains(from) && $0.contains(to) } ?? false
    }

    /// Whether a person counts as hidden for the newest position, where each choice applies from `since` on, and an
    /// earlier choice with a timetable always hides.
    private func wasHidden(_ name: String, since: Timestamp) -> Bool {
        let choices = chosen[name] ?? []
        let ends = choices.dropFirst().map { $0.since - .milliseconds(1) } + [now]
        return zip(choices, ends).contains { choice, end in
            let isOver = end != now
            return since <= end
                && (isOver && choice.sharing.timetable != nil || Self.hides(choice.sharing, from: since, to: end))
        }
    }

    /// The first instant after `time` at which the visibility between two friends may end.
    private func horizon(_ a: String, _ b: String, after time: Timestamp) -> Timestamp {
        let closing = [a, b].contains { name in chosen[name]?.last { $0.since <= time }?.sharing.timetable != nil }
        let day = time.milliseconds / 86_400_000 * 86_400_000
        let changes = [a, b].flatMap { chosen[$0]?.map(\.since) ?? [] }.filter { $0 > time }
        let end = friendships[[a, b]]?.first { $0.contains(time) }?.upperBound
        let ends = changes + [end].compactMap(\.self) + (closing ? [Timestamp(milliseconds: day + 64_800_000)] : [])
        return ends.min() ?? time
    }

    // MARK: - Checks

    func check() async throws {
        var random = SeededGenerator(seed: seed &+ 1000)
        for viewer in names where chosen[viewer] != nil {
            try await checkNow(for: viewer)
            for name in names where name != viewer && chosen[name] != nil {
                let history = try await engine.engine.history(
                    of: id(name), from: Timestamp(milliseconds: 0), to: now + .seconds(1), limit: 1000
                ).filter { !$0.isSuspect }
                for _ in 0..<25 {
                    let since = (now - morning).milliseconds
                    let time = morning + .milliseconds(Int64(random.number(0..<Double(since))))
                    try await checkThen(name, for: viewer, time, history)
                }
            }
        }
    }

    private func checkNow(for viewer: String) async throws {
        let own: PersonID = id(viewer)
        let query = NearestQuery(limit: 9)
        let near = engine.engine.read { try? $0.nearestFriends(of: own, query, by: .person(own), at: now).items }
        for name in names where name != viewer && chosen[name] != nil {
            let known = try? engine.engine.read { state throws(Refusal) in try state.position(of: id(name)) }
            let seen = try? engine.engine.read { state throws(Refusal) in
                try state.position(of: id(name), for: .person(id(viewer)), at: now)
            }
            if let near { #expect(near.first { $0.person.id == id(name) }?.position == seen, "seed \(seed)") }
            var expected = agreed(name, viewer, at: now)
            guard let known = try await self.known(name, known, expected), expected < .hidden,
                !wasHidden(name, since: known.seenUntil ?? known.time)
            else {
                #expect(seen == nil, "seed \(seed): \(name) for \(viewer)")
                continue
            }
            let wasHiddenByZone = inZones[name]?.contains(known.time) ?? false || isInZone(known.place, of: name)
            expected = wasHiddenByZone ? max(expected, .approximate) : expected
            #expect(seen?.precision == expected, "seed \(seed): \(name) for \(viewer)")
            var shown = known
            if wasHidden(name, since: known.time) {
                (shown.time, shown.seenUntil) = (known.seenUntil ?? known.time, nil)
            }
            shown.since = known.since.flatMap { self.since($0, known.time, name, viewer) }
            #expect((seen == shown) == (expected == .exact), "seed \(seed)")
            #expect(expected == .exact || seen?.place != known.place, "seed \(seed)")
        }
    }

    /// The start of a stay as visible to a viewer.
    private func since(_ start: Timestamp, _ time: Timestamp, _ name: String, _ viewer: String) -> Timestamp? {
        var shown = start
        if let end = friendships[[name, viewer]]?.last { shown = max(shown, end.lowerBound) }
        for one in [name, viewer] { shown = max(shown, chosen[one]?.last?.since ?? shown) }
        return wasHidden(name, since: start) || shown >= time || now - start > .seconds(86_400) ? nil : shown
    }

    /// The position visible to others, who see live positions only at exact precision.
    private func known(_ name: String, _ position: Position?, _ agreed: Precision) async throws -> Position? {
        let start = morning - .seconds(9999)
        let all = try await engine.engine.history(of: id(name), from: start, to: now + .seconds(1), limit: 1000)
        let fix = try engine.engine.read { try $0.liveFix(of: id(name)) }
        guard var known = position, let fix, let last = all.last(where: { !$0.isSuspect }) else { return position }
        let wasHiddenByZone = inZones[name]?.contains(fix.time) ?? false || isInZone(fix.place, of: name)
        let isHiddenByZone = wasHiddenByZone || isInPrivacyZone(last, of: name)
        if agreed == .exact, !isHiddenByZone, !wasHidden(name, since: fix.time) { return known }
        (known.place, known.time, known.since, known.seenUntil) = (last.place, last.time, nil, last.seenUntil)
        return known
    }

    private func checkThen(
        _ name: String, for viewer: String, _ time: Timestamp, _ history: [StoredPing]
    ) async throws {
        var (precision, instant) = agreed(name, viewer, then: time)
        if precision == .exact, let before = history.last(where: { $0.time <= instant }) {
            let after = history.first { $0.time > instant && $0.time < horizon(name, viewer, after: instant) }
            let entersSoon =
                after.map { isInPrivacyZone($0, of: name) && rounded($0.time, .approximate) <= time } ?? false
            if entersSoon || isInPrivacyZone(before, of: name) {
                (precision, instant) = agreed(name, viewer, then: time, atMost: .approximate)
            }
        }
        let found = try? await engine.engine.position(of: id(name), at: time, by: .person(id(viewer)), now: now)
        guard precision < .hidden, let before = history.last(where: { $0.time <= instant }),
            let seen = before.stay.pieces.last(where: { $0.lowerBound <= instant }).map({ min($0.upperBound, instant) }
            ),
            isKnown(name, to: viewer, from: seen, to: instant)
        else { return #expect(found == nil, "seed \(seed): \(name) for \(viewer) at \(time)") }
        let shown = precision
        #expect(found?.precision == shown, "seed \(seed): \(name) for \(viewer) at \(time)")
        guard let found else { return }
        if shown > .exact {
            #expect(found.next == nil && found.seenUntil == nil && found.uncertainty == nil)
            #expect(rounded(found.time, shown) == found.time)
            #expect(found.time + found.age == instant, "seed \(seed): only whole quarters can be asked of")
            if shown == .approximate {
                // A position in a zone now has the cell that was first shown there.
                let first = history.filter { isInZone(before.place, of: name) && isInZone($0.place, of: name) }
                let cells = [before] + first
                #expect(cells.contains { $0.publicCell.centre == found.place }, "seed \(seed)")
            }
            return
        }
        let isCut = !isKnown(name, to: viewer, from: before.time, to: instant)
        let contacts = before.stay.pieces.flatMap { [$0.lowerBound, $0.upperBound] }
        let since = friendships[[name, viewer]]?.first { $0.contains(instant) }?.lowerBound
        #expect(
            isCut
                ? found.time > before.time && found.time <= seen && (contacts + [since]).contains(found.time)
                : found.time == before.time, "seed \(seed): no border between hidden and shown is told")
        if let next = found.next {
            let after = try #require(history.first { $0.time == next })
            #expect(!isInPrivacyZone(after, of: name), "seed \(seed): no way leads into a zone")
            #expect(agreed(name, viewer, at: next) == .exact, "seed \(seed): nor to what was not agreed")
        } else {
            #expect(found.place == before.place, "seed \(seed)")
        }
    }
}
