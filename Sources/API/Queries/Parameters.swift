internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// The query parameters of a request.
///
/// A route declares every name; others are refused before any work is done.
struct Parameters {
    /// The most values of a parameter, and the most names in a query.
    private static let most = 100

    private let given: [Given]

    /// A parameter of the request.
    private struct Given {
        let name: String
        let value: String
        /// Further values, if the parameter is repeated.
        var more: [String] = []

        var values: [String] { [value] + more }
    }

    /// - Throws: ``Problem`` for a name that is not in `known`, one that is repeated without permission, or a value
    ///   that is not UTF-8 in percent encoding.
    init(query: String?, known: [String], repeatable: Set<String> = []) throws(Problem) {
        var given: [Given] = []
        for pair in Array((query ?? "").utf8).split(separator: UInt8(ascii: "&")) {
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let written = PercentEncoding.decoded(pair[..<mark]),
                let value = PercentEncoding.decoded(pair[mark...].dropFirst())
            else {
                let text = String(decoding: pair, as: UTF8.self)
                throw Problem(.invalidParameter, detail: "'\(text)' is not valid percent encoding of UTF-8.")
            }
            let name = Self.dotted(written, known)
            guard let declared = known.first(where: { Self.covers($0, name) }) else {
                let choice = known.isEmpty ? "none" : known.joined(separator: ", ")
                let advice = NearMiss.advice(for: name, among: known)
                throw Problem(
                    .unknownParameter, detail: "'\(name)' is not a parameter here\(advice); known: \(choice).")
            }
            if let index = given.firstIndex(where: { $0.name == name }) {
                guard repeatable.contains(declared) else {
                    throw Problem(.invalidParameter, detail: "'\(name)' is given more than once.")
                }
                given[index].more.append(value)
                continue
            }
            guard given.count < Self.most else {
                throw Problem(.invalidParameter, detail: "A query may have at most \(Self.most) different parameters.")
            }
            given.append(Given(name: name, value: value))
        }
        self.given = given
    }

    /// Creates no parameters; the route parses its query itself.
    init() { given = [] }

    /// Returns `attr.name` for `attr[name]`, as clients write it that are generated from the description (`deepObject`).
    private static func dotted(_ name: String, _ known: [String]) -> String {
        guard let opening = name.utf8.firstIndex(of: UInt8(ascii: "[")), known.contains("\(name[..<opening]).*"),
            let closing = name[opening...].utf8.firstIndex(of: UInt8(ascii: "]"))
        else { return name }
        let rest = name.utf8.index(after: closing)
        return "\(name[..<opening]).\(name[name.utf8.index(after: opening)..<closing])\(name[rest...])"
    }

    /// Whether a declared name, which may end in the wildcard `*`, matches a parameter.
    ///
    /// It compares bytes, because a character may combine the name's last one with what follows, such as an accent.
    static func covers(_ declared: String, _ name: String) -> Bool {
        declared == name
            || declared.utf8.last == UInt8(ascii: "*") && name.utf8.starts(with: declared.utf8.dropLast())
    }

    /// The problem of an invalid value; `value` is the invalid one of several.
    func invalid(_ name: String, _ expected: String, value: String? = nil) -> Problem {
        let value = value ?? text(name) ?? ""
        // The offset of a time, if its '+' was not encoded.
        let advice = value.prefix(80).contains(/[0-9] [0-9]{2}:[0-9]{2}/) ? " ('+' is a space here: write %2B)" : ""
        return Problem(
            .invalidParameter, detail: "'\(name)' is '\(value)'; must be \(expected)\(advice).",
            errors: [FieldError(pointer: "?\(name)", code: .format, detail: "must be \(expected)\(advice)")])
    }

    /// The problem of an invalid number.
    private func noNumber(_ name: String, _ expected: String) -> Problem {
        let hasComma = text(name)?.replacing(",", with: ".").decimalNumber != nil && text(name)?.decimalNumber == nil
        return invalid(name, hasComma ? "\(expected), with a decimal point" : expected)
    }

    func missing(_ name: String) -> Problem {
        Problem(
            .invalidParameter, detail: "'\(name)' is required.",
            errors: [FieldError(pointer: "?\(name)", code: .required, detail: "is required")])
    }

    /// All parameters except those named, as bytes independent of their order and encoding.
    func canonical(without left: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        for parameter in given.filter({ !left.contains($0.name) }).sorted(by: { $0.name < $1.name }) {
            for value in parameter.values {
                bytes.append(contentsOf: parameter.name.utf8)
                // These bytes do not occur in UTF-8, so different parameters never give the same bytes.
                bytes.append(0xFF)
                bytes.append(contentsOf: value.utf8)
                bytes.append(0xFE)
            }
        }
        return bytes
    }

    /// The names of the parameters with a prefix, sorted.
    func names(beginningWith prefix: String) -> [String] {
        given.lazy.map(\.name).filter { $0.utf8.starts(with: prefix.utf8) }.sorted()
    }

    // MARK: - Values

    func text(_ name: String) -> String? { given.first { $0.name == name }?.value }

    /// The values of a parameter that are not empty.
    ///
    /// - Throws: ``Problem`` for more than a hundred.
    func texts(_ name: String) throws(Problem) -> [String] { try values(name).filter { !$0.isEmpty } }

    /// The values of a parameter, which may be repeated or hold several, separated by commas.
    ///
    /// - Throws: ``Problem`` for more than a hundred.
    func values(_ name: String) throws(Problem) -> [String] {
        var texts: [Substring] = []
        for value in given.first(where: { $0.name == name })?.values ?? [] {
            texts += value.split(separator: ",", maxSplits: Self.most, omittingEmptySubsequences: false)
            guard texts.count <= Self.most else {
                let fault = FieldError(
                    pointer: "?\(name)", code: .tooMany, detail: "has more than \(Self.most) values")
                throw Problem(.invalidParameter, detail: "'\(name)' \(fault.detail).", errors: [fault])
            }
        }
        return texts.map(String.init)
    }

    /// The values of a parameter, converted by `read`.
    ///
    /// - Throws: ``Problem`` for more than a hundred values, and for the first that `read` returns nil for.
    func values<Value>(
        _ name: String, _ expected: String, _ read: (String) -> Value?
    ) throws(Problem) -> [Value] {
        var all: [Value] = []
        for text in try values(name) {
            guard let value = read(text) else { throw invalid(name, expected, value: text) }
            all.append(value)
        }
        return all
    }

    func number(_ name: String, _ range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let text = text(name) else { return nil }
        guard let number = text.decimalNumber, range.contains(number) else {
            throw noNumber(name, "a number from \(short(range.lowerBound)) to \(short(range.upperBound))")
        }
        return number
    }

    private func short(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
    }

    func integer(_ name: String, _ range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw invalid(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func id<Thing>(_ name: String) throws(Problem) -> ID<Thing>? {
        guard let text = text(name) else { return nil }
        guard let id = try? ID<Thing>(text) else { throw invalid(name, "an id") }
        return id
    }

    func flag(_ name: String) throws(Problem) -> Bool? {
        switch text(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw invalid(name, "true or false")
        }
    }

    func limit(_ range: ClosedRange<Int64> = 1...100, default standard: Int64 = 20) throws(Problem) -> Int {
        Int(try integer("limit", range) ?? standard)
    }

    func words<Word: RawRepresentable<String> & CaseIterable & Hashable>(_ name: String) throws(Problem) -> Set<Word> {
        let choice = Word.allCases.map(\.rawValue).joined(separator: ", ")
        return Set(try values(name, "one or several of \(choice)", Word.init(rawValue:)))
    }

    /// The position in `lat` and `lon`, which are both required.
    func place() throws(Problem) -> Coordinate {
        for name in ["lat", "lon"] where text(name) == nil { throw missing(name) }
        guard let latitude = text("lat")?.decimalNumber else { throw noNumber("lat", "degrees from -90 to 90") }
        guard let longitude = text("lon")?.decimalNumber else {
            throw noNumber("lon", "degrees from -180 to 180")
        }
        do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
            let field = error.fieldError("?")
            throw Problem(.invalidParameter, detail: "\(field.pointer.dropFirst()) \(field.detail)", errors: [field])
        }
    }

    /// The position in one parameter, as `lat,lon`; nil if it is not given.
    func place(in name: String) throws(Problem) -> Coordinate? {
        guard let text = text(name) else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.decimalNumber }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            throw invalid(name, "lat,lon in degrees, such as 39.47,-0.376")
        }
        do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
            let axis = error.fieldError("")
            let field = FieldError(pointer: "?\(name)", code: axis.code, detail: "\(axis.pointer) \(axis.detail)")
            throw Problem(.invalidParameter, detail: "'\(name)': \(field.detail)", errors: [field])
        }
    }

    /// The columns in `fields`; nil for all.
    func columns(of known: [String]) throws(Problem) -> Set<String>? {
        guard text("fields") != nil else { return nil }
        let columns = try texts("fields")
        guard !columns.isEmpty, columns.allSatisfy(known.contains) else {
            throw invalid("fields", "a list of \(known.joined(separator: ", "))")
        }
        return Set(columns)
    }

    /// An interval `from/to` of times, half-open, with `..` for an open end; all time if it is not given.
    func interval(_ name: String) throws(Problem) -> Range<Timestamp> {
        let first = Timestamp(milliseconds: 0)
        let end = Timestamp(milliseconds: Timestamp.latest.milliseconds + 1)
        guard let text = text(name) else { return first..<end }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let from = parts.first == ".." ? first : parts.first.flatMap { Timestamp(rfc3339: $0) }
        let to = parts.last == ".." ? end : parts.last.flatMap { Timestamp(rfc3339: $0) }
        guard parts.count == 2, let from, let to, from <= to else {
            throw invalid(name, "'from/to' with RFC 3339 times, '../to' or 'from/..'")
        }
        return from..<to
    }
}
