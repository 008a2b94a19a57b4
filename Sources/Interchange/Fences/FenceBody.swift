internal import Geo
package import Model

extension Fence {
    /// Maximum radius of a circle and maximum distance from a corridor's line, in meters.
    package static let widest = 100_000.0
    /// Allowed values of `dwell_s` and `silent_s`, in seconds.
    package static let dwells = 1...86_400.0 * 365
    package static let silences = 60...86_400.0 * 31
    /// Maximum number of people in a service's fence.
    private static let mostPeople = 1_000
    /// Maximum number of people in a person's fence.
    package static let mostFriends = 100
    /// Maximum number of attributes in a fence's filter, and of alternative values for each.
    package static let mostAttributes = 10

    /// Reads a fence of a person, who by default watches themselves, or of a service for a nil owner.
    ///
    /// The area has at most `vertices` vertices. `place` looks up a place that the area names.
    package init?(
        _ fields: inout Fields, id: FenceID, of owner: PersonID?, vertices: Int, place: (PlaceID) -> Place?
    ) {
        _ = fields.ownID(id, reserved: [])
        let passages: Set<Passage>? = fields.words("on")
        let isSilent = fields.has("silent_s")
        let silence = fields.number("silent_s", Self.silences)
        var (area, watched, margin): (Area?, Watched?, Double?)
        if fields.json("near") != nil {
            (area, watched, margin) = fields.near(of: owner, atMost: owner == nil ? Self.mostPeople : Self.mostFriends)
        } else {
            let isSilence = isSilent || passages == [.silent]
            area = isSilence ? .anywhere : fields.fenceArea(vertices: vertices, place)
            watched =
                owner.map { fields.friends(of: $0, atMost: Self.mostFriends) }
                ?? fields.watched(atMost: Self.mostPeople, isNamed: isSilence)
            margin = isSilence ? nil : fields.number("margin_m", 0...Self.widest)
        }
        let dwell = fields.number("dwell_s", Self.dwells)
        var reported: [Passage] = []
        // If a word of `on` was rejected, errors that follow from it are not reported.
        if passages != nil || !fields.has("on") {
            reported = fields.passages(
                passages ?? (isSilent ? [.silent] : [.enter, .exit]), in: area, isSilent: isSilent)
        }
        let confirm = fields.integer("confirm", 1...2).map(Int.init)
        let timetable = fields.timetable()
        let ends = fields.time("ends")
        let isOnce = fields.flag("once") ?? false
        let note = fields.text("note", longest: 500)
        fields.refuseOthers()
        guard let area, let watched else { return nil }
        self.init(id: id, area, watching: watched)
        (self.owner, self.passages) = (owner, reported)
        guard fields.admits(self, place), fields.admits(confirm: confirm, self) else { return nil }
        self.confirm = confirm == 2 ? confirm : nil
        self.dwell = dwell.map { .milliseconds(Int64($0 * 1000)) }
        self.silence = silence.map { .milliseconds(Int64($0 * 1000)) }
        (self.margin, self.timetable, self.ends, self.isOnce, self.note) = (margin, timetable, ends, isOnce, note)
    }
}

extension Fields {
    /// Words of an enumeration; nil if the field is missing or has unknown words.
    package mutating func words<Word: RawRepresentable<String> & CaseIterable & Hashable>(
        _ name: String
    ) -> Set<Word>? {
        guard json(name) != nil else { return nil }
        let faults = errors.count
        let texts = texts(name)
        let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
        let others = texts.filter { Word(rawValue: $0) == nil }
        for other in others { fail(name, .format, "has '\(other)'; known: \(known)") }
        return errors.count == faults ? Set(texts.compactMap(Word.init)) : nil
    }

    /// The transitions to report, in order; combinations that the area does not support are rejected.
    fileprivate mutating func passages(
        _ wanted: Set<Fence.Passage>, in area: Fence.Area?, isSilent: Bool
    ) -> [Fence.Passage] {
        if wanted.isEmpty { fail("on", .range, "is empty; must have one of enter, exit, dwell, silent") }
        if wanted.contains(.silent) != isSilent {
            fail("silent_s", .required, "is required if 'on' is silent, and not allowed otherwise")
        }
        if wanted.contains(.silent), wanted.count > 1 || area.map({ $0 != .anywhere }) ?? false {
            fail("on", .format, "has silent, which must be alone, without an area")
        }
        if wanted.contains(.dwell) != has("dwell_s") {
            fail("dwell_s", .required, "is required if 'on' has dwell, and not allowed otherwise")
        }
        if case .person? = area, wanted.contains(.dwell) {
            fail("on", .format, "has dwell, which fences around a person do not support")
        }
        return Fence.Passage.allCases.filter(wanted.contains)
    }

    /// `near`: the person at the center, the people who may come near, the radius and the margin for leaving.
    fileprivate mutating func near(
        of owner: PersonID?, atMost most: Int
    ) -> (area: Fence.Area?, watched: Fence.Watched?, margin: Double?) {
        var (area, watched, margin): (Fence.Area?, Fence.Watched?, Double?)
        object("near") { own in
            if owner == nil { own.require("of") }
            own.require("who")
            own.require("within_m")
            let named: PersonID? = own.optionalID("of")
            if let named, let owner, named != owner {
                own.fail("of", .mismatch, "is '\(named)'; a person's fence must be around its owner")
            }
            watched = own.json("who") == nil ? nil : own.who(atMost: most)
            margin = own.number("margin_m", 0...Fence.widest)
            let metres = own.number("within_m", 1...Fence.widest)
            if let middle = named ?? owner, let metres { area = .person(middle, metres: metres) }
        }
        return (area, watched, margin)
    }

    /// `who`: a list of people, the members of a group, or friends.
    private mutating func who(atMost most: Int) -> Fence.Watched? {
        switch peek("who") {
        case .text("friends"):
            skip(["who"])
            return .friends
        case .object:
            var group: GroupID?
            object("who") { own in
                own.require("group")
                group = own.optionalID("group")
            }
            return group.map { .group($0) }
        case .list:
            return some("who", atMost: most)
        default:
            fail("who", .format, "must be an array of people, 'friends' or {\"group\": ...}")
            return nil
        }
    }

    /// The people whom a person's fence watches: `people`, or by default the owner.
    fileprivate mutating func friends(of owner: PersonID, atMost most: Int) -> Fence.Watched {
        let names = names("people", atMost: most)
        return .people(names.isEmpty ? [owner] : names)
    }

    /// A list of at least one person.
    private mutating func some(_ name: String, atMost most: Int) -> Fence.Watched? {
        let faults = errors.count
        let people = names(name, atMost: most)
        if people.isEmpty, errors.count == faults { fail(name, .range, "is empty") }
        return people.isEmpty ? nil : .people(people)
    }

    /// Ids of people, sorted and without duplicates.
    private mutating func names(_ name: String, atMost most: Int) -> [PersonID] {
        let texts = texts(name, atMost: most)
        let ids = texts.compactMap { try? PersonID($0) }
        if ids.count < texts.count { fail(name, .format, "has an item that is not an id") }
        return Array(Set(ids)).sorted()
    }

    /// The watched people: `people`, or unless people must be named a `group`, `attributes` or `everybody`.
    fileprivate mutating func watched(atMost most: Int, isNamed: Bool) -> Fence.Watched? {
        if isNamed {
            require("people")
            return has("people") ? some("people", atMost: most) : nil
        }
        let faults = errors.count
        let isEverybody = flag("everybody") ?? false
        let group: GroupID? = optionalID("group")
        let people = names("people", atMost: most)
        let attributes = watchedAttributes()
        switch (people.isEmpty, group, isEverybody, attributes) {
        case (false, nil, false, nil): return .people(people)
        case (true, let group?, false, nil): return .group(group)
        case (true, nil, true, nil): return .everybody
        case (true, nil, false, let wanted?): return .attributes(wanted)
        default:
            if errors.count == faults {
                fail("people", .required, "exactly one of 'people', 'group', 'attributes' and 'everybody' is required")
            }
            return nil
        }
    }

    /// The filter `attributes` of the watched people, each a value or a list of alternatives.
    private mutating func watchedAttributes() -> [String: [String]]? {
        guard let value = json("attributes") else { return nil }
        guard case .object(let members) = value, (1...Fence.mostAttributes).contains(members.count) else {
            mistyped("attributes", value, "an object of 1 to \(Fence.mostAttributes) attributes")
            return [:]
        }
        return members.mapValues { value in
            let values = if case .list(let all) = value { all } else { [value] }
            let texts = values.compactMap(\.attributeText)
            if texts.isEmpty || texts.count != values.count || texts.count > Fence.mostAttributes {
                fail("attributes", .type, "must each be a value, or an array of 1 to \(Fence.mostAttributes)")
            }
            return texts
        }
    }

    /// `area`: a circle, a GeoJSON area, a corridor, the area or surroundings of a place, or the areas of a kind of
    /// places.
    fileprivate mutating func fenceArea(vertices most: Int, _ place: (PlaceID) -> Place?) -> Fence.Area? {
        require("area")
        var area: Fence.Area?
        object("area") { own in
            if own.json("places") != nil {
                own.object("places") { places in
                    area = places.requiredText("kind", longest: 64).map { .places(kind: $0) }
                }
            } else if own.json("place") != nil {
                area = own.area(of: place)
            } else {
                area = own.area(vertices: most)
            }
        }
        return area
    }

    /// Whether entries of the fence may need several fixes: friends' positions and distances are not judged fix by fix.
    fileprivate mutating func admits(confirm: Int?, _ fence: Fence) -> Bool {
        guard confirm != nil else { return true }
        let isOfFriends = fence.owner.map { fence.watched != .people([$0]) } ?? false
        let isSomewhere =
            switch fence.area {
            case .circle, .polygons, .corridor, .place, .places: true
            case .person, .anywhere: false
            }
        guard isOfFriends || !isSomewhere else { return true }
        fail("confirm", .refused, "is given, which fences about friends, 'near' and 'silent_s' do not support")
        return false
    }

    /// Whether the fence may use the area of the place that it names; true if it names none.
    fileprivate mutating func admits(_ fence: Fence, _ place: (PlaceID) -> Place?) -> Bool {
        guard case .place(let id) = fence.area, let place = place(id), !fence.mayFollow(place) else { return true }
        let rule = "only a fence that watches just its owner can use the area of such a place"
        fail("area", at: "place", .refused, "is '\(id)', which a person owns; \(rule)")
        return false
    }

    /// The area of a place, or with `within_m` a circle around it.
    private mutating func area(of place: (PlaceID) -> Place?) -> Fence.Area? {
        let metres = number("within_m", 1...Fence.widest)
        guard let id: PlaceID = id("place") else { return nil }
        guard let known = place(id) else {
            fail("place", .unknownReference, "is '\(id)', a place that does not exist")
            return nil
        }
        guard has("within_m") else {
            if known.area != nil { return .place(id) }
            fail("place", .unknownReference, "is '\(id)', whose area is not known; 'within_m' makes it a circle")
            return nil
        }
        guard let centre = known.coordinate else {
            fail("place", .unknownReference, "is '\(id)', whose position is not known")
            return nil
        }
        return metres.map { .circle(centre, metres: $0) }
    }
}

extension JSON {
    /// The text by which an attribute's text, number or truth value is compared.
    fileprivate var attributeText: String? {
        switch self {
        case .text(let text) where text.utf8.count <= 200: text
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .flag(let flag): String(flag)
        case .text, .list, .null, .object: nil
        }
    }
}
