internal import Geo
internal import Model

extension LiveState {
    /// Limits a hint's circle to the borders of the person's fences and privacy zones, and to proximity limits.
    ///
    /// Without a border inside, the throttle's circle is returned. Otherwise the result is a circle around the last
    /// judged fix up to the nearest border, at least ``PingRules/minimumHintRadius`` and inside the throttle's circle, where
    /// no fix can be stored. It ends at the latest when the nearest known border can be reached at the maximum speed.
    func safe(_ hint: Hint, of person: PersonNumber, _ rules: PingRules, at now: Timestamp) -> Hint {
        let isUnfenced = fences.isEmpty || fences.near.isEmpty && fences.watches[person] == nil && hasNoWatchers(person)
        if isUnfenced, people.privacyZones(of: person)?.isEmpty ?? true { return hint }
        guard let fix = lastFix(of: person) else { return hint }
        if isUnconfirmed(person, fix) {
            var safe = hint
            (safe.from, safe.beyond) = (fix.place, 0)
            safe.notBefore = min(hint.notBefore, fix.time + rules.minimumHintDuration)
            return safe
        }
        let isLeaving = isLeaving(person, fix, at: now)
        // A person just stored is at the center of the throttle's circle, so one search is enough.
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
        let reached =
            fix.time + max(rules.minimumHintDuration, .milliseconds(Int64(border / rules.maximumSpeed * 1000)))
        safe.notBefore = min(hint.notBefore, reached)
        guard isNear else { return safe }
        safe.from = fix.place
        safe.beyond = min(max(0, known), max(rules.minimumHintRadius, border))
        return safe
    }

    /// Maximum work units of the search for entries that need a second fix; beyond it there may be one.
    private static let mostStepsOfEntries = 12_000

    /// Whether a person is inside a fence in which only a second fix is an entry.
    private func isUnconfirmed(_ person: PersonNumber, _ fix: LiveFix) -> Bool {
        guard !fences.confirming.isEmpty else { return false }
        var steps = 0
        defer { WorkBudget.count(steps) }
        let near = fences(about: person) ?? fences(about: person, from: fix.place, to: fix.place, steps: &steps)
        return near.contains { number in
            steps += 1
            guard fences.confirming.contains(number), fences.visits[person]?[number] == nil,
                let entry = fences[number], watches(entry, person), entry.admits(fix)
            else { return false }
            guard steps < Self.mostStepsOfEntries else { return true }
            let area = areas(
                of: entry, from: fix.place, to: fix.place, margin: 0, atMost: PlaceFences.mostSteps, steps: &steps)
            return area?.contains(fix.place, steps: &steps) ?? false
        }
    }

    /// Whether a person is outside a fence, but within its margin: a more precise fix would then be an exit.
    private func isLeaving(_ person: PersonNumber, _ fix: LiveFix, at now: Timestamp) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        return fences.visits[person, default: [:]].keys.contains { number in
            guard let entry = fences[number], affectsHints(entry, person, at: now),
                let area = areas(
                    of: entry, from: fix.place, to: fix.place, margin: 0, atMost: PlaceFences.mostSteps - steps,
                    steps: &steps)
            else { return false }
            return !area.contains(fix.place, steps: &steps)
        }
    }

    /// A lower bound of the distance to the next border of a fence, privacy zone or proximity limit, up to `limit`.
    private func distanceToBorder(
        of person: PersonNumber, from place: Coordinate, upTo limit: Double, at now: Timestamp
    ) -> Double {
        let limit = people.privacyZones(of: person)?.distanceToBorder(from: place, upTo: limit) ?? limit
        var steps = 0
        var border = limit
        let ofFriends = fences.watches[person] ?? [:]
        // Distances to borders are underestimated by up to one percent.
        let circle = Cap(around: place, metres: 1.02 * limit + 1)
        // The wider cap lets the cache answer for the next path at the writer.
        let wider = Cap(centre: circle.centre, radius: 2 * circle.radius)
        if ofFriends.isEmpty, isClear(circle, upTo: wider, about: person) {
            return distanceToNearness(of: person, from: place, upTo: limit, at: now)
        }
        let few = ofFriends.count <= Fences.few ? fences(about: person) : nil
        if let few {
            for number in few + ofFriends.keys {
                guard let entry = fences[number], let area = entry.area, affectsHints(entry, person, at: now) else {
                    continue
                }
                border = area.distanceToBorder(from: place, upTo: border, steps: &steps)
            }
        } else {
            border = fences.nearbyFences.look(near: person) {
                fences.index.distanceToNextBorder(from: place, upTo: border, keeping: &$0, steps: &steps) { number in
                    fences[FenceNumber(number)].map { affectsHints($0, person, at: now) } ?? false
                }
            }
        }
        border = distanceToPlaces(watching: person, few: few, at: now, from: place, upTo: border, steps: &steps)
        WorkBudget.count(steps)
        return distanceToNearness(of: person, from: place, upTo: border, at: now)
    }

    /// Whether hints to a person may end at the border of any fence, wherever it is.
    private func mayMeetBorder(_ person: PersonNumber, at now: Timestamp) -> Bool {
        fences.named.everybody > 0 || fences.named.isAny(about: person) || fences(about: person) == nil
            || (fences.watches[person] ?? [:]).keys.contains {
                fences[$0].map { affectsHints($0, person, at: now) } ?? false
            }
    }

    /// Whether hints to a person end at a fence's border: it watches the person, or its owner sees them exactly.
    func affectsHints(_ entry: Fences.Entry, _ person: PersonNumber, at now: Timestamp) -> Bool {
        guard let owner = entry.owner, owner != person else { return watches(entry, person) }
        WorkBudget.count(3)
        return allows(entry, toReport: person) && agreed(person, owner, at: now) == .exact
    }
}
