internal import Geo
public import Model

extension Live {
    /// From where, how far and until when nothing that a phone sends would be stored or told of.
    ///
    /// It is asked of the picture after the pings were recorded, so that the writer need not. None for who is hidden, or was when
    /// last seen: they are shown when they are heard of, so every ping counts.
    ///
    /// - Parameters:
    ///   - reports: the pings that were recorded.
    ///   - recorded: what became of them.
    ///   - now: when they were received.
    /// - Returns: one for each person who was sent and has a stored position, in the order of their last pings.
    /// - Throws: `CancellationError` as ``readInParts(_:)``.
    /// - Complexity: O(people · borders near them), in readings of a part each.
    public func hints(after reports: [PingReport], _ recorded: Recorded, at now: Timestamp) async throws -> [Hint] {
        var seen: Set<PersonID> = []
        let people = zip(reports, recorded.verdicts).reversed().compactMap { report, verdict in
            verdict != .unknownPerson && seen.insert(report.person).inserted ? report.person : nil
        }
        var (rest, hints): (ArraySlice<PersonID>, [Hint]) = (people.reversed()[...], [])
        if rest.isEmpty { return hints }
        let subjects = followers.subjects
        return try await readInParts { [rules] picture in
            var spent = 0
            while spent < Effort.part, let person = rest.popFirst() {
                Effort.charge(picture.priceOfHint(for: person))
                let (hint, steps) = Effort.measure {
                    Effort.uncharged { () -> Hint? in
                        Effort.count(20)
                        let hint = picture.hint(for: person, rules, at: now)
                        guard !subjects.isEmpty, let number = picture.people.number(of: person),
                            let fix = picture.lastFix(of: number), picture.isWatched(number, by: subjects, at: now)
                        else { return hint }
                        return hint?.hurried(after: fix, rules)
                    }
                }
                if let hint { hints.append(hint) }
                spent += steps
            }
            return rest.isEmpty ? hints : nil
        }
    }
}

/// So long holds a hint at most that is told to end: until then it is known when a timetable hides the person.
private let foresight = Duration.seconds(86_400)

extension Picture {
    /// What a hint for a person costs who asks for it: it follows from the fences that the person knows of.
    fileprivate func priceOfHint(for id: PersonID) -> Int {
        let price = 20
        guard !fences.isEmpty, let person = people.number(of: id) else { return price }
        let ofFriends = fences.watches[person]?.keys.compactMap { fences[$0] } ?? []
        return (ownFences(of: person) + ofFriends).reduce(price + priceOfNearness(to: person)) { $0 + $1.price }
    }

    fileprivate func hint(for id: PersonID, _ rules: PingRules, at now: Timestamp) -> Hint? {
        guard let person = people.number(of: id), let own = people.throttle(of: person),
            let last = people.last(of: person), let terms = people.terms(of: person),
            terms.shows(from: last.lastSeen, to: now)
        else { return nil }
        let rules = rules.overridden(by: own)
        let hint = Hint(
            person: id, from: last.place, beyond: rules.distance, notBefore: last.time + rules.interval,
            until: [rules.staying(since: last.time), terms.change(after: now, to: now + foresight)]
                .compactMap(\.self).min())
        return safe(arriving(hint, of: person, rules), of: person, rules, at: now)
    }
}

extension Hint {
    /// What it is while somebody watches the person who is shown them exactly: a fix is wanted sooner.
    ///
    /// It says that somebody does who may, and not who: of others a hint says nothing.
    fileprivate func hurried(after fix: LiveFix, _ rules: PingRules) -> Hint {
        var hint = self
        if rules.liveDistance < beyond { (hint.from, hint.beyond) = (fix.place, rules.liveDistance) }
        hint.notBefore = min(notBefore, fix.time + rules.liveInterval)
        return hint
    }
}
