internal import Geo
public import Model

/// A long poll that waits for events which may change an answer.
///
/// It ends only at its own ticks, a second apart. So the time of the client's next request, or of its timeout, does not
/// depend on events that the client may not see.
public struct EventWatch: Sendable {
    /// The events that may change the answer.
    public enum Subject: Sendable {
        /// Events of some types, about any person.
        case types(Set<EventType>)
        /// Events that concern a person.
        case person(PersonID)
    }

    /// The time between two ticks.
    private static let pause = Duration.seconds(1)
    /// Maximum number of events checked; with more of them the answer may have changed.
    private static let most = 500

    private let subject: Subject
    /// The position up to which events are known.
    private var last: EventFeed.Mark
    private let start = ContinuousClock.now
    /// The live subscription to positions.
    private var following: Following?

    /// A watch that begins with the next event.
    public init(for subject: Subject, of live: Live) {
        self.subject = subject
        last = live.feed.mark
        if case .person(let id) = subject {
            following = live.read { $0.people.number(of: id) }.map { live.followers.begin(.friends(of: $0)) }
        }
    }

    /// Marks all events so far as known, because the answer is computed now.
    public mutating func look(at live: Live) { last = live.feed.mark }

    /// Waits until the next tick after a relevant event, or until the first tick at or after a time.
    public mutating func wait(for live: Live, until end: ContinuousClock.Instant) async -> Wakeup {
        let final = tick(from: end)
        // Timeouts of the feed are checked once a second.
        let endOfWaiting = final - Self.pause * 2
        while true {
            if .now < endOfWaiting, !isConcerned(in: live), case .person(let id) = subject,
                let person = live.read({ $0.people.number(of: id) })
            {
                switch await live.feed.wait(for: person, after: last, until: endOfWaiting) {
                case .events: break
                case .late(let mark): last = mark ?? last
                case .end: return .over
                }
            }
            let next = tick(from: .now)
            do { try await Task.sleep(until: next) } catch { return .over }
            if live.feed.isOver { return .over }
            if next >= final { return .late }
            if isConcerned(in: live) { return .ready }
        }
    }

    /// The first tick at or after an instant.
    private func tick(from instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let count = ((instant - start) / Self.pause).rounded(.up)
        return start + Self.pause * max(1, count)
    }

    /// Whether a relevant event came; others are skipped.
    private mutating func isConcerned(in live: Live) -> Bool {
        switch subject {
        case .types(let types): return live.feed.hasAny(of: types, after: last.event)
        case .person(let id):
            guard let events = live.feed.events(after: last.event, atMost: Self.most), events.count < Self.most,
                let (moved, move) = live.feed.moved(after: last.move)
            else { return true }
            let isConcerned = live.read { picture in
                // The answer for a deleted person reports that.
                guard let person = picture.people.number(of: id) else { return true }
                return events.contains { picture.mayChangeFriends(of: person, $0.fact) }
                    || !picture.followed(by: person).isDisjoint(with: moved)
            }
            if !isConcerned { last = EventFeed.Mark(event: events.last?.number ?? last.event, move: move) }
            return isConcerned
        }
    }
}

extension Picture {
    /// Whether an event may change a person's list of friends.
    fileprivate func mayChangeFriends(of person: PersonNumber, _ fact: Fact) -> Bool {
        Effort.count(10)
        let participants = [fact.person?.number, fact.other?.number]
        switch fact.type {
        case .pingMoved:
            return participants.contains { $0.map { $0 == person || people.isKnown($0, to: person) } ?? false }
        case .groupChanged, .groupJoined, .groupLeft: return true
        default: return participants.contains(person)
        }
    }
}
