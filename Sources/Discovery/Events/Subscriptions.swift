internal import Geo
internal import Model
internal import Synchronization

/// Live subscriptions to positions: event streams, lists and share links, while their clients are connected.
///
/// They exist in this process only, and lead only to upload hints, never to stored data.
final class Subscriptions: Sendable {
    /// The subject of a subscription.
    enum Subject: Hashable {
        /// A person's subscription to all friends.
        case friends(of: PersonNumber)
        /// A person's subscription to one friend.
        case friend(PersonNumber, of: PersonNumber)
        /// A service's subscription to a person.
        case person(PersonNumber)
        /// A service's subscription to all people.
        case everybody
        /// A subscription of a share link's viewers to its person.
        case link(ShareNumber)
    }

    private let counts = Mutex<[Subject: Int]>([:])

    /// Counts a subscription until the returned value is released.
    func begin(_ subject: Subject) -> Subscription {
        counts.withLock { $0[subject, default: 0] += 1 }
        return Subscription(of: subject, in: self)
    }

    fileprivate func end(_ subject: Subject) {
        counts.withLock { counts in
            let count = counts[subject, default: 0] - 1
            counts[subject] = count > 0 ? count : nil
        }
    }

    /// The subjects of current subscriptions.
    var subjects: Dictionary<Subject, Int>.Keys { counts.withLock { $0.keys } }
}

/// A subscription, which ends when this is released.
final class Subscription: Sendable {
    private let subject: Subscriptions.Subject
    private let subscriptions: Subscriptions

    fileprivate init(of subject: Subscriptions.Subject, in subscriptions: Subscriptions) {
        (self.subject, self.subscriptions) = (subject, subscriptions)
    }

    deinit { subscriptions.end(subject) }
}

extension EventFilter {
    /// The subject that a subscriber to these events watches; nil for none.
    ///
    /// A service that subscribes to all events, or to an area, has none: it must ask for positions, or for a person.
    func watched(by caller: Caller, in engine: Engine) -> Subscriptions.Subject? {
        guard wantsPositions else { return nil }
        let isOfPositions = person == nil && !types.isEmpty && area == nil && circle == nil
        return engine.read { state in
            let named = person.flatMap { state.people.number(of: $0) }
            switch caller {
            case .service: return named.map { .person($0) } ?? (isOfPositions ? .everybody : nil)
            case .person(let id):
                guard let own = state.people.number(of: id) else { return nil }
                return named.map { .friend($0, of: own) } ?? (person == nil ? .friends(of: own) : nil)
            }
        }
    }
}

extension LiveState {
    /// Whether a live subscriber sees a person's position exactly.
    ///
    /// - Complexity: O(friends, or subscriptions if they are fewer).
    func isWatched(_ person: PersonNumber, by subjects: Dictionary<Subscriptions.Subject, Int>.Keys, at now: Timestamp)
        -> Bool
    {
        if subjects.contains(.everybody) || subjects.contains(.person(person)) { return true }
        for link in shares.numbers(of: person) where subjects.contains(.link(link)) {
            guard let share = shares[link]?.share, now < share.expires else { continue }
            WorkBudget.count(20)
            if shownPlace(of: person, by: share, at: now)?.precision == .exact { return true }
        }
        let friends = people.friends(of: person)
        func isShown(to viewer: PersonNumber) -> Bool {
            WorkBudget.count(20)
            return shownPlace(of: person, to: viewer, at: now)?.precision == .exact
        }
        WorkBudget.count(min(friends.count, subjects.count))
        guard subjects.count < friends.count else {
            return friends.numbers.contains { friend in
                (subjects.contains(.friends(of: friend)) || subjects.contains(.friend(person, of: friend)))
                    && isShown(to: friend)
            }
        }
        return subjects.contains { subject in
            switch subject {
            case .friends(let viewer): viewer != person && friends.contains(viewer) && isShown(to: viewer)
            case .friend(person, let viewer): viewer != person && friends.contains(viewer) && isShown(to: viewer)
            default: false
            }
        }
    }
}
