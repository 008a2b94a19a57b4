package import Geo
package import Model

extension Fence {
    /// The greatest radius of a circle and width of a corridor, in metres.
    package static let widest = 100_000.0
    private static let longestDwell = 86_400.0 * 365
    /// How many people one fence names.
    private static let mostPeople = 1_000

    /// Reads a fence of somebody who is watched, or of services for nil; its area has at most so many vertices, and may name a
    /// place, of which `position` says where it is.
    package init?(
        _ fields: inout Fields, id: FenceID, of owner: PersonID?, vertices: Int,
        position: (PlaceID) -> Coordinate?
    ) {
        _ = fields.ownID(id, reserved: [])
        let area = fields.fenceArea(vertices: vertices, position)
        let watched = owner.map { Watched.people([$0]) } ?? fields.watched(atMost: Self.mostPeople)
        let passages: Set<Passage>? = fields.words("on")
        let dwell = fields.number("dwell_s", 1...Self.longestDwell)
        let margin = fields.number("margin_m", 0...Self.widest)
        let timetable = fields.timetable()
        let ends = fields.time("ends")
        let isOnce = fields.flag("once") ?? false
        let note = fields.text("note", longest: 500)
        if (passages?.contains(.dwell) ?? false) != (dwell != nil) {
            fields.fail("dwell_s", .required, "is given if, and only if, 'on' has dwell")
        }
        if passages?.isEmpty ?? false { fields.fail("on", .range, "is empty; must have one of enter, exit, dwell") }
        fields.refuseOthers()
        guard let area, let watched else { return nil }
        self.init(id: id, area, watching: watched)
        self.owner = owner
        self.passages = Passage.allCases.filter((passages ?? [.enter, .exit]).contains)
        self.dwell = dwell.map { .milliseconds(Int64($0 * 1000)) }
        (self.margin, self.timetable, self.ends, self.isOnce, self.note) = (margin, timetable, ends, isOnce, note)
    }
}

extension Fields {
    /// Some words of an enumeration; nil if the field is not given.
    package mutating func words<Word: RawRepresentable<String> & CaseIterable & Hashable>(
        _ name: String
    ) -> Set<Word>? {
        guard has(name) else { return nil }
        var words: Set<Word> = []
        for text in texts(name) {
            if let word = Word(rawValue: text) {
                words.insert(word)
            } else {
                let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
                fail(name, .format, "has '\(text)'; known: \(known)")
            }
        }
        return words
    }

    /// Who is watched: `people`, a `group` or `everybody`.
    fileprivate mutating func watched(atMost most: Int) -> Fence.Watched? {
        let isEverybody = flag("everybody") ?? false
        let group: GroupID? = optionalID("group")
        let names = texts("people", atMost: most)
        let people = names.compactMap { try? PersonID($0) }
        if people.count < names.count { fail("people", .format, "has what is no id") }
        switch (people.isEmpty, group, isEverybody) {
        case (false, nil, false): return .people(Array(Set(people)).sorted())
        case (true, let group?, false): return .group(group)
        case (true, nil, true): return .everybody
        default:
            fail("people", .required, "is not given; one of 'people', 'group' and 'everybody' is")
            return nil
        }
    }

    /// `area`: a circle, GeoJSON's areas, a line with a width, or the surroundings of a place.
    fileprivate mutating func fenceArea(vertices most: Int, _ position: (PlaceID) -> Coordinate?) -> Fence.Area? {
        require("area")
        var area: Fence.Area?
        object("area") { own in
            let geometry = own.peek("type")
            if geometry == .text("Polygon") || geometry == .text("MultiPolygon") {
                area = own.polygons(most).map { .polygons($0) }
                return
            }
            let line = geometry == nil ? nil : own.line(most)
            own.require("within_m")
            guard let metres = own.number("within_m", 1...Fence.widest) else { return }
            if geometry != nil {
                area = line.map { .corridor($0, metres: metres) }
            } else if own.has("place") {
                guard let id: PlaceID = own.id("place") else { return }
                area = position(id).map { .circle($0, metres: metres) }
                if area == nil { own.fail("place", .unknownReference, "is '\(id)', of which no position is known") }
            } else {
                area = own.requiredCoordinate().map { .circle($0, metres: metres) }
            }
        }
        return area
    }

    private mutating func polygons(_ most: Int) -> [Polygon]? {
        let type = json("type") ?? .null
        let geometry = JSON.object(["type": type, "coordinates": json("coordinates") ?? .null])
        do throws(FormError) { return try [Polygon](geoJSON: geometry, named: "area", vertices: most) } catch {
            fail("coordinates", .format, error.errors.first?.detail ?? "is no list of rings")
            return nil
        }
    }

    private mutating func line(_ most: Int) -> [Coordinate]? {
        let type = json("type")
        guard type == .text("LineString") else {
            fail("type", .format, "must be Polygon, MultiPolygon or LineString")
            return nil
        }
        guard case .list(let positions)? = json("coordinates"), (2...most).contains(positions.count) else {
            fail("coordinates", .format, "must be a list of 2 to \(most) positions")
            return nil
        }
        var line: [Coordinate] = []
        for (index, position) in positions.enumerated() {
            guard case .list(let numbers) = position, numbers.count >= 2, case .number(let longitude) = numbers[0],
                case .number(let latitude) = numbers[1],
                let place = try? Coordinate(latitude: latitude, longitude: longitude)
            else {
                fail("coordinates", at: "\(index)", .format, "must be [longitude, latitude]")
                return nil
            }
            line.append(place)
        }
        return line
    }
}

extension JSONWriter {
    /// A fence's document.
    package mutating func fence(_ fence: Fence) {
        member("id", fence.id.text)
        object("area") { $0.area(fence.area) }
        if fence.owner == nil {
            switch fence.watched {
            case .everybody: member("everybody", true)
            case .people(let people): member("people", people.map(\.text))
            case .group(let group): member("group", group.text)
            }
        }
        member("on", fence.passages.map(\.rawValue))
        member("dwell_s", fence.dwell?.seconds)
        member("margin_m", fence.margin)
        timetable(fence.timetable)
        member("ends", fence.ends)
        if fence.isOnce { member("once", true) }
        member("note", fence.note)
    }

    private mutating func area(_ area: Fence.Area) {
        switch area {
        case .circle(let centre, let metres):
            coordinate(centre)
            member("within_m", metres)
        case .corridor(let line, let metres):
            member("type", "LineString")
            member("coordinates") { json in
                json.list(line) { $0.position($1.longitudeE7, $1.latitudeE7) }
            }
            member("within_m", metres)
        case .polygons(let polygons):
            member("type", polygons.count == 1 ? "Polygon" : "MultiPolygon")
            member("coordinates") { json in
                if polygons.count == 1 { return json.rings(polygons[0]) }
                json.list(polygons) { $0.rings($1) }
            }
        }
    }

    private mutating func rings(_ polygon: Polygon) {
        list(polygon.rings) { json, ring in json.list(ring) { $0.position($1.longitudeE7, $1.latitudeE7) } }
    }

    private mutating func position(_ longitude: Int32, _ latitude: Int32) {
        list([longitude, latitude]) { $0.value(Int64($1), decimals: 7) }
    }
}
