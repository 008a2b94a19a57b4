internal import Foundation

/// Finds the positions in a JSON value of any supported program.
package struct TrackShape: Sendable {
    /// The note about times without a zone.
    package static let noZone = "times without a zone were read as UTC"

    /// The number of values that are not positions.
    package var others = 0
    package var sawNoZone = false
    package var names = TrackFieldNames()

    /// The members of entries that are not read.
    var unread = UnreadNames()

    package var notes: [String] {
        let read = Self.times + TrackElements.lists + ["valid"]
        let others = names.unknown.filter { !read.contains($0) }
        return (sawNoZone ? [Self.noZone] : []) + unread.notes(and: others)
    }

    private static let geoJSON: Set<String> = [
        "Feature", "FeatureCollection", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon",
        "MultiPolygon", "GeometryCollection",
    ]

    /// Whether `type` is a type of GeoJSON objects.
    package static func isGeoJSON(_ type: String) -> Bool { geoJSON.contains(type) }

    /// Appends the positions of a value; `written` is its recording time, used if the value has no time.
    package mutating func read(
        _ json: JSON, at place: FilePlace, written: String? = nil, into items: inout [TrackItem]
    ) {
        guard case .object(let members) = json else {
            return items.append(.refused(place, .row("is \(json.kind); must be an object", .type)))
        }
        if case .text(let type)? = members["type"], Self.isGeoJSON(type) {
            readGeoJSON(type, members, at: place, into: &items)
        } else if members["_type"] != nil {
            readMessage(members, at: place, written, into: &items)
        } else if members["latitudeE7"] != nil || members["longitudeE7"] != nil {
            readRecord(members, at: place, into: &items)
        } else if case .object(let visit)? = members["placeVisit"] {
            readVisit(visit, at: place, into: &items)
        } else if case .object(let way)? = members["activitySegment"] {
            readWay(way, at: place, into: &items)
        } else if members["startTime"] != nil {
            readSegment(members, at: place, into: &items)
        } else if case .object(let position)? = members["position"] {
            readSignal(position, at: place, into: &items)
        } else {
            readPing(members, at: place, into: &items)
        }
    }

    private mutating func readPing(_ members: [String: JSON], at place: FilePlace, into items: inout [TrackItem]) {
        guard members.keys.contains(where: { [.latitude, .longitude].contains(names.field($0)) }) else {
            // An object whose lists were read item by item is not an entry itself.
            if !TrackElements.lists.contains(where: { members[$0] != nil }) { others += 1 }
            return
        }
        guard TrackTableSource.isFix(members) else {
            others += 1
            return
        }
        var point = TrackPoint(at: place)
        point.take(members, &names, &sawNoZone)
        TrackTableSource(columns: members.keys.map { $0.lowercased() }).convert(&point)
        items.append(.point(point))
    }

    /// A message of OwnTracks (https://owntracks.org/booklet/tech/json/): speed in km/h, battery in percent.
    private mutating func readMessage(
        _ members: [String: JSON], at place: FilePlace, _ written: String?, into items: inout [TrackItem]
    ) {
        guard members["_type"] == .text("location") else {
            others += 1
            return
        }
        unread.add(members, besides: ["_type", "lat", "lon", "tst", "acc", "alt", "vel", "cog", "batt"])
        var point = TrackPoint(at: place)
        point.set(.latitude, members["lat"] ?? .null, &sawNoZone)
        point.set(.longitude, members["lon"] ?? .null, &sawNoZone)
        point.setTime(members["tst"] ?? written.map(JSON.text), &sawNoZone)
        point.accuracy = members["acc"]?.amount
        point.altitude = members["alt"]?.amount
        point.speed = members["vel"]?.amount.map { $0 / 3.6 }
        point.heading = members["cog"]?.amount
        point.battery = members["batt"]?.amount.map { $0 / 100 }
        items.append(.point(point))
    }
}
