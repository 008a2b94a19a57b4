internal import Interchange

/// What a JSON value may be, as JSON Schema (2020-12) says it.
struct Schema: Sendable {
    /// The schema as it is written; one with a name as a reference to that.
    private(set) var json: [String: JSON]
    /// The named schemas that it refers to, also by way of others.
    private(set) var components: [String: [String: JSON]] = [:]

    private init(_ json: [String: JSON], naming others: [Schema] = []) {
        self.json = json
        for other in others { components.merge(other.components) { own, _ in own } }
    }

    /// The same, written once under a name and referred to by it.
    func named(_ name: String) -> Schema {
        var schema = Schema(["$ref": .text("#/components/schemas/\(name)")], naming: [self])
        schema.components[name] = json
        return schema
    }

    /// The same with what it means.
    func described(_ text: String) -> Schema { with("description", .text(text)) }

    /// The same with another keyword.
    func with(_ keyword: String, _ value: JSON) -> Schema {
        var schema = self
        schema.json[keyword] = value
        return schema
    }

    /// The same, where `null` says that there is none.
    var orNull: Schema {
        // Null is among whatever there is.
        guard !json.isEmpty else { return self }
        if case .text(let type)? = json["type"], json["enum"] == nil, json["const"] == nil {
            return with("type", .list([.text(type), .text("null")]))
        }
        return .either(self, Self.null)
    }

    private static let null = Schema(["type": .text("null")])

    /// The same, in which these members are either all given or none of them.
    func together(_ names: String...) -> Schema {
        restricted(to: [Self.missing(names), Self.given(names)])
    }

    /// The same, in which these members exclude each other.
    func apart(_ names: String...) -> Schema {
        restricted(to: names.map { name in Self.missing(names.filter { $0 != name }) })
    }

    /// The same, in which a member excludes all of some others.
    func apart(from name: String, _ others: [String]) -> Schema {
        restricted(to: [Self.missing([name]), Self.missing(others.sorted())])
    }

    /// The same, in which at least one of these members is given.
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

    /// The same, which is one of these too.
    private func restricted(to choices: [[String: JSON]]) -> Schema {
        let all: [JSON] = if case .list(let own)? = json["allOf"] { own } else { [] }
        return with("allOf", .list(all + [.object(["anyOf": .list(choices.map(JSON.object))])]))
    }

    // MARK: - Values

    /// Whatever there is.
    static let anything = Schema([:])
    static let flag = Schema(["type": .text("boolean")])
    /// How a thing is named: printable ASCII.
    static let id = text(pattern: "^[!-~]{1,128}$")
    /// One of several in a parameter, where a comma ends it.
    static let listedID = text(pattern: "^[!-+.-~-]{1,128}$")
    /// An instant (RFC 3339), from 1970 to 9999.
    static let time = text(pattern: "^(19[7-9][0-9]|[2-9][0-9]{3})-", format: "date-time")
    static let date = text(format: "date")
    /// The code of a currency (ISO 4217).
    static let currency = text(pattern: "^[A-Z]{3}$")
    static let url = text(0...2000, pattern: "^https?://[^\\u0000-\\u001f\\u007f]*$")

    /// A text with so many characters.
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

    /// A text of a body, which has no control characters but line breaks and tabs.
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

    /// How many there are of something.
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

    /// An object with names of any kind.
    static func map(of value: Schema) -> Schema {
        Schema(["type": .text("object"), "additionalProperties": .object(value.json)], naming: [value])
    }

    /// An object of an answer, which may get more members with time.
    static func object(_ members: [String: Schema], required: [String] = []) -> Schema {
        var schema = Schema(
            ["type": .text("object"), "properties": .object(members.mapValues { .object($0.json) })],
            naming: Array(members.values))
        if !required.isEmpty { schema.json["required"] = .list(required.map(JSON.text)) }
        return schema
    }

    /// An object of a request: members that it does not know are refused, and one that is null counts as not given.
    ///
    /// Members of `lasting` are not required, but cannot be taken away by `null`.
    static func form(_ members: [String: Schema], required: [String] = [], lasting: [String] = []) -> Schema {
        let pairs = members.map { ($0.key, (required + lasting).contains($0.key) ? $0.value : $0.value.orNull) }
        return object(Dictionary(uniqueKeysWithValues: pairs), required: required)
            .with("additionalProperties", .flag(false))
    }

    static func either(_ schemas: Schema...) -> Schema {
        Schema(["anyOf": .list(schemas.map { .object($0.json) })], naming: schemas)
    }
}
