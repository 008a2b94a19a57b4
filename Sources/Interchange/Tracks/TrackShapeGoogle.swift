internal import Foundation
internal import Model

/// Google's timeline: `Records.json` of Takeout, and the exports of Android and iOS phones since 2024.
///
/// Google documents none of these formats; the names are taken from files.
extension TrackShape {
    /// An item of `locations`.
    package mutating func readRecord(_ members: [String: JSON], at place: FilePlace, into items: inout [TrackItem]) {
        unread.add(members, besides: Self.ofRecord)
        var point = TrackPoint(at: place)
        point.latitude = Self.degrees(members["latitudeE7"], beyond: 900_000_000)
        point.longitude = Self.degrees(members["longitudeE7"], beyond: 1_800_000_000)
        point.setTime(members["timestamp"] ?? members["timestampMs"], &sawNoZone)
        point.accuracy = members["accuracy"]?.amount
        point.altitude = members["altitude"]?.amount
        point.speed = members["velocity"]?.amount
        point.heading = members["heading"]?.amount
        items.append(.point(point))
    }

    private static let ofRecord: Set = [
        "latitudeE7", "longitudeE7", "timestamp", "timestampMs", "accuracy", "altitude", "velocity", "heading",
    ]
    private static let ofSignal: Set = [
        "LatLng", "timestamp", "accuracyMeters", "altitudeMeters", "speedMetersPerSecond",
    ]
    private static let ofSegment: Set = ["startTime", "endTime", "timelinePath", "visit", "activity"]

    /// Degrees from ten-millionths; some files have negative values as unsigned 32-bit numbers.
    package static func degrees(_ value: JSON?, beyond most: Double) -> Double? {
        guard let number = value?.numeric else { return nil }
        return (number > most && number <= 4_294_967_295 ? number - 4_294_967_296 : number) / 1e7
    }

    /// An item of `rawSignals`.
    package mutating func readSignal(_ position: [String: JSON], at place: FilePlace, into items: inout [TrackItem]) {
        unread.add(position, besides: Self.ofSignal)
        append(position["LatLng"], position["timestamp"], at: place, into: &items) { point in
            point.accuracy = position["accuracyMeters"]?.amount
            point.altitude = position["altitudeMeters"]?.amount
            point.speed = position["speedMetersPerSecond"]?.amount
        }
    }

    /// Reads an item of `semanticSegments`, or of the list that iOS writes.
    ///
    /// It is a path, a visit (a position at its beginning and its end), or a trip between two places.
    package mutating func readSegment(_ members: [String: JSON], at place: FilePlace, into items: inout [TrackItem]) {
        unread.add(members, besides: Self.ofSegment)
        let (start, end) = (members["startTime"], members["endTime"])
        if case .list(let path)? = members["timelinePath"] {
            for case .object(let point) in path {
                let offset = point["durationMinutesOffsetFromStartTime"]
                let time = point["time"] ?? offset.map { later(than: start, minutes: $0) }
                append(point["point"], time, at: place, into: &items)
            }
        } else if case .object(let visit)? = members["visit"] {
            guard case .object(let candidate)? = visit["topCandidate"] else {
                others += 1
                return
            }
            append(candidate["placeLocation"], start, at: place, into: &items)
            append(candidate["placeLocation"], end, at: place, into: &items)
        } else if case .object(let way)? = members["activity"] {
            append(way["start"], start, at: place, into: &items)
            append(way["end"], end, at: place, into: &items)
        } else {
            others += 1
        }
    }

    private mutating func later(than start: JSON?, minutes: JSON) -> JSON {
        var point = TrackPoint(at: FilePlace(row: 0))
        point.setTime(start, &sawNoZone)
        guard case .at(let time) = point.time, let minutes = minutes.numeric, (0...1e6).contains(minutes) else {
            return .text("\(start?.numeric.map { "\($0)" } ?? "the start") plus invalid minutes")
        }
        return .number(Double(time.milliseconds) + (minutes * 60_000).rounded())
    }

    /// Appends a position written as `48.8583701°, 2.2944813°` or `geo:48.858370,2.294481`.
    private mutating func append(
        _ written: JSON?, _ time: JSON?, at place: FilePlace, into items: inout [TrackItem],
        _ details: (inout TrackPoint) -> Void = { _ in }
    ) {
        var written = written
        if case .object(let members)? = written { written = members["latLng"] ?? members["LatLng"] }
        guard case .text(let text)? = written else {
            others += 1
            return
        }
        var point = TrackPoint(at: place)
        let numbers = text.trimmingPrefix("geo:").split(separator: ",", omittingEmptySubsequences: false).map {
            TrackText.number(String($0.replacing("°", with: "")))
        }
        if numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] {
            (point.latitude, point.longitude) = (latitude, longitude)
        } else {
            let detail = "is '\(text.prefix(40))'; must be a position"
            point.fault = FieldError(pointer: "/lat", code: .type, detail: detail)
        }
        point.setTime(time, &sawNoZone)
        details(&point)
        items.append(.point(point))
    }
}
