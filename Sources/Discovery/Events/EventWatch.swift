internal import Geo
public import Model

/// Waits for events that may change an answer.
public struct EventWatch: Sendable {
    /// Which events those are.
    public enum Subject: Sendable {
        /// Those of some types, whomever they concern.
        case types(Set<EventType>)
        /// Those that concern a person.
        case person(PersonID)
    }

    /// How long at least lies between two looks.
    private static let pause = Duration.seconds(1)
    /// How many events are looked at to tell whether they concern a person; more of them may.
    private static let most = 500

    private let subject: Subject
    /// What counts as seen.
    private var last: EventFeed.Mark
    private var looked = ContinuousClock.now
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
    public mutating func look(at live: Live) {
        last = live.feed.mark
        looked = .now
    }

    /// Notes that it is not looked at, and not before a second has passed.
    public mutating func rest() { looked = .now }

    /// Waits until something came that may change the answer, or until an instant, and no less than a second since the last look.
    ///
    /// - Returns: whether the service goes on.
    public mutating func wait(for live: Live, until end: ContinuousClock.Instant) async -> Bool {
        var isConcerned = isConcerned(in: live)
        repeat {
            if !isConcerned, case .person(let id) = subject, let person = live.read({ $0.people.number(of: id) }) {
                if case .end = await live.feed.wait(for: person, after: last, until: end) { return false }
            }
            do { try await Task.sleep(until: max(looked + Self.pause, .now + Self.pause / 2)) } catch { return false }
            if live.feed.isOver { return false }
            isConcerned = isConcerned || self.isConcerned(in: live)
        } while !isConcerned && ContinuousClock.now < end
        return true
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
