internal import Foundation
internal import Model

/// Lists and attributes as JSON text in a column.
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
        // Most texts are ASCII without escapes; a JSON parser takes ten times as long, a million times at startup.
        // (Beyond ASCII a quotation mark may be part of a longer character.)
        guard text.hasPrefix("[\""), text.hasSuffix("\"]"),
            text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") })
        else { return try value(text) }
        // Texts are separated by a comma.
        let parts = text.utf8.dropFirst(2).dropLast(2).split(
            separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return stride(from: 0, to: parts.count, by: 2).map { String(Substring(parts[$0])) }
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
