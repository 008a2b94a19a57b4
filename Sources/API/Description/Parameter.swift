internal import Discovery
internal import Interchange
internal import Model

/// The description of a query parameter.
protocol QueryParameter: Sendable {
    /// Its name, which may end in the wildcard `*`.
    var name: String { get }
    /// Its meaning, with the unit.
    var summary: String { get }
    var schema: Schema { get }
    var isRequired: Bool { get }
    /// Whether it may be repeated.
    var isRepeatable: Bool { get }
}

/// A query parameter with its description and its parser.
///
/// Routes read it through this declaration (`call[parameter]`), so that the two cannot differ.
struct Parameter<Value>: QueryParameter {
    let name: String
    let summary: String
    private(set) var schema: Schema
    var isRequired = false
    var isRepeatable = false
    /// The parameter as a required one.
    var required: Parameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }

    /// Returns the parameter with an example in the sample data.
    func example(_ value: JSON) -> Parameter {
        var parameter = self
        parameter.schema = schema.with("examples", .list([value]))
        return parameter
    }

    fileprivate let read: @Sendable (Call) throws(Problem) -> Value

    /// Creates a parameter that `read` parses.
    init(
        _ name: String, _ summary: String, _ schema: Schema, isRequired: Bool = false, isRepeatable: Bool = false,
        read: @escaping @Sendable (Call) throws(Problem) -> Value
    ) {
        (self.name, self.summary, self.schema, self.read) = (name, summary, schema, read)
        (self.isRequired, self.isRepeatable) = (isRequired, isRepeatable)
    }
}

extension Call {
    /// The value of a query parameter.
    ///
    /// - Throws: ``Problem`` for an invalid value.
    subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        get throws(Problem) { try parameter.read(self) }
    }
}

// MARK: - Kinds

extension Parameter where Value == String? {
    static func text(
        _ name: String, _ summary: String, _ schema: Schema = .text(), isRequired: Bool = false
    ) -> Parameter {
        Parameter(name, summary, schema, isRequired: isRequired) { $0.query.text(name) }
    }

    /// A search text of at most `longest` bytes.
    static func searched(_ name: String, longest: Int, _ summary: String) -> Parameter {
        Parameter(name, summary, .text(0...longest)) { call throws(Problem) in
            try call.searched(name, longest: longest)
        }
    }
}

extension Parameter {
    /// A list of values: the parameter may be repeated, and each may hold several, separated by commas; at most 100.
    ///
    /// `thing` describes a valid value in errors, and `read` returns nil for an invalid one.
    static func values<Item>(
        _ name: String, _ summary: String, _ item: Schema, as thing: String,
        _ read: @escaping @Sendable (String) -> Item?
    ) -> Parameter where Value == [Item] {
        Parameter(name, summary, .list(of: item, atMost: 100), isRepeatable: true) { call throws(Problem) in
            try call.query.values(name, thing, read)
        }
    }
}

extension Parameter where Value == [String] {
    /// A list of any texts; empty ones are ignored.
    static func texts(_ name: String, _ summary: String) -> Parameter {
        let schema = Schema.list(of: .text(pattern: "^[^,]*$"), atMost: 100)
        return Parameter(name, summary, schema, isRepeatable: true) { call throws(Problem) in
            try call.query.texts(name)
        }
    }
}

extension Parameter where Value == Double? {
    static func number(_ name: String, _ range: ClosedRange<Double>, _ summary: String) -> Parameter {
        Parameter(name, summary, .number(range)) { call throws(Problem) in try call.query.number(name, range) }
    }
}

extension Parameter where Value == Int64? {
    static func integer(_ name: String, _ range: ClosedRange<Int64>, _ summary: String) -> Parameter {
        Parameter(name, summary, .integer(range)) { call throws(Problem) in try call.query.integer(name, range) }
    }
}

extension Parameter where Value == Bool {
    /// A flag that is false by default.
    static func flag(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, summary, .flag.with("default", .flag(false))) { call throws(Problem) in
            try call.query.flag(name) ?? false
        }
    }
}

extension Parameter where Value == Range<Timestamp> {
    /// A time interval; all time by default.
    static func interval(_ name: String, _ summary: String) -> Parameter {
        let form = Schema.text(pattern: "^(\\.\\.|[^/]+)/(\\.\\.|[^/]+)$")
        return Parameter(name, "\(summary): `from/to`, `../to` or `from/..`, of RFC 3339 times", form) {
            call throws(Problem) in try call.query.interval(name)
        }
    }
}

extension Parameter where Value == Timestamp? {
    /// A time in the past; nil for the present.
    static func past(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, "\(summary); or `now`", .either(.time, .words([Call.now]))) { call throws(Problem) in
            try call.pastInstant(name)
        }
    }
}

extension Parameter {
    /// An id; `thing` describes it in errors.
    static func id<Thing>(
        _ name: String, _ summary: String, as thing: String = "an id"
    ) -> Parameter where Value == ID<Thing>? {
        Parameter(name, summary, .id) { call throws(Problem) in
            guard let text = call.query.text(name) else { return nil }
            guard let id = try? ID<Thing>(text) else { throw call.query.invalid(name, thing) }
            return id
        }
    }

    /// Words of an enumeration.
    static func words<Word>(
        _ name: String, _ summary: String
    ) -> Parameter where Value == Set<Word>, Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
        Parameter(name, summary, .list(of: .word(Word.self)), isRepeatable: true) { call throws(Problem) in
            try call.query.words(name)
        }
    }

}

extension Parameter where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// The order of a list; `expected` describes it in errors.
    ///
    /// `relevance` needs `q`, and is the default with it.
    static func order(_ standard: Value, _ expected: String? = nil, withWords relevance: Value? = nil) -> Parameter {
        let summary = relevance.map { "the order; with `q` by default `\($0.rawValue)`, else `\(standard.rawValue)`" }
        let schema = Schema.word(Value.self)
        return Parameter(
            "sort", summary ?? "the order",
            relevance == nil ? schema.with("default", .text(standard.rawValue)) : schema
        ) { call throws(Problem) in
            let hasWords = call.query.text("q") != nil
            guard let text = call.query.text("sort") else { return hasWords ? relevance ?? standard : standard }
            guard let word = Value(rawValue: text) else {
                let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
                throw call.query.invalid("sort", expected ?? "one of \(words)")
            }
            guard hasWords || text != relevance?.rawValue else {
                throw call.query.invalid("sort", "another order without 'q'")
            }
            return word
        }
    }
}

// MARK: - Pages

/// The parameters of paged lists.
enum Paging {
    static let limit = limit(100, standard: 20)
    /// The limit of lists that are drawn on a map.
    static let mapLimit = limit(1000, standard: 20)
    /// The limit of lists of short items.
    static let longLimit = limit(1000, standard: 100)
    static let cursor = Parameter.text("cursor", "the `cursor` of the previous page")

    static func limit(_ most: Int64, standard: Int64) -> Parameter<Int> {
        let schema = Schema.integer(1...most).with("default", .number(Double(standard)))
        return Parameter("limit", "the maximum number of items", schema) { call throws(Problem) in
            try call.query.limit(1...most, default: standard)
        }
    }

    /// The members to write; nil for all.
    static func fields(_ columns: [String]) -> Parameter<Set<String>?> {
        let schema = Schema.list(of: .words(columns), atLeast: 1)
        return Parameter("fields", "the members to return, separated by commas", schema) { call throws(Problem) in
            try call.query.columns(of: columns)
        }
    }
}
