internal import Geo
public import Model

/// Waits for events that may change an answer.
///
/// It ends waits only at its own ticks, a second apart: so when a follower asks again, and when it finds its time up, does not depend
/// on events that the follower may not see.
public struct EventWatch: Sendable {
    /// Which events those are.
    public enum Subject: Sendable {
        /// Those of some types, whomever they concern.
        case types(Set<EventType>)
        /// Those that concern a person.
        case person(PersonID)
    }

    /// The time between two ticks.
    private static let pause = Duration.seconds(1)
    /// How many events are looked at to tell whether they concern a person; more of them may.
    private static let most = 500

    private let subject: Subject
    /// What counts as seen.
    private var last: EventFeed.Mark
    private let start = ContinuousClock.now
    /// Tells that somebody watches where people are.
    private var following: Following?

    /// Begins with the events that come from now on.
    public init(for subject: Subject, of live: Live) {
        self.subject = subject
        last = live.feed.mark
        if case .person(let id) = subject {
            following = live.read { $0.people.number(of: id) }.map { live.followers.begin(.friends(of: $0)) }
        }
    }

    /// Notes that the answer is looked at now, which knows of all events before.
    public mutating func look(at live: Live) { last = live.feed.mark }

    /// Waits until the next tick after something came that may change the answer, or until the first tick from an instant on.
    public mutating func wait(for live: Live, until end: ContinuousClock.Instant) async -> Wakeup {
        let final = tick(from: end)
        // The time of those who wait for an event is found to be up once a second.
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

    /// The first tick from an instant on.
    private func tick(from instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let count = ((instant - start) / Self.pause).rounded(.up)
        return start + Self.pause * max(1, count)
    }

    /// Whether an event came that may change the answer; those that do not are passed over.
    private mutating func isConcerned(in live: Live) -> Bool {
        switch subject {
        case .types(let types): return live.feed.hasAny(of: types, after: last.event)
        case .person(let id):
            guard let events = live.feed.events(after: last.event, atMost: Self.most), events.count < Self.most,
                let (moved, move) = live.feed.moved(after: last.move)
            else { return true }
            let isConcerned = live.read { picture in
                // Of somebody who is gone the answer says so.
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
    /// Whether a fact may change what a person is told of friends.
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
