internal import Interchange

/// A schema of JSON values (JSON Schema 2020-12).
struct Schema: Sendable {
    /// The schema's JSON; a reference if it has a name.
    private(set) var json: [String: JSON]
    /// The named schemas that it refers to, directly or indirectly.
    private(set) var components: [String: [String: JSON]] = [:]

    private init(_ json: [String: JSON], naming others: [Schema] = []) {
        self.json = json
        for other in others { components.merge(other.components) { own, _ in own } }
    }

    /// Returns a reference to the schema, which is written once under a name.
    func named(_ name: String) -> Schema {
        var schema = Schema(["$ref": .text("#/components/schemas/\(name)")], naming: [self])
        schema.components[name] = json
        return schema
    }

    /// Returns the schema with a description.
    func described(_ text: String) -> Schema { with("description", .text(text)) }

    /// Returns the schema with another keyword.
    ///
    /// A reference moves into `allOf`, because generators of clients refuse other keywords beside it.
    func with(_ keyword: String, _ value: JSON) -> Schema {
        var schema = self
        if let reference = json["$ref"] { schema.json = ["allOf": .list([.object(["$ref": reference])])] }
        schema.json[keyword] = value
        return schema
    }

    /// The schema, or `null` for no value.
    var orNull: Schema {
        // An unrestricted schema includes null.
        guard !json.isEmpty else { return self }
        if case .text(let type)? = json["type"], json["const"] == nil {
            let schema = with("type", .list([.text(type), .text("null")]))
            guard case .list(let words)? = json["enum"] else { return schema }
            return schema.with("enum", .list(words + [.null]))
        }
        return .either(self, Self.null)
    }

    private static let null = Schema(["type": .text("null")])

    /// Returns the schema with members that must be given together or not at all.
    func together(_ names: String...) -> Schema {
        restricted(to: [Self.missing(names), Self.given(names)])
    }

    /// Returns the schema with members that exclude each other.
    func apart(_ names: String...) -> Schema {
        restricted(to: names.map { name in Self.missing(names.filter { $0 != name }) })
    }

    /// Returns the schema with a member that excludes all of some others.
    func apart(from name: String, _ others: [String]) -> Schema {
        restricted(to: [Self.missing([name]), Self.missing(others.sorted())])
    }

    /// Returns the schema with members of which at least one must be given.
    func some(_ names: String...) -> Schema { restricted(to: names.map { Self.given([$0]) }) }

    private static func missing(_ names: [String]) -> [String: JSON] {
        ["properties": .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .object(null.json)) }))]
    }

    private static func given(_ names: [String]) -> [String: JSON] {
        let given = JSON.object(["not": .object(null.json)])
        return [
            "required": .list(names.map(JSON.text)),
            "properties": .object(Dictionary(uniqueKeysWithValues: names.map { ($0, given) })),
        ]
    }

    /// Returns the schema restricted to these alternatives.
    private func restricted(to choices: [[String: JSON]]) -> Schema {
        let all: [JSON] = if case .list(let own)? = json["allOf"] { own } else { [] }
        return with("allOf", .list(all + [.object(["anyOf": .list(choices.map(JSON.object))])]))
    }

    // MARK: - Values

    static let anything = Schema([:])
    static let flag = Schema(["type": .text("boolean")])
    /// An id: printable ASCII, and not `.` or `..`.
    static let id = text(pattern: "^(?!\\.\\.?$)[!-~]{1,128}$")
    /// An id in a parameter, where a comma separates several.
    static let listedID = text(pattern: "^(?!\\.\\.?$)[!-+.-~-]{1,128}$")
    /// A time (RFC 3339), from 1970 to 9999.
    static let time = text(pattern: "^(19[7-9][0-9]|[2-9][0-9]{3})-", format: "date-time")
    static let date = text(format: "date")
    /// The code of a currency (ISO 4217).
    static let currency = text(pattern: "^[A-Z]{3}$")
    static let url = text(0...2000, pattern: "^https?://[^\\u0000-\\u001f\\u007f]*$")

    /// A text whose number of characters is in a range.
    static func text(
        _ length: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil
    ) -> Schema {
        var schema = Schema(["type": .text("string")])
        if let length {
            if length.lowerBound > 0 { schema.json["minLength"] = .number(Double(length.lowerBound)) }
            schema.json["maxLength"] = .number(Double(length.upperBound))
        }
        schema.json["pattern"] = pattern.map(JSON.text)
        schema.json["format"] = format.map(JSON.text)
        return schema
    }

    /// A text of a body, without control characters except line breaks and tabs.
    static func prose(_ length: ClosedRange<Int>) -> Schema {
        text(length, pattern: "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$")
    }

    static func number(_ range: ClosedRange<Double>? = nil) -> Schema {
        var schema = Schema(["type": .text("number")])
        schema.json["minimum"] = range.map { .number($0.lowerBound) }
        schema.json["maximum"] = range.map { .number($0.upperBound) }
        return schema
    }

    static func integer(_ range: ClosedRange<Int64>? = nil) -> Schema {
        var schema = Schema(["type": .text("integer")])
        schema.json["minimum"] = range.map { .number(Double($0.lowerBound)) }
        schema.json["maximum"] = range.map { .number(Double($0.upperBound)) }
        return schema
    }

    static let count = integer().with("minimum", .number(0))

    static func words(_ words: [String]) -> Schema {
        Schema(["type": .text("string"), "enum": .list(words.map(JSON.text))])
    }

    static func word<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> Schema {
        words(Word.allCases.map(\.rawValue))
    }

    // MARK: - Values that hold others

    static func list(of item: Schema, atLeast least: Int? = nil, atMost most: Int? = nil) -> Schema {
        var schema = Schema(["type": .text("array"), "items": .object(item.json)], naming: [item])
        schema.json["minItems"] = least.map { .number(Double($0)) }
        schema.json["maxItems"] = most.map { .number(Double($0)) }
        return schema
    }

    /// An object with any member names.
    static func map(of value: Schema, count: ClosedRange<Int>? = nil) -> Schema {
        var schema = Schema(["type": .text("object"), "additionalProperties": .object(value.json)], naming: [value])
        if let count {
            schema.json["minProperties"] = .number(Double(count.lowerBound))
            schema.json["maxProperties"] = .number(Double(count.upperBound))
        }
        return schema
    }

    /// An object of an answer, which may get further members in later versions.
    static func object(_ members: [String: Schema], required: [String] = []) -> Schema {
        var schema = Schema(
            ["type": .text("object"), "properties": .object(members.mapValues { .object($0.json) })],
            naming: Array(members.values))
        if !required.isEmpty { schema.json["required"] = .list(required.map(JSON.text)) }
        return schema
    }

    /// An object of a request: unknown members are refused, and null counts as not given.
    ///
    /// Members in `lasting` are not required, but cannot be removed by `null`.
    static func form(_ members: [String: Schema], required: [String] = [], lasting: [String] = []) -> Schema {
        let pairs = members.map { ($0.key, (required + lasting).contains($0.key) ? $0.value : $0.value.orNull) }
        return object(Dictionary(uniqueKeysWithValues: pairs), required: required)
            .with("additionalProperties", .flag(false))
    }

    static func either(_ schemas: Schema...) -> Schema {
        Schema(["anyOf": .list(schemas.map { .object($0.json) })], naming: schemas)
    }
}
