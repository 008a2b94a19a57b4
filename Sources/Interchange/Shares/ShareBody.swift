package import Discovery
package import Geo
package import Model

extension Share {
    /// Maximum lifetime of a link.
    package static let longest = Duration.seconds(7 * 86_400)
    /// Allowed distances in meters from the place where a link ends.
    package static let arrivals = 10.0...100_000

    /// Reads a link created at `now`; `position` returns the position of the place where it ends.
    package init?(
        _ fields: inout Fields, id: ShareID, token: TokenHash, at now: Timestamp, position: (PlaceID) -> Coordinate?
    ) {
        let precision: Precision? = fields.word("precision")
        if precision == .hidden {
            fields.fail("precision", .format, "is 'hidden'; must be one of exact, approximate, city")
        }
        let expires = fields.end(of: Share.longest, since: now)
        let arrival = fields.arrival(position)
        if precision == .city, arrival != nil {
            fields.fail(
                "until", .mismatch, "is not allowed for a link that shows a city: the end would reveal where in it")
        }
        let showsTrail = fields.flag("trail") ?? false
        let label = fields.text("label", longest: 100)
        fields.refuseOthers()
        guard let expires else { return nil }
        self.init(id: id, token: token, precision ?? .approximate, since: now, until: expires)
        (self.arrival, self.showsTrail, self.label) = (arrival, showsTrail, label)
    }
}

extension Fields {
    /// The end of the link: `expires`, or `for_s` in seconds from now.
    fileprivate mutating func end(of longest: Duration, since now: Timestamp) -> Timestamp? {
        let seconds = number("for_s", 1...longest.seconds)
        let time = time("expires")
        guard has("expires") != has("for_s") else {
            fail("expires", .required, "exactly one of 'expires' and 'for_s' is required")
            return nil
        }
        guard let end = time ?? seconds.map({ now + .milliseconds(Int64($0 * 1000)) }) else { return nil }
        guard end > now, end <= now + longest else {
            fail("expires", .range, "is \(end.rfc3339); must be within the next \(Int(longest.seconds)) seconds")
            return nil
        }
        return end
    }

    /// `until`: a place, and the distance at which its person counts as arrived.
    fileprivate mutating func arrival(_ position: (PlaceID) -> Coordinate?) -> Share.Arrival? {
        var arrival: Share.Arrival?
        object("until") { own in
            let place: PlaceID? = own.id("place")
            own.require("within_m")
            guard let metres = own.number("within_m", Share.arrivals), let place else { return }
            arrival = position(place).map { Share.Arrival(place, at: $0, within: metres) }
            if arrival == nil { own.fail("place", .unknownReference, "is '\(place)', whose position is not known") }
        }
        return arrival
    }
}

extension JSONWriter {
    /// A link as visible to its person.
    package mutating func share(_ open: OpenedShare) {
        let share = open.share
        member("id", share.id.text)
        member("precision", share.precision.rawValue)
        member("since", share.since)
        member("expires", share.expires)
        if let arrival = share.arrival {
            member("until") { json in
                json.object { json in
                    json.member("place", arrival.place.text)
                    json.member("within_m", arrival.metres)
                }
            }
        }
        member("trail", share.showsTrail)
        member("label", share.label)
        member("views", open.views)
    }

    /// A link as visible to its holder, with the trail if it is given.
    package mutating func shared(_ view: SharedView, trail: [PastPosition]? = nil) {
        member("label", view.label)
        member("expires", view.expires)
        member("position") { json in
            guard let position = view.position else { return json.value(JSON.null) }
            json.object { $0.members(of: position) }
        }
        guard let trail else { return }
        member("trail") { json in
            json.list(trail) { json, point in
                json.object { json in
                    json.coordinate(point.place)
                    json.member("at", point.time)
                    json.member("precision", point.precision.rawValue)
                }
            }
        }
    }
}
