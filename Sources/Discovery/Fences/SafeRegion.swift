internal import Geo
internal import Model

extension Picture {
    /// A hint with a circle that reaches past no border of a fence that watches the person or of their privacy zones, nor near
    /// to others, except by ``PingRules/leastBeyond``.
    ///
    /// It is that of the throttle if no border is in its circle; else a circle about where the person was last judged, as far as
    /// the nearest border and never farther than the throttle's circle reaches: a fix within cannot be stored. It ends no later
    /// than a border can be reached at the highest speed, for what is known of borders.
    func safe(_ hint: Hint, of person: PersonNumber, _ rules: PingRules, at now: Timestamp) -> Hint {
        let isUnfenced = fences.isEmpty || fences.near.isEmpty && fences.watches[person] == nil && isUnwatched(person)
        if isUnfenced, people.privacyZones(of: person)?.isEmpty ?? true { return hint }
        guard let fix = lastFix(of: person) else { return hint }
        let isLeaving = isLeaving(person, fix, at: now)
        // Who was just stored is at the middle of the throttle's circle: one search tells all.
        let isThere = hint.from == fix.place
        let away = isThere ? 0 : ChordBounds.upper(EarthCentred(hint.from).chord(to: EarthCentred(fix.place)))
        let (most, known) = (hint.beyond + away, hint.beyond - away)
        var border =
            isLeaving || known <= 0 ? 0 : distanceToBorder(of: person, from: hint.from, upTo: hint.beyond, at: now)
        let isFree = border >= hint.beyond
        if isFree {
            border = known
        } else if !isLeaving, !isThere {
            border = distanceToBorder(of: person, from: fix.place, upTo: most, at: now)
        }
        let isNear = !isFree && border < most
        guard isNear || mayMeetBorder(person, at: now) else { return hint }
        var safe = hint
        let reached = fix.time + max(rules.leastPause, .milliseconds(Int64(border / rules.maximumSpeed * 1000)))
        safe.notBefore = min(hint.notBefore, reached)
        guard isNear else { return safe }
        safe.from = fix.place
        safe.beyond = min(max(0, known), max(rules.leastBeyond, border))
        return safe
    }

    /// Whether somebody is outside of a fence, but not far enough to have left: they leave by the next fix if that is more exact.
    private func isLeaving(_ person: PersonNumber, _ fix: LiveFix, at now: Timestamp) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        return fences.visits[person, default: [:]].keys.contains { number in
            guard let entry = fences[number], isHeeded(entry, person, at: now),
                let area = areas(
                    of: entry, from: fix.place, to: fix.place, margin: 0, atMost: PlaceFences.mostSteps - steps,
                    steps: &steps)
            else { return false }
            return !area.contains(fix.place, steps: &steps)
        }
    }

    /// A lower bound of the distance to the next border of a fence or privacy zone, or to coming near others or leaving them; at
    /// most a limit.
    private func distanceToBorder(
        of person: PersonNumber, from place: Coordinate, upTo limit: Double, at now: Timestamp
    ) -> Double {
        let limit = people.privacyZones(of: person)?.distanceToBorder(from: place, upTo: limit) ?? limit
        var steps = 0
        var border = limit
        let ofFriends = fences.watches[person] ?? [:]
        // A border is told to be nearer than it is, by a hundredth.
        let circle = Cap(around: place, metres: 1.02 * limit + 1)
        // So the way that comes next is known to the writer.
        let wider = Cap(centre: circle.centre, radius: 2 * circle.radius)
        if ofFriends.isEmpty, isClear(circle, upTo: wider, about: person) {
            return distanceToNearness(of: person, from: place, upTo: limit, at: now)
        }
        let few = ofFriends.count <= Fences.few ? fences(about: person) : nil
        if let few {
            for number in few + ofFriends.keys {
                guard let entry = fences[number], let area = entry.area, isHeeded(entry, person, at: now) else {
                    continue
                }
                border = area.distanceToBorder(from: place, upTo: border, steps: &steps)
            }
        } else {
            border = fences.neighbourhoods.look(near: person) {
                fences.index.distanceToNextBorder(from: place, upTo: border, keeping: &$0, steps: &steps) { number in
                    fences[FenceNumber(number)].map { isHeeded($0, person, at: now) } ?? false
                }
            }
        }
        border = distanceToPlaces(watching: person, few: few, at: now, from: place, upTo: border, steps: &steps)
        Effort.count(steps)
        return distanceToNearness(of: person, from: place, upTo: border, at: now)
    }

    /// Whether hints to a person may end at the border of any fence, wherever it is.
    private func mayMeetBorder(_ person: PersonNumber, at now: Timestamp) -> Bool {
        fences.named.everybody > 0 || fences.named.isAny(about: person) || fences(about: person) == nil
            || (fences.watches[person] ?? [:]).keys.contains {
                fences[$0].map { isHeeded($0, person, at: now) } ?? false
            }
    }

    /// Whether hints to a person end at the border of a fence: one that watches the person, or that of a friend who is shown them
    /// exactly.
    func isHeeded(_ entry: Fences.Entry, _ person: PersonNumber, at now: Timestamp) -> Bool {
        guard let owner = entry.owner, owner != person else { return watches(entry, person) }
        Effort.count(3)
        return allows(entry, toTellOf: person) && agreed(person, owner, at: now) == .exact
    }
}
