internal import Foundation
public import Model

/// Lists and attributes as the JSON text of a column.
enum ColumnText {
    static func encode(_ list: [String]) throws -> String { list.isEmpty ? "[]" : try json(list) }

    static func encode(_ attributes: [String: AttributeValue]) throws -> String {
        attributes.isEmpty ? "{}" : try json(attributes)
    }

    static func encode(_ sizes: [SizeQuantity]) throws -> String {
        try json(Dictionary(sizes.map { ($0.size.text, $0.quantity) }, uniquingKeysWith: +))
    }

    static func list(_ text: String) throws -> [String] {
        if text == "[]" { return [] }
        // Most texts are ASCII with nothing escaped in them; a JSON parser takes ten times as long, a million times at
        // start. (Beyond ASCII a quotation mark may be part of a longer character.)
        guard text.hasPrefix("[\""), text.hasSuffix("\"]"),
            text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") })
        else { return try value(text) }
        return text.dropFirst(2).dropLast(2).split(separator: "\",\"", omittingEmptySubsequences: false).map(
            String.init)
    }

    static func attributes(_ text: String) throws -> [String: AttributeValue] { text == "{}" ? [:] : try value(text) }

    static func sizes(_ text: String) throws -> [SizeQuantity] {
        let sizes: [String: Int] = try value(text)
        return sizes.map { SizeQuantity(size: ProductSize(stored: $0.key), quantity: $0.value) }
            .sorted { $0.size < $1.size }
    }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}

extension AttributeValue: Codable {
    /// Reads a text, a number, a truth value or a list of texts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let list = try? container.decode([String].self) {
            self = .list(list)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Writes the value as plain JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let list): try container.encode(list)
        }
    }
}
