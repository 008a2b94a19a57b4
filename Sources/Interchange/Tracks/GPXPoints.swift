/// Builds positions from the elements of GPX, TCX or KML, in any namespace.
package struct GPXPoints {
    private static let roots: Set<String> = ["gpx", "TrainingCenterDatabase"]
    private static let points: Set<String> = ["trkpt", "rtept", "wpt", "Trackpoint"]
    /// Maximum number of different element names.
    private static let mostNames = 1000
    /// Maximum nesting depth of elements.
    private static let deepest = 64
    /// Maximum size of a text that is kept, in bytes.
    private static let longest = 10_000

    /// Elements of a point; exports of Cerca write the device as `src`.
    private static let own: [String: TrackField] = [
        "ele": .altitude, "time": .time, "speed": .speed, "course": .heading, "hdop": .dilution, "src": .device,
        "Time": .time, "AltitudeMeters": .altitude,
    ]
    /// Elements whose content belongs to the point, for example from Garmin, OsmAnd, Apple and Cerca.
    private static let parts: Set<String> = ["extensions", "Extensions", "Position"]
    private static let position: [String: TrackField] = ["LatitudeDegrees": .latitude, "LongitudeDegrees": .longitude]

    /// The positions completed since the caller last cleared the list.
    package var found: [TrackItem] = []
    /// Why the rest of the file is not read.
    package var fault: String?
    private var sawNoZone = false
    /// Whether the attributes of the last opened element are read.
    package private(set) var readsAttributes = false
    private var row = 0
    private var names: Set<String> = []
    /// The number of open elements.
    package private(set) var depth = 0
    private var point: TrackPoint?
    private var pointDepth = 0
    private var isInExtensions = false
    /// Whether the open point is one of TCX.
    private var isOfWatch = false
    /// The number of points without a position in pauses of a watch.
    private var pauses = 0
    /// The positions of KML; nil for another root.
    private var kml: KMLPoints?
    private var field: TrackField?
    /// The name of an element of the point that is not read, until it has a text.
    private var unreadName: String?
    /// The name of the last opened element; TCX has heart rates in an element `Value` of their own.
    private var lastName = ""
    private var unread = UnreadNames()
    private var bytes: [UInt8] = []

    /// The number of entries that are not positions.
    package var others: Int { pauses + (kml?.others ?? 0) }

    package var notes: [String] {
        (sawNoZone || kml?.sawNoZone ?? false ? [TrackShape.noZone] : []) + unread.notes() + (kml?.notes ?? [])
    }

    package mutating func open(_ name: String, line: Int) {
        depth += 1
        field = nil
        unreadName = nil
        readsAttributes = false
        names.insert(name)
        if names.count > Self.mostNames {
            fault = "it has elements of more than \(Self.mostNames) names"
        } else if depth > Self.deepest {
            fault = "it has elements nested more than \(Self.deepest) deep"
        } else if depth == 1 {
            if name == "kml" { kml = KMLPoints() }
            if kml == nil, !Self.roots.contains(name) {
                fault = "it is XML, but a <\(name.prefix(40))> and not GPX, TCX or KML"
            }
        } else if kml != nil {
            kml?.open(name, depth: depth, line: line)
            readsAttributes = kml?.readsAttributes ?? false
        } else if point == nil {
            guard Self.points.contains(name) else { return }
            row += 1
            point = TrackPoint(at: FilePlace(row: row, line: line))
            pointDepth = depth
            isInExtensions = false
            isOfWatch = name == "Trackpoint"
            readsAttributes = !isOfWatch
        } else if depth == pointDepth + 1 {
            isInExtensions = Self.parts.contains(name)
            field = Self.own[name] ?? (TrackField(named: name) == .accuracy ? .accuracy : nil)
        } else if isInExtensions {
            field = Self.position[name] ?? TrackField(named: name).flatMap { $0 == .altitude ? nil : $0 }
        }
        // OruxMaps writes `<ext type="ACC">`.
        if point != nil, depth > pointDepth, name == "ext" { readsAttributes = true }
        if point != nil, depth > pointDepth, field == nil { unreadName = name == "Value" ? lastName : name }
        lastName = name
        bytes.removeAll(keepingCapacity: true)
    }

    package mutating func attribute(_ name: String, _ value: UnsafeBufferPointer<UInt8>) {
        kml?.attribute(name, value)
        if point != nil, depth > pointDepth {
            guard name == "type", lastName == "ext",
                TrackField(named: String(decoding: value.prefix(40), as: UTF8.self)) == .accuracy
            else { return }
            field = .accuracy
            unreadName = nil
            return
        }
        guard point != nil, name == "lat" || name == "lon" else { return }
        let field = name == "lat" ? TrackField.latitude : .longitude
        guard let number = TrackText.number(value) else {
            let text = String(decoding: value.prefix(40), as: UTF8.self)
            point?.fault = FieldError(
                pointer: "/\(field.rawValue)", code: .type, detail: "is '\(text)'; must be a number")
            return
        }
        if field == .latitude { point?.latitude = number } else { point?.longitude = number }
    }

    package mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        kml?.text(text)
        if let name = unreadName, text.contains(where: { $0 > 0x20 }) {
            unread.add(name)
            unreadName = nil
        }
        guard field != nil, bytes.count + text.count <= Self.longest else { return }
        bytes.append(contentsOf: text)
    }

    package mutating func close(_ name: @autoclosure () -> String) {
        defer { depth -= 1 }
        if kml != nil { return closeInKML(name()) }
        if let field { take(field) }
        field = nil
        unreadName = nil
        if depth == pointDepth, let point {
            // A watch writes points without a position indoors and in pauses.
            if isOfWatch, point.latitude == nil, point.longitude == nil {
                pauses += 1
            } else {
                found.append(.point(point))
            }
            self.point = nil
            pointDepth = 0
        }
    }

    private mutating func closeInKML(_ name: String) {
        kml?.close(name, depth: depth)
        fault = fault ?? kml?.fault
        takeFromKML()
    }

    private mutating func takeFromKML() {
        guard let some = kml?.found, !some.isEmpty else { return }
        found += some
        kml?.found.removeAll(keepingCapacity: true)
    }

    /// Completes the positions before the place where the file breaks off.
    package mutating func cut() {
        kml?.cut()
        takeFromKML()
    }

    /// Values of the point itself take precedence over values in its extensions, which follow.
    private mutating func take(_ field: TrackField) {
        guard var point, bytes.contains(where: { $0 > 0x20 }) else { return }
        switch field {
        case .time: point.time = TrackText.time(String(decoding: bytes, as: UTF8.self), &sawNoZone)
        case .device: point.device = String(decoding: bytes, as: UTF8.self)
        case .altitude: point.altitude = number
        case .speed: point.speed = point.speed ?? number
        case .heading: point.heading = point.heading ?? number
        case .accuracy: point.accuracy = number
        case .battery: point.battery = number
        case .dilution: point.take(dilution: number)
        case .latitude: point.latitude = number
        case .longitude: point.longitude = number
        case .person: break
        }
        self.point = point
    }

    /// The number in the text, or NaN for another text.
    private var number: Double { bytes.withUnsafeBufferPointer { TrackText.number($0) } ?? .nan }
}
