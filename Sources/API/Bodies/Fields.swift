internal import Foundation
internal import Geo
internal import Storage

/// Reads the fields of one object and remembers everything that is wrong with them, so that all of it is told at once.
///
/// The object came as JSON, or as a row of a table, in which numbers, truth values and lists are written as text.
struct Fields {
    enum Form { case json, table }

    private let members: [String: JSON]
    private let pointer: String
    private let form: Form
    private var unread: Set<String>
    private(set) var errors: [FieldError] = []

    /// - Parameter pointer: the JSON pointer of the object.
    init(_ members: [String: JSON], at pointer: String = "", form: Form = .json) {
        self.members = members.filter { $0.value != .null && !(form == .table && $0.value == .text("")) }
        self.pointer = pointer
        self.form = form
        unread = Set(self.members.keys)
    }

    /// Reads the object of a body.
    ///
    /// - Throws: ``Problem`` when it is something else.
    init(_ json: JSON, at pointer: String = "") throws(Problem) {
        guard case .object(let members) = json else {
            throw .invalid([FieldError(pointer: pointer, code: .type, detail: "is \(json.kind); expected is an object")]
            )
        }
        self.init(members, at: pointer)
    }

    // MARK: - Faults

    mutating func fail(_ name: String, _ code: FieldError.Code, _ detail: String) {
        errors.append(FieldError(pointer: "\(pointer)/\(escaped(name))", code: code, detail: detail))
    }

    private func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private mutating func mistyped(_ name: String, _ value: JSON, _ expected: String) {
        fail(name, .type, "is \(value.kind); expected is \(expected)")
    }

    /// Refuses the fields that nobody read.
    mutating func refuseOthers() {
        for name in unread.sorted() { fail(name, .unknown, "is not a field here") }
        unread = []
    }

    /// The fields that nobody read.
    mutating func takeOthers() -> [String: JSON] {
        defer { unread = [] }
        return members.filter { unread.contains($0.key) }
    }

    /// The fault of everything read so far.
    func check() throws(Problem) {
        if !errors.isEmpty { throw .invalid(errors) }
    }

    /// Takes over faults that were found elsewhere.
    mutating func adopt(_ faults: [FieldError]) { errors += faults }

    // MARK: - Values

    func has(_ name: String) -> Bool { members[name] != nil }

    private mutating func take(_ name: String) -> JSON? {
        unread.remove(name)
        return members[name]
    }

    mutating func json(_ name: String) -> JSON? { take(name) }

    /// A text without control characters, except line breaks and tabs.
    mutating func text(_ name: String, longest: Int = 200) -> String? {
        guard let value = take(name) else { return nil }
        guard case .text(let text) = value else {
            mistyped(name, value, "a text")
            return nil
        }
        guard text.utf8.count <= longest else {
            fail(name, .tooLong, "has \(text.utf8.count) bytes; at most \(longest) are kept")
            return nil
        }
        guard
            !text.unicodeScalars.contains(where: {
                $0.value < 0x20 && !"\n\r\t".unicodeScalars.contains($0) || $0.value == 0x7f
            })
        else {
            fail(name, .format, "has a control character")
            return nil
        }
        return text
    }

    mutating func requiredText(_ name: String, longest: Int = 200) -> String? {
        require(name)
        guard let text = text(name, longest: longest) else { return nil }
        if text.isEmpty { fail(name, .required, "is empty") }
        return text
    }

    mutating func require(_ name: String) {
        if members[name] == nil { fail(name, .required, "is required") }
    }

    mutating func id(_ name: String) -> EntityID? {
        require(name)
        guard let text = text(name, longest: 10_000) else { return nil }
        do { return try EntityID(text) } catch {
            switch error {
            case .empty: fail(name, .required, "is empty")
            case .tooLong(let count): fail(name, .tooLong, "has \(count) bytes; an id has at most \(EntityID.longest)")
            case .character: fail(name, .format, "has a space or a character that is not printable ASCII")
            }
            return nil
        }
    }

    mutating func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
        guard let value = take(name) else { return nil }
        let number: Double
        switch value {
        case .number(let given): number = given
        case .text(let text) where form == .table:
            guard let parsed = Double(text), parsed.isFinite else {
                fail(name, .type, "is '\(text.prefix(40))'; expected is a number")
                return nil
            }
            number = parsed
        default:
            mistyped(name, value, "a number")
            return nil
        }
        guard range.contains(number) else {
            fail(name, .range, "is \(number); possible is \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    mutating func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard let number = number(name, Double(range.lowerBound)...Double(range.upperBound)) else { return nil }
        guard let integer = Int64(exactly: number) else {
            fail(name, .type, "is \(number); expected is a whole number")
            return nil
        }
        return integer
    }

    mutating func flag(_ name: String) -> Bool? {
        guard let value = take(name) else { return nil }
        if case .flag(let flag) = value { return flag }
        if form == .table, case .text(let text) = value {
            switch text.lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: break
            }
        }
        mistyped(name, value, "true or false")
        return nil
    }

    /// A list of texts; in a table they are separated by semicolons.
    mutating func texts(_ name: String, atMost count: Int = 100) -> [String] {
        guard let value = take(name) else { return [] }
        var texts: [String] = []
        switch value {
        case .text(let text) where form == .table:
            texts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        case .list(let items):
            for item in items {
                guard case .text(let text) = item, !text.isEmpty, text.utf8.count <= 200 else {
                    fail(name, .type, "holds \(item.kind); expected are texts of 1 to 200 bytes")
                    return []
                }
                texts.append(text)
            }
        default: mistyped(name, value, "a list of texts")
        }
        if texts.count > count { fail(name, .tooMany, "has \(texts.count) entries; at most \(count) are kept") }
        return texts
    }

    /// One of the words of an enumeration.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) -> Word? {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: form == .table ? text.lowercased() : text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            fail(name, .format, "is '\(text.prefix(40))'; expected is one of \(words)")
            return nil
        }
        return word
    }

    mutating func date(_ name: String) -> CalendarDate? {
        guard let text = text(name) else { return nil }
        guard let date = CalendarDate(text) else {
            fail(name, .format, "is '\(text.prefix(40))'; expected is a day as yyyy-mm-dd")
            return nil
        }
        return date
    }

    /// A time as RFC 3339, or as seconds or milliseconds since 1970.
    mutating func time(_ name: String) -> Timestamp? {
        guard let value = take(name) else { return nil }
        let time: Timestamp? =
            switch value {
            case .number(let number): Timestamp(epoch: number)
            case .text(let text):
                Timestamp(rfc3339: text) ?? (form == .table ? Double(text).flatMap(Timestamp.init(epoch:)) : nil)
            default: nil
            }
        if time == nil {
            fail(name, .format, "is not a time; expected is RFC 3339, or seconds or milliseconds since 1970")
        }
        return time
    }

    /// The place of the fields `lat` and `lon`; nil if both are missing.
    mutating func coordinate() -> Coordinate? {
        let isGiven = members["lat"] != nil || members["lon"] != nil
        let latitude = number("lat", -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
        let longitude = number("lon", -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
        guard isGiven else { return nil }
        require("lat")
        require("lon")
        guard let latitude, let longitude else { return nil }
        do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
            errors.append(error.fieldError("\(pointer)/"))
            return nil
        }
    }

    mutating func requiredCoordinate() -> Coordinate? {
        if members["lat"] == nil && members["lon"] == nil {
            require("lat")
            require("lon")
        }
        return coordinate()
    }

    /// An amount: `price` in minor units and `currency`, both or neither.
    mutating func money() -> Money? {
        let minor = integer("price", 0...1_000_000_000_000)
        guard let code = text("currency") else {
            if minor != nil { fail("currency", .required, "is required with a price") }
            return nil
        }
        guard let currency = Currency(code) else {
            fail("currency", .format, "is '\(code.prefix(40))'; expected is an ISO 4217 code such as EUR")
            return nil
        }
        if members["price"] == nil && form == .json { fail("price", .required, "is required with a currency") }
        return minor.map { Money(minor: $0, currency: currency) }
    }

    /// An address of a page or picture.
    mutating func url(_ name: String) -> String? {
        guard let text = text(name, longest: 2000) else { return nil }
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            fail(name, .format, "is not an http or https address")
            return nil
        }
        return text
    }

    /// The free attributes of the field `attributes`: texts, numbers, truth values and lists of texts.
    ///
    /// - Parameter others: whether the fields that nobody read are attributes too; else they are refused.
    mutating func allAttributes(others: Bool) -> [String: AttributeValue] {
        var own: [String: AttributeValue] = [:]
        if let value = take("attributes") {
            if case .object(let members) = value {
                own = attributes(members, under: "attributes")
            } else {
                mistyped("attributes", value, "an object")
            }
        }
        guard others else {
            refuseOthers()
            return own
        }
        return own.merging(attributes(takeOthers(), under: nil)) { own, _ in own }
    }

    private mutating func attributes(_ members: [String: JSON], under name: String?) -> [String: AttributeValue] {
        if members.count > 64 { fail(name ?? "", .tooMany, "has \(members.count) attributes; at most 64 are kept") }
        var attributes: [String: AttributeValue] = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let path = name.map { "\($0)/\(key)" } ?? key
            if let attribute = AttributeValue(value, form), key.utf8.count <= 64 {
                attributes[key] = attribute
            } else if value != .null {
                errors.append(
                    FieldError(
                        pointer: "\(pointer)/\(path)", code: .type,
                        detail: "is \(value.kind); an attribute is a text of up to 2000 bytes, a number, true, false, "
                            + "or a list of texts, with a name of up to 64 bytes"))
            }
        }
        return attributes
    }
}

extension AttributeValue {
    fileprivate init?(_ json: JSON, _ form: Fields.Form) {
        switch json {
        case .flag(let flag): self = .flag(flag)
        case .number(let number): self = .number(number)
        case .text(let text):
            guard text.utf8.count <= 2000 else { return nil }
            let parts = form == .table && text.contains(";") ? text.split(separator: ";").map(String.init) : []
            self = parts.isEmpty ? .text(text) : .list(parts.map { $0.trimmingCharacters(in: .whitespaces) })
        case .list(let items):
            let texts = items.compactMap { item in if case .text(let text) = item { text } else { String?.none } }
            guard texts.count == items.count, texts.count <= 100, texts.allSatisfy({ $0.utf8.count <= 200 }) else {
                return nil
            }
            self = .list(texts)
        case .null, .object: return nil
        }
    }
}
