internal import Geo
package import Model

extension Fence {
    /// The greatest radius of a circle and width of a corridor, in metres.
    package static let widest = 100_000.0
    /// How many seconds somebody may have to stay, or not to be heard of.
    package static let dwells = 1...86_400.0 * 365
    package static let silences = 60...86_400.0 * 31
    /// How many people one fence names.
    private static let mostPeople = 1_000
    /// How many friends the fence of a person names.
    package static let mostFriends = 100
    /// How many attributes those have who are watched, and how many values of each suffice.
    package static let mostAttributes = 10

    /// Reads a fence of somebody, about themselves if they name nobody, or of services for nil; its area has at most so many
    /// vertices, and may name a place, which `place` looks up.
    package init?(
        _ fields: inout Fields, id: FenceID, of owner: PersonID?, vertices: Int,
        place: (PlaceID) -> Place?
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
        var told: [Passage] = []
        // Of words that were refused nothing follows.
        if passages != nil || !fields.has("on") {
            told = fields.passages(passages ?? (isSilent ? [.silent] : [.enter, .exit]), in: area, isSilent: isSilent)
        }
        let timetable = fields.timetable()
        let ends = fields.time("ends")
        let isOnce = fields.flag("once") ?? false
        let note = fields.text("note", longest: 500)
        fields.refuseOthers()
        guard let area, let watched else { return nil }
        self.init(id: id, area, watching: watched)
        (self.owner, self.passages) = (owner, told)
        guard fields.admits(self, place) else { return nil }
        self.dwell = dwell.map { .milliseconds(Int64($0 * 1000)) }
        self.silence = silence.map { .milliseconds(Int64($0 * 1000)) }
        (self.margin, self.timetable, self.ends, self.isOnce, self.note) = (margin, timetable, ends, isOnce, note)
    }
}

extension Fields {
    /// Some words of an enumeration; nil if the field is not given, or has others.
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

    /// What is told of, in order, if it is possible there.
    fileprivate mutating func passages(
        _ wanted: Set<Fence.Passage>, in area: Fence.Area?, isSilent: Bool
    ) -> [Fence.Passage] {
        if wanted.isEmpty { fail("on", .range, "is empty; must have one of enter, exit, dwell, silent") }
        if wanted.contains(.silent) != isSilent {
            fail("silent_s", .required, "is given if, and only if, 'on' is silent")
        }
        if wanted.contains(.silent), wanted.count > 1 || area.map({ $0 != .anywhere }) ?? false {
            fail("on", .format, "has silent, which stands alone, without an area")
        }
        if wanted.contains(.dwell) != has("dwell_s") {
            fail("dwell_s", .required, "is given if, and only if, 'on' has dwell")
        }
        if case .person? = area, wanted.contains(.dwell) {
            fail("on", .format, "has dwell; of who comes near only enter and exit are told")
        }
        return Fence.Passage.allCases.filter(wanted.contains)
    }

    /// `near`: whom others may come near, who those are, how near, and how much farther who has left.
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
                own.fail("of", .mismatch, "is '\(named)'; the fence of a person tells who comes near to that person")
            }
            watched = own.json("who") == nil ? nil : own.who(atMost: most)
            margin = own.number("margin_m", 0...Fence.widest)
            let metres = own.number("within_m", 1...Fence.widest)
            if let middle = named ?? owner, let metres { area = .person(middle, metres: metres) }
        }
        return (area, watched, margin)
    }

    /// `who` may come near: some people, the members of a group, or friends.
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
            fail("who", .format, "must be a list of people, 'friends' or {\"group\": ...}")
            return nil
        }
    }

    /// Whom the fence of a person watches: `people`, else the person.
    fileprivate mutating func friends(of owner: PersonID, atMost most: Int) -> Fence.Watched {
        let names = names("people", atMost: most)
        return .people(names.isEmpty ? [owner] : names)
    }

    /// One person at least.
    private mutating func some(_ name: String, atMost most: Int) -> Fence.Watched? {
        let faults = errors.count
        let people = names(name, atMost: most)
        if people.isEmpty, errors.count == faults { fail(name, .range, "names nobody") }
        return people.isEmpty ? nil : .people(people)
    }

    /// Ids of people, in order and each once.
    private mutating func names(_ name: String, atMost most: Int) -> [PersonID] {
        let texts = texts(name, atMost: most)
        let ids = texts.compactMap { try? PersonID($0) }
        if ids.count < texts.count { fail(name, .format, "has what is no id") }
        return Array(Set(ids)).sorted()
    }

    /// Who is watched: `people`, or if they need not be named a `group`, those with some `attributes`, or `everybody`.
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
                fail("people", .required, "or 'group', 'attributes' or 'everybody' is required, and only one of them")
            }
            return nil
        }
    }

    /// `attributes` of those who are watched: of each a value, or some of which one suffices.
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
                fail("attributes", .type, "are each a value, or a list of 1 to \(Fence.mostAttributes)")
            }
            return texts
        }
    }

    /// `area`: a circle, GeoJSON's areas, a line with a width, the area or the surroundings of a place, or the areas of a kind.
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

    /// Whether a fence may go by the area of the place that it names, if it names one.
    fileprivate mutating func admits(_ fence: Fence, _ place: (PlaceID) -> Place?) -> Bool {
        guard case .place(let id) = fence.area, let place = place(id), !fence.mayFollow(place) else { return true }
        let rule = "only a fence about nobody but its owner goes by the area of such a place"
        fail("area", at: "place", .refused, "is '\(id)', which a person owns; \(rule)")
        return false
    }

    /// The area of a place, or with `within_m` what lies around it.
    private mutating func area(of place: (PlaceID) -> Place?) -> Fence.Area? {
        let metres = number("within_m", 1...Fence.widest)
        guard let id: PlaceID = id("place") else { return nil }
        guard let known = place(id) else {
            fail("place", .unknownReference, "is '\(id)', and there is no such place")
            return nil
        }
        guard has("within_m") else {
            if known.area != nil { return .place(id) }
            fail("place", .unknownReference, "is '\(id)', of which no area is known; 'within_m' says how far around it")
            return nil
        }
        guard let centre = known.coordinate else {
            fail("place", .unknownReference, "is '\(id)', of which no position is known")
            return nil
        }
        return metres.map { .circle(centre, metres: $0) }
    }
}

extension JSON {
    /// A text, a number or a truth value as attributes are compared with it.
    fileprivate var attributeText: String? {
        switch self {
        case .text(let text) where text.utf8.count <= 200: text
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .flag(let flag): String(flag)
        case .text, .list, .null, .object: nil
        }
    }
}
