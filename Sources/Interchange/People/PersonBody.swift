package import Model

extension Person {
    /// Reads a person; unknown fields of an import become attributes.
    package init?(_ fields: inout Fields, id: PersonID? = nil) {
        guard let id = fields.ownID(id, reserved: ["nearest", "requests"]) else { return nil }
        self.init(id: id)
        name = fields.text("name")
        surname = fields.text("surname")
        city = fields.text("city")
        born = fields.date("born")
        sex = fields.word("sex")
        relationship = fields.word("relationship")
        email = fields.text("email", longest: 254)
        if let email, !email.contains("@") { fields.fail("email", .format, "is not an e-mail address") }
        phone = fields.text("phone", longest: 50)
        photo = fields.url("photo")
        about = fields.text("about", longest: 4000)
        isDiscoverable = fields.flag("discoverable") ?? false
        isSearchable = fields.flag("searchable") ?? true
        isSearchableByEmail = fields.flag("searchable_by_email") ?? false
        sharing = Sharing(&fields)
        throttle = ThrottleOverride(&fields)
        retention = fields.number("retention_s", Self.retentions).map { .milliseconds(Int64(($0 * 1000).rounded())) }
        // Tokens state the time of issue in whole seconds.
        tokensNotBefore = fields.time("tokens_not_before").map {
            Timestamp(milliseconds: $0.milliseconds / 1000 * 1000)
        }
        attributes = fields.allAttributes()
    }

    /// The allowed retention of positions in seconds, from a second to a century.
    private static let retentions = 1.0...3.2e9
}

extension ThrottleOverride {
    /// Maximum interval in seconds (a month) and distance in meters (half the Earth's circumference).
    private static let longestInterval = 31.0 * 86_400
    private static let greatestDistance = 20_000_000.0

    fileprivate init(_ fields: inout Fields) {
        self.init()
        fields.object("throttle") { own in
            distance = own.number("distance_m", 0...Self.greatestDistance)
            interval = own.number("interval_s", 0...Self.longestInterval).map {
                .milliseconds(Int64(($0 * 1000).rounded()))
            }
        }
    }
}

extension Fields {
    /// The id of the document from the path, which the body may repeat, or else from the body.
    ///
    /// Reserved words are path segments of their own, so they cannot be ids.
    package mutating func ownID<Thing>(_ path: ID<Thing>?, reserved: Set<String>) -> ID<Thing>? {
        if let path, let text = text("id", longest: 10_000), text != path.text {
            fail("id", .mismatch, "is '\(text.prefix(40))', but the path says '\(path)'")
        }
        let own = path ?? id("id")
        if let own, reserved.contains(own.text) { fail("id", .format, "is '\(own)', which is a path of its own") }
        return own
    }
}
