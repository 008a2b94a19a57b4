/// The lists of a `gx:Track` in KML: the n-th time, position and value belong together.
///
/// Values follow their positions, which are held until the track ends, up to a maximum.
struct KMLTrack {
    /// Maximum number of held positions.
    static let mostHeld = 10_000
    /// Maximum number of times before their positions.
    private static let mostTimes = 200_000

    /// The times of the held positions, and of positions to come.
    var times: [TrackPoint.Time] = []
    var points: [TrackPoint] = []
    /// The number of values whose positions are not held.
    private(set) var late = 0
    private var passed = 0
    private var angles = 0
    private var values = 0
    private var field: TrackField?

    /// Why the rest of the file is not read.
    var fault: String? {
        if times.count > Self.mostTimes {
            return "a track has more than \(Self.mostTimes) times before their positions"
        }
        return points.count > Self.mostHeld
            ? "a track has more than \(Self.mostHeld) positions before their times" : nil
    }

    /// Removes and returns the complete positions if there are more than the maximum.
    mutating func overflow() -> [TrackPoint] { min(times.count, points.count) > Self.mostHeld ? complete() : [] }

    /// Removes and returns the positions that have a time.
    mutating func complete() -> [TrackPoint] {
        let count = min(times.count, points.count)
        let complete = zip(points, times).map { point, time in
            var point = point
            point.time = time
            return point
        }
        points.removeFirst(count)
        times.removeFirst(count)
        passed += count
        return complete
    }

    /// Removes and returns all positions.
    mutating func end() -> [TrackPoint] {
        let all = complete() + points
        points = []
        return all
    }

    /// Takes heading, tilt and roll, of which only the first is of the position.
    mutating func takeAngles(_ text: String) {
        defer { angles += 1 }
        guard let heading = text.split(whereSeparator: \.isWhitespace).first else { return }
        set(.heading, String(heading), at: angles)
    }

    mutating func beginValues() {
        values = 0
        field = nil
    }

    /// Begins the values with a name.
    ///
    /// - Returns: whether they are read.
    mutating func nameValues(_ name: String) -> Bool {
        let named = TrackField(named: name)
        field = [.accuracy, .speed, .heading, .battery, .dilution].contains(named) ? named : nil
        return field != nil
    }

    mutating func takeValue(_ text: String) {
        defer { values += 1 }
        if let field, !text.isEmpty { set(field, text, at: values) }
    }

    private mutating func set(_ field: TrackField, _ text: String, at index: Int) {
        guard points.indices.contains(index - passed) else {
            late += 1
            return
        }
        var sawNoZone = false
        points[index - passed].set(field, .text(text), &sawNoZone)
    }
}
