internal import Foundation
internal import Geo

/// Reads the fields of one object and collects all of its errors, so that they are reported together.
///
/// At most 100 errors are collected.
package struct Fields {
    /// The source of the object.
    package enum Form {
        /// The body of a request.
        case json
        /// A row of an import in JSON, where numbers and truth values may be texts and an empty text means a missing
        /// field.
        case record
        /// A row of a table, as ``record``, where a list is a text separated by semicolons.
        case table

        /// Whether the object is a row of an import, which may have unknown fields.
        var isImport: Bool { self != .json }
    }

    private static let mostErrors = 100
    /// Maximum number of unknown fields for which a suggestion is searched.
    private static let mostAdvised = 5

    /// The members before missing ones are removed.
    private let given: [String: JSON]
    /// The members that are present.
    private let members: [String: JSON]
    package let pointer: String
    package let form: Form
    private var unread: Set<String>
    /// The names of the fields read so far, in order.
    package private(set) var known: [String] = []
    package private(set) var errors: [FieldError] = []

    /// The members of the object at a JSON pointer.
    package init(_ members: [String: JSON], at pointer: String = "", form: Form = .json) {
        given = members
        self.members = members.filter { $0.value != .null && !(form.isImport && $0.value == .text("")) }
        self.pointer = pointer
        self.form = form
        unread = Set(self.members.keys)
    }

    /// Reads the object of a body.
    ///
    /// - Throws: ``FormError`` if the value is not an object.
    package init(_ json: JSON, at pointer: String = "") throws(FormError) {
        guard case .object(let members) = json else {
            throw .invalid([FieldError(pointer: pointer, code: .type, detail: "is \(json.kind); must be an object")]
            )
        }
        self.init(members, at: pointer)
    }

    /// Reads a value from the object of a body and rejects the fields that `read` did not read.
    ///
    /// - Throws: ``FormError`` with all errors.
    package static func read<Value>(_ json: JSON, _ read: (inout Fields) -> Value?) throws(FormError) -> Value {
        var fields = try Fields(json)
        return try fields.whole { fields in
            defer { fields.refuseOthers() }
            return read(&fields)
        }
    }

    /// Reads a value from the fields; `read` may return nil only if it recorded an error.
    ///
    /// - Throws: ``FormError`` with all errors.
    package mutating func whole<Value>(_ read: (inout Fields) -> Value?) throws(FormError) -> Value {
        let value = read(&self)
        try check()
        guard let value else { preconditionFailure("what could not be read has a fault") }
        return value
    }

    /// Whether a row of an import has an empty cell for a field.
    package func isLeftEmpty(_ name: String) -> Bool {
        form.isImport && given[name] != nil && members[name] == nil
    }

    /// Records an error of a field, or of a member of it.
    package mutating func fail(_ name: String, at member: String? = nil, _ code: FieldError.Code, _ detail: String) {
        let path = [name, member].compactMap { $0?.pointerToken }.joined(separator: "/")
        adopt([FieldError(pointer: "\(pointer)/\(path)", code: code, detail: detail)])
    }

    package mutating func mistyped(_ name: String, _ value: JSON, _ expected: String) {
        fail(name, .type, "is \(value.kind); must be \(expected)")
    }

    package mutating func tooMany(_ name: String, _ count: Int, _ most: Int) {
        fail(name, .tooMany, "has \(count) entries; at most \(most) are allowed")
    }

    /// Rejects the fields that were not read.
    package mutating func refuseOthers() {
        let choice = known.isEmpty ? "" : "; known: \(known.joined(separator: ", "))"
        for (number, name) in unread.sorted().prefix(Self.mostErrors).enumerated() {
            let advice = number < Self.mostAdvised ? NearMiss.advice(for: name, among: known) : ""
            fail(name, .unknown, "is not a field here\(advice)\(choice)")
        }
        unread = []
    }

    /// Removes and returns the fields that were not read.
    package mutating func takeOthers() -> [String: JSON] {
        defer { unread = [] }
        return members.filter { unread.contains($0.key) }
    }

    /// Throws the errors found so far, if any.
    package func check() throws(FormError) {
        if !errors.isEmpty { throw .invalid(errors) }
    }

    /// Adds errors that were found elsewhere.
    package mutating func adopt(_ faults: [FieldError]) { errors += faults.prefix(Self.mostErrors - errors.count) }

    package func has(_ name: String) -> Bool { members[name] != nil }

    /// Whether the field is present in an import but empty.
    package func isEmptied(_ name: String) -> Bool { form.isImport && given[name] == .text("") }

    /// Returns a field without marking it as read.
    package func peek(_ name: String) -> JSON? { members[name] }

    private mutating func take(_ name: String) -> JSON? {
        unread.remove(name)
        if !known.contains(name) { known.append(name) }
        return members[name]
    }

    /// Marks fields as read whose values are ignored.
    package mutating func skip(_ names: [String]) { unread.subtract(names) }

    package mutating func json(_ name: String) -> JSON? { take(name) }

    /// A text without control characters, except line breaks and tabs.
    package mutating func text(_ name: String, longest: Int = 200) -> String? {
        guard let value = take(name) else { return nil }
        guard case .text(let text) = value else {
            mistyped(name, value, "a string")
            return nil
        }
        guard text.utf8.count <= longest else {
            fail(name, .tooLong, "has \(text.utf8.count) bytes; at most \(longest) are allowed")
            return nil
        }
        guard !text.hasControlCharacter else {
            fail(name, .format, "has a control character")
            return nil
        }
        return text
    }

    package mutating func requiredText(_ name: String, longest: Int = 200) -> String? {
        require(name)
        guard let text = text(name, longest: longest) else { return nil }
        if text.isEmpty { fail(name, .required, "is empty") }
        return text
    }

    package mutating func require(_ name: String) {
        if members[name] == nil { fail(name, .required, "is required") }
    }

    package mutating func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
        guard let value = take(name) else { return nil }
        let number: Double
        switch value {
        case .number(let given): number = given
        case .text(let text) where form.isImport:
            guard let parsed = text.decimalNumber else {
                fail(name, .type, "is '\(text.prefix(40))'; must be a number")
                return nil
            }
            number = parsed
        default:
            mistyped(name, value, "a number")
            return nil
        }
        guard range.contains(number) else {
            fail(name, .range, "is \(number); must be from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    package mutating func integer(
        _ name: String, _ range: ClosedRange<Int64>, of unit: String? = nil
    ) -> Int64? {
        guard let number = number(name, Double(range.lowerBound)...Double(range.upperBound)) else { return nil }
        guard let integer = Int64(exactly: number) else {
            fail(name, .type, "is \(number); must be a whole number\(unit.map { " of \($0)" } ?? "")")
            return nil
        }
        return integer
    }

    package mutating func flag(_ name: String) -> Bool? {
        guard let value = take(name) else { return nil }
        if case .flag(let flag) = value { return flag }
        if form.isImport, case .text(let text) = value {
            switch text.lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: break
            }
        }
        mistyped(name, value, "true or false")
        return nil
    }

    /// A list of texts, which a table separates by semicolons; a text in another import is a list with one entry.
    package mutating func texts(_ name: String, atMost most: Int = 100) -> [String] {
        guard let value = take(name) else { return [] }
        let items: [JSON]
        switch value {
        case .text(let text) where form == .table: items = text.listed.map(JSON.text)
        case .text where form.isImport: items = [value]
        case .list(let list): items = list
        default:
            mistyped(name, value, "an array of strings")
            return []
        }
        guard items.count <= most else {
            tooMany(name, items.count, most)
            return []
        }
        let texts = items.compactMap(\.listText)
        guard texts.count == items.count, !texts.contains("") else {
            let other = items.first { $0.listText?.isEmpty ?? true } ?? .null
            fail(name, .type, "has \(other.kind); must have only strings of 1 to 200 bytes without control characters")
            return []
        }
        return texts
    }
}

extension JSON {
    /// The text, if it may be an entry of a list: at most 200 bytes and no control characters.
    package var listText: String? {
        guard case .text(let text) = self, text.utf8.count <= 200, !text.hasControlCharacter else { return nil }
        return text
    }
}

extension String {
    /// Whether the text has a control character other than a line break or a tab.
    package var hasControlCharacter: Bool {
        unicodeScalars.contains { scalar in
            scalar.value < 0x20 && scalar != "\n" && scalar != "\r" && scalar != "\t" || scalar.value == 0x7f
        }
    }

    /// The entries of a list in one cell of a table.
    package var listed: [String] {
        split(separator: ";").map(\.trimmed).filter { !$0.isEmpty }
    }

    /// The name escaped as a token of a JSON pointer (RFC 6901).
    package var pointerToken: String { replacing("~", with: "~0").replacing("/", with: "~1") }
}

extension StringProtocol {
    /// The text without leading and trailing whitespace.
    ///
    /// - Complexity: O(1) if there is none.
    var trimmed: String {
        func isBlank(_ scalar: Unicode.Scalar?) -> Bool { scalar.map(CharacterSet.whitespaces.contains) ?? false }
        let isTrimmed = !isBlank(unicodeScalars.first) && !isBlank(unicodeScalars.last)
        return isTrimmed ? String(self) : trimmingCharacters(in: .whitespaces)
    }
}
