/// Builds positions from the elements of KML 2.2 (OGC 07-147r2): tracks of Google's extension `gx:Track`, and placemarks
/// of a point or a line with a time.
struct KMLPoints {
    /// Maximum size of a text, in bytes.
    private static let longest = 400
    /// Elements without positions: areas, and the times and places of the viewer.
    private static let skippedNames: Set<String> = ["LookAt", "Camera", "Polygon", "Region", "Style"]

    /// Texts that are read.
    private enum Part { case when, begin, end, coordinates, coordinate, angles, value, altitudeMode }

    private static let parts: [String: Part] = [
        "when": .when, "begin": .begin, "end": .end, "coordinates": .coordinates, "coord": .coordinate,
        "angles": .angles, "value": .value, "altitudeMode": .altitudeMode,
    ]

    /// The positions completed since the caller last cleared the list.
    var found: [TrackItem] = []
    private(set) var others = 0
    private(set) var sawNoZone = false
    /// Why the rest of the file is not read.
    private(set) var fault: String?
    /// Whether the attributes of the last opened element are read.
    private(set) var readsAttributes = false
    private var placemark: KMLPlacemark?
    private var track: KMLTrack?
    /// The number of values that came after their positions were passed on.
    private var late = 0
    private var skippedDepth: Int?
    private var isInGeometry = false
    private var hasAltitude = false
    private var part: Part?
    private var bytes: [UInt8] = []
    private var line = 0
    private var row = 0

    private var unread = UnreadNames()

    var notes: [String] {
        unread.notes()
            + (late == 0
                ? [] : ["\(late) values of tracks with more than \(KMLTrack.mostHeld) positions were not read"])
    }

    mutating func open(_ name: String, depth: Int, line: Int) {
        part = nil
        readsAttributes = false
        guard skippedDepth == nil else { return }
        bytes.removeAll(keepingCapacity: true)
        self.line = line
        switch name {
        case _ where Self.skippedNames.contains(name): skippedDepth = depth
        case "Placemark":
            placemark = KMLPlacemark()
            hasAltitude = false
        case "Point", "LineString":
            isInGeometry = placemark != nil
            placemark?.geometries += 1
            hasAltitude = false
        case "Track" where placemark != nil: track = KMLTrack()
        case "SimpleArrayData":
            readsAttributes = track != nil
            track?.beginValues()
        default: part = Self.parts[name]
        }
    }

    mutating func attribute(_ name: String, _ value: UnsafeBufferPointer<UInt8>) {
        guard name == "name" else { return }
        let name = String(decoding: value.prefix(Self.longest), as: UTF8.self)
        if !(track?.nameValues(name) ?? false) { unread.add(name) }
    }

    mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard let part else { return }
        guard part == .coordinates else {
            if bytes.count + text.count <= Self.longest { bytes.append(contentsOf: text) }
            return
        }
        guard isInGeometry else { return }
        for byte in text {
            if byte <= 0x20 {
                endCoordinate()
            } else if bytes.count < Self.longest {
                bytes.append(byte)
            }
        }
    }

    mutating func close(_ name: String, depth: Int) {
        defer { part = nil }
        if let skippedDepth {
            if skippedDepth == depth { self.skippedDepth = nil }
            return
        }
        if let part { take(part) }
        switch name {
        case "Point", "LineString": isInGeometry = false
        case "Track": endTrack()
        case "Placemark": endPlacemark()
        default: break
        }
    }

    /// Passes on the complete positions of a track that breaks off.
    mutating func cut() {
        guard var track else { return }
        append(track.complete())
        self.track = nil
    }

    private mutating func take(_ part: Part) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch part {
        case .when where track != nil: track?.times.append(TrackText.time(text, &sawNoZone))
        case .when: placemark?.time = TrackText.time(text, &sawNoZone)
        case .begin: placemark?.begin = TrackText.time(text, &sawNoZone)
        case .end: placemark?.end = TrackText.time(text, &sawNoZone)
        case .coordinates: endCoordinate()
        case .coordinate:
            let point = point(text, separator: " ")
            track?.points.append(point)
        case .angles: track?.takeAngles(text)
        case .value: track?.takeValue(text)
        case .altitudeMode: hasAltitude = text.contains("absolute")
        }
        guard part == .when || part == .coordinate, track != nil else { return }
        append(track?.overflow() ?? [])
        fault = track?.fault
    }

    private mutating func endCoordinate() {
        guard !bytes.isEmpty else { return }
        let point = point(String(decoding: bytes, as: UTF8.self), separator: ",")
        bytes.removeAll(keepingCapacity: true)
        if let passed = placemark?.add(point) { append([passed]) }
    }

    private mutating func endTrack() {
        guard var track else { return }
        placemark?.hasTrack = true
        append(track.end())
        others += track.times.count
        late += track.late
        self.track = nil
    }

    private mutating func endPlacemark() {
        guard let placemark else { return }
        let points = placemark.timed
        if points.isEmpty, !placemark.hasTrack { others += 1 }
        append(points)
        self.placemark = nil
    }

    private mutating func append(_ points: [TrackPoint]) {
        for var point in points {
            guard point.latitude != nil || point.fault != nil else {
                others += 1
                continue
            }
            row += 1
            point.place.row = row
            found.append(.point(point))
        }
    }

    /// The position in longitude, latitude and, if it is not above the ground, altitude; without coordinates for an empty
    /// text.
    private func point(_ text: String, separator: Character) -> TrackPoint {
        var point = TrackPoint(at: FilePlace(row: 0, line: line))
        let words = text.split { $0 == separator || $0.isWhitespace }
        guard !words.isEmpty else { return point }
        let numbers = words.map { TrackText.number(String($0)) }
        guard (2...3).contains(numbers.count), let longitude = numbers[0], let latitude = numbers[1] else {
            let detail = "is '\(text.prefix(40))'; must be longitude and latitude"
            point.fault = FieldError(pointer: "/coordinates", code: .type, detail: detail)
            return point
        }
        (point.latitude, point.longitude) = (latitude, longitude)
        if hasAltitude, numbers.count == 3 { point.altitude = numbers[2] ?? .nan }
        return point
    }
}

/// A placemark of one point or line, with its time or period.
private struct KMLPlacemark {
    var time = TrackPoint.Time.missing
    var begin = TrackPoint.Time.missing
    var end = TrackPoint.Time.missing
    var geometries = 0
    var hasTrack = false
    private var first: TrackPoint?
    private var last: TrackPoint?

    /// Adds a position of the geometry.
    ///
    /// - Returns: the position that is neither its first nor its last, and so has no time.
    mutating func add(_ point: TrackPoint) -> TrackPoint? {
        guard first != nil else {
            first = point
            return nil
        }
        defer { last = point }
        return last
    }

    /// The first and the last position, with their times.
    ///
    /// A period is the stay at a point, or the way along a line. The single time of a line is none of its positions'.
    var timed: [TrackPoint] {
        guard var first else { return [] }
        guard var last else {
            guard geometries == 1 else { return [first] }
            first.time = time == .missing ? begin : time
            guard time == .missing, end != .missing, end != begin else { return [first] }
            var left = first
            left.time = end
            return begin == .missing ? [left] : [first, left]
        }
        if geometries == 1 { (first.time, last.time) = (begin, end) }
        return [first, last]
    }
}
