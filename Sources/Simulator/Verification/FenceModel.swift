internal import Geo

/// The expected events of a person and circular fences, implemented independently from the documents.
package struct FenceModel: Sendable {
    package struct Passing: Hashable, Sendable {
        package var fence: Int
        package var isEntry: Bool
        /// Whether the event must be reported; a path of a few meters through a fence may be missed.
        package var isCertain = true
    }

    /// The path between two fixes counts if they are less than this apart, in seconds.
    private static let maxInterpolatedGap = 3600.0
    /// Minimum length of a path through a fence that must be reported, in meters.
    private static let tolerance = 2.0
    /// The distance from the exit threshold at which rounding decides, in meters.
    private static let rounding = 0.1
    /// The lower bounds of hints, in meters and in seconds.
    private static let (minimumHintRadius, minimumHintDuration) = (50.0, 15.0)

    private let person: Int
    private let fences: CrowdFences
    private let rules: ServiceRules
    private var inside: Set<Int> = []
    package private(set) var passings: [Passing] = []
    /// Fences whose further events are unknown because rounding decided.
    package private(set) var doubtful: Set<Int> = []

    package init(of person: Int, _ fences: CrowdFences, _ rules: ServiceRules) {
        (self.person, self.fences, self.rules) = (person, fences, rules)
    }

    /// Judges a fix that the service accepts, after the newest accepted one.
    package mutating func judge(_ fix: Fix, after before: Fix?) {
        guard isJudged(fix, after: before) else { return }
        for number in inside where abs(out(number, fix.place) - Double(fix.accuracy ?? 0)) < Self.rounding {
            doubtful.insert(number)
        }
        for passing in passings(at: fix, after: before) {
            passings.append(passing)
            if passing.isEntry { inside.insert(passing.fence) } else { inside.remove(passing.fence) }
        }
    }

    /// Whether a suppressed fix would have caused events, and whether it lies within the lower bounds of hints.
    ///
    /// Events missed because of suppressed fixes are therefore reported by a fix within these bounds, or were already
    /// over.
    package func rung(by fix: Fix, after before: Fix?) -> (isAny: Bool, isByFloor: Bool) {
        guard isJudged(fix, after: before), passings(at: fix, after: before).contains(where: \.isCertain) else {
            return (false, false)
        }
        guard let before else { return (true, false) }
        let isNear = Geodesic.distance(from: before.place, to: fix.place) < Self.minimumHintRadius + Self.rounding
        return (true, isNear || fix.time - before.time < Self.minimumHintDuration)
    }

    /// Whether a fix is newer than the last one and within reach.
    private func isJudged(_ fix: Fix, after last: Fix?) -> Bool {
        guard let last else { return true }
        let reach = rules.maximumSpeed * (fix.time - last.time) + Double(fix.accuracy ?? 0)
        return last.time < fix.time && Geodesic.distance(from: last.place, to: fix.place) <= reach
    }

    /// The distance of a place outside of a fence in meters, negative inside.
    private func out(_ number: Int, _ place: Coordinate) -> Double {
        Geodesic.distance(from: fences.fences[number].centre, to: place) - fences.fences[number].radius
    }

    private func passings(at fix: Fix, after last: Fix?) -> [Passing] {
        let way = last.flatMap { fix.time - $0.time < Self.maxInterpolatedGap ? $0 : nil }
        let length = way.map { Geodesic.distance(from: $0.place, to: fix.place) } ?? 0
        var passings: [Passing] = []
        for number in Set(fences.near(fix.place, within: length, watching: person)).union(inside).sorted() {
            let out = out(number, fix.place)
            if inside.contains(number) {
                if out > Double(fix.accuracy ?? 0) { passings.append(Passing(fence: number, isEntry: false)) }
            } else if out <= 0 {
                passings.append(Passing(fence: number, isEntry: true))
            } else if let way {
                passings += through(number, from: way.place, to: fix.place, length)
            }
        }
        return passings
    }

    /// The entry and the exit on a path between two places outside.
    private func through(_ number: Int, from start: Coordinate, to end: Coordinate, _ length: Double) -> [Passing] {
        let bearing = Geodesic.bearing(from: start, to: end)
        var (low, high) = (0.0, length)
        // On a path this short the distance to a place has a single minimum.
        for _ in 0..<60 {
            let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
            let isFalling =
                out(number, Geodesic.destination(from: start, bearing: bearing, metres: a))
                > out(number, Geodesic.destination(from: start, bearing: bearing, metres: b))
            (low, high) = isFalling ? (a, high) : (low, b)
        }
        let depth = -out(number, Geodesic.destination(from: start, bearing: bearing, metres: (low + high) / 2))
        guard depth > -Self.rounding else { return [] }
        let radius = fences.fences[number].radius
        let isCertain = depth > Self.rounding && (depth * (2 * radius - depth)).squareRoot() > Self.tolerance
        return [true, false].map { Passing(fence: number, isEntry: $0, isCertain: isCertain) }
    }
}
