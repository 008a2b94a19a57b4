internal import Geo
internal import Model
internal import Synchronization

/// Who watches live where people are: followers of events, of lists and of links, as long as they are there.
///
/// It is known in this process only: what follows from it is a hint, and nothing that is kept.
final class Followers: Sendable {
    /// Whom somebody watches.
    enum Subject: Hashable {
        /// A person watches all friends.
        case friends(of: PersonNumber)
        /// A person watches one friend.
        case friend(PersonNumber, of: PersonNumber)
        /// A service watches a person.
        case person(PersonNumber)
        /// A service watches everybody.
        case everybody
        /// Whoever has a link watches its person.
        case link(ShareNumber)
    }

    private let counts = Mutex<[Subject: Int]>([:])

    /// Counts somebody who watches, until what is returned is gone.
    func begin(_ subject: Subject) -> Following {
        counts.withLock { $0[subject, default: 0] += 1 }
        return Following(of: subject, in: self)
    }

    fileprivate func end(_ subject: Subject) {
        counts.withLock { counts in
            let count = counts[subject, default: 0] - 1
            counts[subject] = count > 0 ? count : nil
        }
    }

    /// Whom somebody watches now.
    var subjects: Dictionary<Subject, Int>.Keys { counts.withLock { $0.keys } }
}

/// Somebody watches as long as this is there.
final class Following: Sendable {
    private let subject: Followers.Subject
    private let followers: Followers

    fileprivate init(of subject: Followers.Subject, in followers: Followers) {
        (self.subject, self.followers) = (subject, followers)
    }

    deinit { followers.end(subject) }
}

extension EventFilter {
    /// Whom a follower of such events watches; nil for nobody.
    ///
    /// A service that follows everything, or an area, watches nobody: it has to ask for positions, or for a person.
    func watched(by caller: Caller, in live: Live) -> Followers.Subject? {
        guard wantsPositions else { return nil }
        let isOfPositions = person == nil && !types.isEmpty && area == nil && circle == nil
        return live.read { picture in
            let named = person.flatMap { picture.people.number(of: $0) }
            switch caller {
            case .service: return named.map { .person($0) } ?? (isOfPositions ? .everybody : nil)
            case .person(let id):
                guard let own = picture.people.number(of: id) else { return nil }
                return named.map { .friend($0, of: own) } ?? (person == nil ? .friends(of: own) : nil)
            }
        }
    }
}

extension Picture {
    /// Whether somebody watches a person now who is shown them exactly.
    ///
    /// - Complexity: O(friends, or those who watch if they are fewer).
    func isWatched(_ person: PersonNumber, by subjects: Dictionary<Followers.Subject, Int>.Keys, at now: Timestamp)
        -> Bool
    {
        if subjects.contains(.everybody) || subjects.contains(.person(person)) { return true }
        for link in shares.numbers(of: person) where subjects.contains(.link(link)) {
            guard let share = shares[link]?.share, now < share.expires else { continue }
            Effort.count(20)
            if shownPlace(of: person, by: share, at: now)?.precision == .exact { return true }
        }
        let friends = people.friends(of: person)
        func isShown(to viewer: PersonNumber) -> Bool {
            Effort.count(20)
            return shownPlace(of: person, to: viewer, at: now)?.precision == .exact
        }
        Effort.count(min(friends.count, subjects.count))
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
