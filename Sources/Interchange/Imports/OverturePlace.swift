/// A place of Overture Maps, whose name, category, brand and address are objects
/// (https://docs.overturemaps.org/schema/reference/places/place/).
struct OverturePlace {
    /// The members with texts in place of these objects; other rows are unchanged.
    private(set) var members: [String: JSON]
    /// The members whose objects are not read, such as `sources`.
    private(set) var unread: [String] = []

    private static let address = [
        "freeform": "address", "locality": "city", "postcode": "zip", "region": "state", "country": "country",
    ]

    init(_ members: [String: JSON]) {
        self.members = members
        guard let name = members["names"]?.member("primary") else { return }
        take("names", ["primary"], as: "name", name)
        if let category = members["categories"]?.member("primary") {
            take("categories", ["primary"], as: "category", category)
            self.members["tags"] = members["categories"]?.member("alternate")
        }
        if let brand = members["brand"]?.member("names")?.member("primary") {
            take("brand", ["names"], as: "brand", brand)
        }
        if case .list(let addresses)? = members["addresses"], let first = addresses.first {
            self.members["addresses"] = nil
            for (part, field) in Self.address { self.members[field] = first.member(part) }
            if addresses.count > 1 { unread.append("addresses") }
        }
        for (name, value) in self.members where value.isNested {
            self.members[name] = nil
            unread.append(name)
        }
    }

    /// Replaces an object by one of its values.
    private mutating func take(_ name: String, _ read: Set<String>, as field: String, _ value: JSON) {
        if case .object(let object)? = members[name], object.contains(where: { Self.isLost($0, $1, read) }) {
            unread.append(name)
        }
        members[name] = nil
        members[field] = value
    }

    private static func isLost(_ name: String, _ value: JSON, _ read: Set<String>) -> Bool {
        value != .null && !read.contains(name) && name != "alternate"
    }
}

extension JSON {
    /// A member of an object; nil if it is missing or null.
    fileprivate func member(_ name: String) -> JSON? {
        guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
        return value
    }

    /// Whether it is an object, or a list with one.
    fileprivate var isNested: Bool {
        switch self {
        case .object: true
        case .list(let items): items.contains { if case .object = $0 { true } else { false } }
        case .null, .flag, .number, .text: false
        }
    }
}
