internal import Discovery
internal import Interchange
internal import Model

/// What callers are told of a parameter of a query.
protocol QueryParameter: Sendable {
    /// Its name; one that ends in `*` stands for all names that begin so.
    var name: String { get }
    /// What it does, with its unit.
    var summary: String { get }
    var schema: Schema { get }
    var isRequired: Bool { get }
    /// Whether it may be given several times.
    var isRepeatable: Bool { get }
}

/// A parameter of a query: what callers are told of it, and how it is read.
///
/// Who reads it does so by this declaration (`call[parameter]`), so that the two cannot differ.
struct Parameter<Value>: QueryParameter {
    let name: String
    let summary: String
    let schema: Schema
    var isRequired = false
    var isRepeatable = false
    /// The same, which must be given.
    var required: Parameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }

    fileprivate let read: @Sendable (Call) throws(Problem) -> Value

    /// A parameter that `read` reads.
    init(
        _ name: String, _ summary: String, _ schema: Schema, isRequired: Bool = false, isRepeatable: Bool = false,
        read: @escaping @Sendable (Call) throws(Problem) -> Value
    ) {
        (self.name, self.summary, self.schema, self.read) = (name, summary, schema, read)
        (self.isRequired, self.isRepeatable) = (isRequired, isRepeatable)
    }
}

extension Call {
    /// What the query says of a parameter.
    ///
    /// - Throws: ``Problem`` for a value that it cannot have.
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

    /// Words or a name that is looked for, of at most so many bytes.
    static func searched(_ name: String, longest: Int, _ summary: String) -> Parameter {
        Parameter(name, summary, .text(0...longest)) { call throws(Problem) in
            try call.searched(name, longest: longest)
        }
    }
}

extension Parameter {
    /// Several values of a form: the parameter may be repeated, and each may hold several, separated by commas; at most 100.
    ///
    /// `thing` is what a refusal says that each must be, and `read` gives nil for one that is not.
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
    /// Several values of any form; empty ones say nothing.
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
    /// One that is false unless it is given.
    static func flag(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, summary, .flag.with("default", .flag(false))) { call throws(Problem) in
            try call.query.flag(name) ?? false
        }
    }
}

extension Parameter where Value == Range<Timestamp> {
    /// An interval of times; all time if it is not given.
    static func interval(_ name: String, _ summary: String) -> Parameter {
        let form = Schema.text(pattern: "^(\\.\\.|[^/]+)/(\\.\\.|[^/]+)$")
        return Parameter(name, "\(summary): `from/to`, `../to` or `from/..`, of RFC 3339 times", form) {
            call throws(Problem) in try call.query.interval(name)
        }
    }
}

extension Parameter where Value == Timestamp? {
    /// An instant that has passed; nil for the present.
    static func past(_ name: String, _ summary: String) -> Parameter {
        Parameter(name, "\(summary); or `now`", .either(.time, .words([Call.now]))) { call throws(Problem) in
            try call.pastInstant(name)
        }
    }
}

extension Parameter {
    /// `thing` is what the name of a refusal says: an id, or the id of a person.
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
    /// The order of a list; `expected` is what a refusal says that it must be.
    static func order(_ standard: Value, _ expected: String? = nil) -> Parameter {
        let schema = Schema.word(Value.self).with("default", .text(standard.rawValue))
        return Parameter("sort", "the order", schema) { call throws(Problem) in
            guard let text = call.query.text("sort") else { return standard }
            guard let word = Value(rawValue: text) else {
                let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
                throw call.query.invalid("sort", expected ?? "one of \(words)")
            }
            return word
        }
    }
}

// MARK: - Pages

/// The parameters by which lists are read page by page.
enum Paging {
    static let limit = limit(100, standard: 20)
    /// That of what is drawn on a map.
    static let mapLimit = limit(1000, standard: 20)
    /// That of lists of short items.
    static let longLimit = limit(1000, standard: 100)
    static let cursor = Parameter.text("cursor", "the `cursor` of the page before")

    static func limit(_ most: Int64, standard: Int64) -> Parameter<Int> {
        let schema = Schema.integer(1...most).with("default", .number(Double(standard)))
        return Parameter("limit", "how many items, at most", schema) { call throws(Problem) in
            try call.query.limit(1...most, default: standard)
        }
    }

    /// Which of these members are written; nil for all.
    static func fields(_ columns: [String]) -> Parameter<Set<String>?> {
        let schema = Schema.list(of: .words(columns), atLeast: 1)
        return Parameter("fields", "the members that are wanted, separated by commas", schema) { call throws(Problem) in
            try call.query.columns(of: columns)
        }
    }
}
