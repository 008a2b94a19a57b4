internal import Model

/// The months of Takeout's Semantic Location History, such as `2022_JANUARY.json`: visits, and ways between them.
extension TrackShape {
    private static let ofVisit: Set = [
        "location", "duration", "simplifiedRawPath", "waypointPath", "childVisits", "centerLatE7", "centerLngE7",
    ]
    private static let ofWay: Set = [
        "startLocation", "endLocation", "duration", "simplifiedRawPath", "waypointPath", "parkingEvent",
    ]

    /// A visit is a position at its beginning and its end, with the points recorded in between.
    package mutating func readVisit(_ visit: [String: JSON], at place: FilePlace, into items: inout [TrackItem]) {
        unread.add(visit, besides: Self.ofVisit)
        let (start, end) = Self.times(of: visit)
        var center = Self.object(visit["location"])
        if center["latitudeE7"] == nil { center["latitudeE7"] = visit["centerLatE7"] }
        if center["longitudeE7"] == nil { center["longitudeE7"] = visit["centerLngE7"] }
        append(center, start, at: place, into: &items)
        readPaths(visit, at: place, into: &items)
        if case .list(let children)? = visit["childVisits"] {
            for case .object(let child) in children { readVisit(child, at: place, into: &items) }
        }
        append(center, end, at: place, into: &items)
    }

    /// A way is a position at its beginning and its end, with the points recorded in between.
    package mutating func readWay(_ way: [String: JSON], at place: FilePlace, into items: inout [TrackItem]) {
        unread.add(way, besides: Self.ofWay)
        let (start, end) = Self.times(of: way)
        append(Self.object(way["startLocation"]), start, at: place, into: &items)
        readPaths(way, at: place, into: &items)
        append(Self.object(way["endLocation"]), end, at: place, into: &items)
        if case .object(let parking)? = way["parkingEvent"] {
            append(
                Self.object(parking["location"]), parking["timestamp"] ?? parking["timestampMs"], at: place,
                into: &items
            )
        }
    }

    /// Reads the points of recorded paths, of which Google's guessed ones have no time, and are counted as such.
    private mutating func readPaths(_ members: [String: JSON], at place: FilePlace, into items: inout [TrackItem]) {
        for (path, list) in [("simplifiedRawPath", "points"), ("waypointPath", "waypoints")] {
            guard case .list(let points)? = Self.object(members[path])[list] else { continue }
            for case .object(let point) in points {
                append(point, point["timestamp"] ?? point["timestampMs"], at: place, into: &items)
            }
        }
    }

    /// A location without coordinates is not a position.
    private mutating func append(
        _ location: [String: JSON], _ time: JSON?, at place: FilePlace, into items: inout [TrackItem]
    ) {
        guard let latitude = location["latitudeE7"] ?? location["latE7"],
            let longitude = location["longitudeE7"] ?? location["lngE7"]
        else {
            others += 1
            return
        }
        var point = TrackPoint(at: place)
        point.latitude = Self.degrees(latitude, beyond: 900_000_000)
        point.longitude = Self.degrees(longitude, beyond: 1_800_000_000)
        point.accuracy = (location["accuracyMeters"] ?? location["accuracyMetres"])?.amount
        point.setTime(time, &sawNoZone)
        items.append(.point(point))
    }

    private static func times(of members: [String: JSON]) -> (start: JSON?, end: JSON?) {
        let duration = object(members["duration"])
        return (
            duration["startTimestamp"] ?? duration["startTimestampMs"],
            duration["endTimestamp"] ?? duration["endTimestampMs"]
        )
    }

    private static func object(_ value: JSON?) -> [String: JSON] {
        if case .object(let members)? = value { members } else { [:] }
    }
}
