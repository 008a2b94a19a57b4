internal import Hours
package import Model

extension Place {
    /// Maximum number of vertices in the area of a service's place.
    package static let mostVertices = 10_000

    /// Reads a place whose area has at most `vertices` vertices; unknown fields of an import become attributes.
    package init?(_ fields: inout Fields, id: PlaceID? = nil, vertices: Int = Self.mostVertices) {
        guard let id = fields.ownID(id, reserved: ["nearest", "facets"]) else { return nil }
        let kind = fields.requiredText("kind", longest: 64)
        let name = fields.requiredText("name", longest: 500)
        self.init(id: id, kind: kind ?? "", name: name ?? "")
        coordinate = fields.coordinate()
        address = fields.text("address", longest: 1000)
        category = fields.text("category", longest: 100)
        tags = fields.texts("tags")
        hours = fields.text("hours", longest: 1000)
        timezone = fields.text("timezone", longest: 64)
        if let timezone, !WallClock.isZone(timezone) {
            fields.fail("timezone", .format, "is '\(timezone)', which is not an IANA time zone")
        }
        owner = fields.optionalID("owner")
        area = fields.placeArea(vertices: vertices)
        fields.skip(Self.derived)
        if !fields.form.isImport { fields.skip(Self.noted) }
        attributes = fields.allAttributes()
    }

    /// Members that responses add to the document, and that are ignored in a document sent back.
    private static let derived = ["hours_understood", "hours_on_holidays", "hours_warnings", "timezone_guessed"]

    /// Members that lists add; not ignored in an import, where a table may have columns with these names.
    private static let noted = ["created", "favourites", "city"]
}
