internal import Geo
internal import Model
internal import Storage

/// A ping of a known person with everything that judges it besides stored positions.
struct ReceivedPing {
    let person: PersonNumber
    let report: PingReport
    let time: Timestamp
    let received: Timestamp
    /// The time from which its age is counted, not later than its receipt.
    let past: Timestamp
    let rules: PingRules
    let zones: PrivacyZones
    let terms: SharingTerms

    /// The stored position before it; nil if the person was hidden or changed sharing since.
    ///
    /// The visible position must not depend on where the person was before such a change.
    private func known(_ neighbours: TimeNeighbours) -> RecentPing? {
        neighbours.previous.flatMap { terms.isUnchanged(from: $0.lastSeen, to: time) ? $0 : nil }
    }

    /// The first ping after such a change is stored at any distance and time.
    func verdict(among neighbours: TimeNeighbours, isConfirmed: Bool = false) -> Verdict {
        var rules = rules
        let isNewest = neighbours.after == nil && neighbours.previous != nil
        if isNewest, known(neighbours) == nil { (rules.interval, rules.distance) = (.zero, 0) }
        return rules.judge(
            report, at: time, received: received, past: past, among: neighbours, separated: isSeparate,
            isConfirmed: isConfirmed)
    }

    /// Whether the border of a privacy zone lies between a stored position and this one.
    ///
    /// The distance to a hidden position must not decide where a person who leaves a zone becomes visible, nor when one
    /// who enters is hidden. A few such places would point at their home.
    private func isSeparate(from point: RecentPing) -> Bool {
        rules.defences.throttlesInsideZones && zones.separate(report.place, from: point)
    }

    private func isNear(_ point: RecentPing) -> Bool {
        rules.isNear(point.place, report.place) && !isSeparate(from: point)
    }

    func outlierRun(after run: OutlierRun?, among neighbours: TimeNeighbours) -> OutlierRun {
        rules.outlierRun(report.fix(at: time), after: run, among: neighbours)
    }

    /// Whether it is stored although the person is still near the position before, because of the time since.
    func endsStay(at point: RecentPing) -> Bool {
        time - point.time >= rules.stay && isNear(point)
    }

    /// Whether its error radius is one that the rules accept at any time.
    private var isAccurate: Bool { Double(report.details.accuracy ?? 0) <= rules.maximumErrorRadius }

    /// Confirms or ends the stay at the stored position; nil if the ping adds nothing.
    ///
    /// An inaccurate ping confirms nothing, so that a stay has a known radius.
    func stayChange(near point: RecentPing, _ known: Stay) -> Change? {
        var stay = known
        if isNear(point) {
            guard isAccurate else { return nil }
            // A piece of a stay is reported as a whole, so none spans a change of visibility.
            if time > stay.until, !terms.isSame(from: stay.until, to: time) { stay.contradict(at: time) }
            stay.confirm(at: time)
        } else {
            stay.contradict(at: time)
        }
        return stay == known ? nil : .pings(.confirmed(person: person, point.key, stay, at: received))
    }

    /// The live position, if the ping is believed.
    var fix: LiveFix {
        var fix = LiveFix(time, report.place, accuracy: report.details.accuracy)
        fix.isInPrivacyZone = zones.covers(report.place)
        return fix
    }

    func stored(among neighbours: TimeNeighbours, _ cells: [RememberedCell]) -> StoredPing {
        let previous = known(neighbours)
        let known = rules.defences.hasHysteresis ? previous ?? neighbours.after : nil
        let remembered = rules.defences.remembersZoneCells ? cells : []
        let cell =
            rules.defences.quantizesToCells
            ? zones.keptCell(at: report.place, after: previous, remembered)
                ?? CubeCell.publicCell(at: report.place, after: known?.publicCell, cells)
            : CubeCell(containing: report.place, level: 30)
        var ping = StoredPing(person: person, time: time, received: received, place: report.place, publicCell: cell)
        ping.sequence = neighbours.nextSequence ?? .max
        ping.device = report.device
        ping.details = report.details
        ping.isInPrivacyZone = zones.covers(report.place)
        return ping
    }
}
