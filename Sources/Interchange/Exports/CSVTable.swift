internal import Foundation

/// Rows of CSV (RFC 4180, lines ending with LF), made from JSON objects.
package struct CSVTable {
    private let columns: [String]
    private let attributes: [String]
    private let prefix: String
    private let form: CSVForm

    /// - Parameters:
    ///   - columns: the members of an object that become cells.
    ///   - attributes: the members of its `attributes` that become cells after those.
    ///   - prefix: a text before their names in the header.
    ///   - form: how cells are written.
    package init(columns: [String], attributes: [String], prefix: String = "", form: CSVForm) {
        self.columns = columns
        self.attributes = attributes
        self.prefix = prefix
        self.form = form
    }

    package var header: [UInt8] { Self.line(columns + attributes.map { prefix + $0 }, form) }

    /// - Throws: ``FormError`` for bytes that are not a JSON object.
    package func row(_ object: [UInt8]) throws(FormError) -> [UInt8] {
        guard case .object(let members) = try JSON(Data(object)) else { preconditionFailure("an object was written") }
        let own: [String: JSON] = if case .object(let own)? = members["attributes"] { own } else { [:] }
        return Self.line(
            columns.map { Self.cell(Self.written($0, members[$0], own)) } + attributes.map { Self.cell(own[$0]) },
            form)
    }

    /// The cell of a member: the precision for `sharing`, JSON for an area, or else an attribute of that name for
    /// `area`.
    private static func written(_ name: String, _ value: JSON?, _ attributes: [String: JSON]) -> JSON? {
        switch (name, value) {
        case ("sharing", .object(let members)?): return members["precision"]
        case ("area", nil): return attributes[name]
        case ("area", let area?):
            var json = JSONWriter()
            json.value(area)
            return .text(String(decoding: json.bytes, as: UTF8.self))
        default: return value
        }
    }

    private static func cell(_ value: JSON?) -> String {
        switch value {
        case .text(let text)?: text
        case .number(let number)?: text(number)
        case .flag(let flag)?: flag ? "true" : "false"
        case .list(let items)?: items.map { cell($0) }.joined(separator: ";")
        case .object(let members)?:
            members.sorted { $0.key < $1.key }.map { "\($0.key)=\(cell($0.value))" }.joined(separator: ";")
        case .null?, nil: ""
        }
    }

    private static func text(_ number: Double) -> String {
        var bytes: [UInt8] = []
        bytes.append(number)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static let contentType = "text/csv; charset=utf-8; header=present"

    package static func line(_ cells: [String], _ form: CSVForm) -> [UInt8] {
        let lines = cells.map { Array(quoted($0, form).utf8) }.joined(separator: [form.delimiter.byte])
        return Array(lines) + [UInt8(ascii: "\n")]
    }

    /// Encloses a text in quotation marks if it contains a delimiter, a quote or a line break, or begins or ends with
    /// space.
    package static func quoted(_ text: String, _ form: CSVForm) -> String {
        let cell = SpreadsheetText.guarded(text, forSpreadsheets: form.isForSpreadsheets)
        let isPlain = cell.utf8.allSatisfy { byte in
            switch byte {
            case form.delimiter.byte, UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): false
            default: true
            }
        }
        if isPlain, cell.first?.isWhitespace != true, cell.last?.isWhitespace != true { return cell }
        return "\"\(cell.replacing("\"", with: "\"\""))\""
    }
}
