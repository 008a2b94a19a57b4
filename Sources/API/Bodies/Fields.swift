internal import Foundation

/// Reads the fields of one object and remembers everything that is wrong with them, so that all of it is told at once.
///
/// The object came as JSON, or as a row of a table, in which numbers, truth values and lists are written as text.
struct Fields {
    enum Form { case json, table }

    private let members: [String: JSON]
    let pointer: String
    let form: Form
    private var unread: Set<String>
    private(set) var errors: [FieldError] = []

    /// The members of the object at a JSON pointer.
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

    mutating func mistyped(_ name: String, _ value: JSON, _ expected: String) {
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
}
