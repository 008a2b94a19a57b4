internal import Geo
public import Model

extension Engine {
    /// Upload hints: the circle and time within which a phone's fixes would be neither stored nor reported.
    ///
    /// They are computed from the state after the pings were recorded, to spare the writer. A person who is hidden, or
    /// was when last seen, gets none: the next contact makes them visible, so every ping counts.
    ///
    /// - Parameters:
    ///   - reports: the recorded pings.
    ///   - recorded: their verdicts.
    ///   - now: the time of receipt.
    /// - Returns: a hint for each person with a ping and a stored position, in the order of their last pings.
    /// - Throws: `CancellationError` as ``readInParts(_:)``.
    /// - Complexity: O(people · borders near them), in several reads.
    public func hints(after reports: [PingReport], _ recorded: Recorded, at now: Timestamp) async throws -> [Hint] {
        var seen: Set<PersonID> = []
        let people = zip(reports, recorded.verdicts).reversed().compactMap { report, verdict in
            verdict != .unknownPerson && seen.insert(report.person).inserted ? report.person : nil
        }
        var (rest, hints): (ArraySlice<PersonID>, [Hint]) = (people.reversed()[...], [])
        if rest.isEmpty { return hints }
        let subjects = subscriptions.subjects
        return try await readInParts { [rules] state in
            var spent = 0
            while spent < WorkBudget.stepsPerChunk, let person = rest.popFirst() {
                WorkBudget.charge(state.priceOfHint(for: person))
                let (hint, steps) = WorkBudget.measure {
                    WorkBudget.uncharged { () -> Hint? in
                        WorkBudget.count(20)
                        let hint = state.hint(for: person, rules, at: now)
                        guard !subjects.isEmpty, let number = state.people.number(of: person),
                            let fix = state.lastFix(of: number), state.isWatched(number, by: subjects, at: now)
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

/// Maximum length of a hint with an end: for this long it is known whether a timetable hides the person.
private let foresight = Duration.seconds(86_400)

extension LiveState {
    /// The caller's charge for a hint, which depends only on the fences that the person knows of.
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
    /// The hint while a live subscriber sees the person exactly: it ends sooner.
    ///
    /// It reveals that such a subscriber exists, but not who it is. Other subscribers do not change hints.
    fileprivate func hurried(after fix: LiveFix, _ rules: PingRules) -> Hint {
        var hint = self
        if rules.liveDistance < beyond { (hint.from, hint.beyond) = (fix.place, rules.liveDistance) }
        hint.notBefore = min(notBefore, fix.time + rules.liveInterval)
        return hint
    }
}
