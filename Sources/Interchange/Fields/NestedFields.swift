/// Fields that are objects or lists of objects.
extension Fields {
    /// Lets `body` read a field that is an object, if it is present, and rejects the members that it did not read.
    package mutating func object(_ name: String, _ body: (inout Fields) -> Void) {
        guard let value = json(name) else { return }
        guard case .object(let members) = written(name) ?? value else { return mistyped(name, value, "an object") }
        var own = Fields(members, at: "\(pointer)/\(name)")
        body(&own)
        own.refuseOthers()
        adopt(own.errors)
    }

    /// The object of a field, which a table holds as JSON text in a cell; nil if that text is invalid JSON.
    private func written(_ name: String) -> JSON? {
        guard form.isImport, case .text(let text)? = peek(name), Self.isObject(.text(text)) else { return peek(name) }
        return try? JSON(text.utf8)
    }

    /// Whether an import's value is an object or looks like the JSON text of one.
    static func isObject(_ value: JSON) -> Bool {
        switch value {
        case .object: true
        case .text(let text): text.utf8.first == UInt8(ascii: "{")
        default: false
        }
    }

    /// Reads the objects of a list with `read`.
    package mutating func objects<Item>(_ name: String, atMost most: Int, _ read: (inout Fields) -> Item?) -> [Item] {
        guard let value = json(name) else { return [] }
        guard case .list(let list) = value else {
            mistyped(name, value, "an array of objects")
            return []
        }
        guard list.count <= most else {
            tooMany(name, list.count, most)
            return []
        }
        var items: [Item] = []
        for (index, value) in list.enumerated() {
            guard case .object(let members) = value else {
                fail(name, at: "\(index)", .type, "is \(value.kind); must be an object")
                continue
            }
            var own = Fields(members, at: "\(pointer)/\(name)/\(index)")
            if let item = read(&own) { items.append(item) }
            own.refuseOthers()
            adopt(own.errors)
        }
        return items
    }
}
