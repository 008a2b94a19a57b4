internal import Algorithms
internal import Foundation
internal import Geo

/// The thresholds of the service, with its names and defaults.
package struct ServiceRules: Sendable {
    /// Meters.
    package var distance = 500.0
    /// Seconds.
    package var interval = 120.0
    /// How long the distance rule applies, in seconds.
    package var stay = 86_400.0
    var maximumErrorRadius = 200.0
    var coarseFixDelay = 600.0
    var maximumSpeed = 350.0

    package init() {}

    /// Reads the rules of a service that was started in the same environment.
    ///
    /// - Throws: ``SimulatorError`` for a variable that is not a number.
    init(environment: [String: String]) throws {
        func number(_ name: String, _ value: inout Double) throws {
            guard let text = environment[name] else { return }
            guard let number = Double(text), number.isFinite, number >= 0 else {
                throw SimulatorError(description: "\(name) is '\(text)', which is not a number of 0 or more.")
            }
            value = number
        }
        try number("CERCA_THROTTLE_DISTANCE_M", &distance)
        try number("CERCA_THROTTLE_INTERVAL_S", &interval)
        try number("CERCA_THROTTLE_STAY_S", &stay)
        try number("CERCA_ACCURACY_M", &maximumErrorRadius)
        try number("CERCA_PATIENCE_S", &coarseFixDelay)
        try number("CERCA_MAX_SPEED_MPS", &maximumSpeed)
    }
}

/// The expected state of one person, implemented independently from the specification of the verdicts.
package struct ThrottleModel: Sendable {
    /// A position acknowledged as stored.
    package struct Point: Hashable, Sendable {
        package var fix: Fix
        /// The start of the interval up to ``seenUntil`` in which pings confirmed the position without a gap.
        package var since: SimulatedTime
        /// The latest time at which a throttled ping confirmed it.
        package var seenUntil: SimulatedTime
        package var isSuspect: Bool
        /// Whether a ping after ``seenUntil`` came from another place.
        fileprivate var wasLeft = false

        package init(
            fix: Fix, since: SimulatedTime? = nil, seenUntil: SimulatedTime? = nil, isSuspect: Bool = false
        ) {
            self.fix = fix
            self.since = since ?? fix.time
            self.seenUntil = seenUntil ?? fix.time
            self.isSuspect = isSuspect
        }
    }

    /// The points in order of time.
    package private(set) var points: [Point] = []
    private let rules: ServiceRules
    private var doubt: Doubt?
    /// The newest accepted fix, if it is later than the last point.
    private var live: Fix?

    /// A sequence of fixes whose speed contradicts the same points.
    private struct Doubt {
        var accused: Set<SimulatedTime>
        var last: Fix
        var count: Int
    }

    package init(_ rules: ServiceRules) { self.rules = rules }

    /// The newest point that is not suspect.
    package var last: Point? { points.last { !$0.isSuspect } }

    /// The position that a friend with exact sharing must see, with the start of its stay.
    package var shown: Point? {
        guard let last, let live else { return last }
        return Point(fix: live, since: last.seenUntil == live.time ? last.since : nil)
    }

    /// The newest accepted fix, the person's last known position.
    package var newest: Fix? { live ?? last.map { Fix(time: $0.seenUntil, place: $0.fix.place) } }

    /// The hint that the service must return.
    package var hint: Hint? {
        last.map { last in
            Hint(
                from: last.fix.place, beyond: rules.distance, notBefore: last.fix.time + rules.interval,
                until: rules.distance > 0 ? last.fix.time + max(rules.stay, rules.interval) : nil)
        }
    }

    /// Judges the pings of one request, and passes each accepted one on with the previous newest one.
    ///
    /// - Returns: a verdict for each, in the given order.
    package mutating func record(_ fixes: [Fix], believed: (Fix, Fix?) -> Void = { _, _ in }) -> [String] {
        var verdicts = [String](repeating: "", count: fixes.count)
        for index in fixes.indices.sorted(by: { (fixes[$0].time, $0) < (fixes[$1].time, $1) }) {
            verdicts[index] = take(fixes[index], believed)
        }
        return verdicts
    }

    /// Whether a fix would be stored now.
    func stores(_ fix: Fix) -> Bool { judge(fix, among: neighbours(of: fix.time)) == "stored" }

    private struct Neighbours {
        var before: Point?
        var after: Point?
        var all: [Point] { [before, after].compactMap(\.self) }
    }

    private func neighbours(of time: SimulatedTime, without accused: Set<SimulatedTime> = []) -> Neighbours {
        let end = firstIndex(after: time)
        func isBelieved(_ point: Point) -> Bool { !point.isSuspect && !accused.contains(point.fix.time) }
        return Neighbours(
            before: points[..<end].last(where: isBelieved), after: points[end...].first(where: isBelieved))
    }

    private func firstIndex(after time: SimulatedTime) -> Int {
        points.partitioningIndex { $0.fix.time > time }
    }

    private func judge(_ fix: Fix, among around: Neighbours, isConfirmed: Bool = false) -> String {
        let sameTime = points[..<firstIndex(after: fix.time)].reversed().prefix { $0.fix.time == fix.time }
        if sameTime.contains(where: { $0.fix.place == fix.place }) { return "duplicate" }
        if fix.place.latitudeE7 == 0, fix.place.longitudeE7 == 0, fix.accuracy == nil { return "void" }
        if let accuracy = fix.accuracy, Double(accuracy) > rules.maximumErrorRadius, let before = around.before,
            fix.time - before.fix.time < rules.coarseFixDelay
        {
            return "inaccurate"
        }
        let least = rules.distance > 0 ? max(rules.interval, 0.001) : rules.interval
        if around.all.contains(where: { abs(fix.time - $0.fix.time) < least }) { return "throttled:interval" }
        if !isConfirmed, around.all.contains(where: { isTooFast($0.fix, fix) }) { return "impossible_speed" }
        let isStaying =
            around.before.map { fix.time - $0.fix.time < rules.stay && isNear($0.fix.place, fix.place) } ?? false
        return isStaying ? "throttled:distance" : "stored"
    }

    private func isNear(_ a: Coordinate, _ b: Coordinate) -> Bool { Geodesic.distance(from: a, to: b) < rules.distance }

    private func isTooFast(_ a: Fix, _ b: Fix) -> Bool {
        let way = rules.maximumSpeed * abs(a.time - b.time) + Double(a.accuracy ?? 0) + Double(b.accuracy ?? 0)
        return Geodesic.distance(from: a.place, to: b.place) > way
    }

    private mutating func take(_ fix: Fix, _ believed: (Fix, Fix?) -> Void) -> String {
        var around = neighbours(of: fix.time)
        var verdict = judge(fix, among: around)
        if verdict == "impossible_speed" {
            let row = doubted(fix, among: around)
            guard let rest = outweighed(by: row, around: fix, around) else {
                doubt = row
                return verdict
            }
            let former = last
            for index in points.indices where row.accused.contains(points[index].fix.time) {
                points[index].isSuspect = true
            }
            doubt = nil
            if let former, former != last { live = nil }
            (around, verdict) = (rest, judge(fix, among: rest, isConfirmed: true))
        }
        if verdict == "stored" || verdict.hasPrefix("throttled:") { believed(fix, newest) }
        switch verdict {
        case "stored":
            confirm(around.before, by: fix)
            points.insert(Point(fix: fix), at: firstIndex(after: fix.time))
            doubt = nil
            if let fix = live, last.map({ $0.fix.time >= fix.time }) ?? true { live = nil }
        case "throttled:interval", "throttled:distance":
            locate(fix)
            confirm(around.before, by: fix)
            contradict(around.before, by: fix)
        default: break
        }
        return verdict
    }

    /// Updates the live position, unless a later one is known or the required speed is impossible.
    private mutating func locate(_ fix: Fix) {
        guard let newest else { return }
        let before = Fix(time: newest.time, place: newest.place)
        if before.time < fix.time, !isTooFast(before, fix) { live = fix }
    }

    /// Silence after which the service assumes a gap in a stay, in seconds.
    private static let longestSilence = 3600.0

    private mutating func confirm(_ point: Point?, by fix: Fix) {
        guard let point, fix.time > point.seenUntil, isNear(point.fix.place, fix.place),
            Double(fix.accuracy ?? 0) <= rules.maximumErrorRadius,
            let index = points.firstIndex(where: { $0 == point })
        else { return }
        if point.wasLeft || fix.time - point.seenUntil > Self.longestSilence { points[index].since = fix.time }
        points[index].seenUntil = fix.time
        points[index].wasLeft = false
        if doubt?.accused.contains(point.fix.time) == true { doubt = nil }
    }

    /// Ends the stay at a point, or cuts it, if a throttled fix came from another place.
    private mutating func contradict(_ point: Point?, by fix: Fix) {
        guard let point, fix.time > point.fix.time, !isNear(point.fix.place, fix.place),
            let index = points.firstIndex(where: { $0 == point })
        else { return }
        if fix.time > point.seenUntil {
            points[index].wasLeft = true
        } else if fix.time >= point.since {
            points[index].since = point.seenUntil
        }
    }

    private func doubted(_ fix: Fix, among around: Neighbours) -> Doubt {
        let accused = Set(around.all.filter { isTooFast($0.fix, fix) }.map(\.fix.time))
        guard let doubt, doubt.accused == accused else { return Doubt(accused: accused, last: fix, count: 1) }
        if fix.time <= doubt.last.time { return doubt }
        return Doubt(accused: accused, last: fix, count: isTooFast(doubt.last, fix) ? 1 : doubt.count + 1)
    }

    /// The neighbors of a fix without the points that three contradicting fixes in sequence outweigh; nil if they do
    /// not.
    private func outweighed(by row: Doubt, around fix: Fix, _ around: Neighbours) -> Neighbours? {
        guard row.count >= 3 else { return nil }
        let rest = neighbours(of: fix.time, without: row.accused)
        return rest.after == nil || judge(fix, among: rest, isConfirmed: true) == "stored" ? rest : nil
    }
}
