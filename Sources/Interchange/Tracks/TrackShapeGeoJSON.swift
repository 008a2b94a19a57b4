/// Positions in GeoJSON (RFC 7946), which has no times; other programs write the times of a line as a property.
extension TrackShape {
    /// Names of the property with one time per position of a line.
    static let times = ["coordTimes", "times", "timestamps", "timestamp", "time", "t"]

    package mutating func readGeoJSON(
        _ type: String, _ members: [String: JSON], at place: FilePlace, into items: inout [TrackItem]
    ) {
        switch type {
        case "Feature":
            var properties: [String: JSON] = if case .object(let own)? = members["properties"] { own } else { [:] }
            if case .object(let own)? = properties.removeValue(forKey: "coordinateProperties") {
                properties.merge(own) { one, _ in one }
            }
            guard case .object(let geometry)? = members["geometry"] else {
                others += 1
                return
            }
            readGeometry(geometry, properties, at: place, into: &items)
        case "FeatureCollection": return
        default: readGeometry(members, [:], at: place, into: &items)
        }
    }

    private mutating func readGeometry(
        _ geometry: [String: JSON], _ properties: [String: JSON], at place: FilePlace, into items: inout [TrackItem]
    ) {
        guard case .list(let coordinates)? = geometry["coordinates"], case .text(let type)? = geometry["type"] else {
            others += 1
            return
        }
        switch type {
        case "Point":
            var point = TrackPoint(at: place)
            point.take(properties, &names, &sawNoZone)
            point.take(position: .list(coordinates))
            items.append(.point(point))
        case "LineString", "MultiPoint": readLine(coordinates, properties, at: place, into: &items)
        case "MultiLineString": readLine(coordinates.flattened, properties, at: place, into: &items)
        default: others += 1
        }
    }

    private mutating func readLine(
        _ positions: [JSON], _ properties: [String: JSON], at place: FilePlace, into items: inout [TrackItem]
    ) {
        var times: [JSON]?
        for name in Self.times {
            guard times == nil, case .list(let list)? = properties[name] else { continue }
            times = list.flattened
            guard times?.count != positions.count else { break }
            let fault = FieldError(
                pointer: "/properties/\(name)", code: .mismatch,
                detail: "has \(times?.count ?? 0) times; the line has \(positions.count) positions")
            return items.append(.refused(place, fault))
        }
        var columns: [(field: TrackField, values: [JSON]?, same: JSON)] = []
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            guard let field = names.field(name), ![.time, .latitude, .longitude].contains(field) else { continue }
            guard case .list(let list) = value else {
                columns.append((field, nil, value))
                continue
            }
            let values = list.flattened
            if values.count == positions.count { columns.append((field, values, .null)) }
        }
        for (index, position) in positions.enumerated() {
            var point = TrackPoint(at: place)
            for column in columns {
                let value = column.values?[index] ?? column.same
                if value != .null { point.set(column.field, value, &sawNoZone) }
            }
            point.take(position: position)
            point.setTime(times?[index], &sawNoZone)
            items.append(.point(point))
        }
    }
}

extension TrackPoint {
    /// Reads `[longitude, latitude]`, with or without an altitude.
    fileprivate mutating func take(position: JSON) {
        guard case .list(let numbers) = position, numbers.count >= 2, let longitude = numbers[0].numeric,
            let latitude = numbers[1].numeric
        else {
            fault = FieldError(pointer: "/geometry", code: .type, detail: "is not [longitude, latitude]")
            return
        }
        (self.latitude, self.longitude) = (latitude, longitude)
        if numbers.count > 2 { altitude = altitude ?? numbers[2].amount }
    }
}

extension [JSON] {
    /// The items of the inner lists for a list of lists or of lists of texts; else the list itself.
    fileprivate var flattened: [JSON] {
        guard case .list(let inner)? = first else { return self }
        if case .number? = inner.first { return self }
        return flatMap { item in if case .list(let items) = item { items } else { [item] } }
    }
}
