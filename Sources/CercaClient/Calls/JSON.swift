internal import Foundation

enum JSON {
    static func read<Value: Decodable>(
        _ type: Value.Type, from data: Data, of request: CercaClient.Request
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let time = Instant.read(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a time."))
            }
            return time
        }
        do { return try decoder.decode(type, from: data) } catch { throw CercaError(unexpected: error, to: request) }
    }

    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { time, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Instant.text(time))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Times in RFC 3339 with milliseconds.
enum Instant {
    /// Seconds are formatted without their fraction, which binary floating point does not represent exactly.
    static func text(_ time: Date) -> String {
        let milliseconds = (time.timeIntervalSince1970 * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        let rest = Int(milliseconds - seconds * 1000)
        let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
        return rest == 0 ? whole : "\(whole.dropLast()).\(String(1000 + rest).dropFirst())Z"
    }

    static func read(_ text: String) -> Date? {
        guard let point = text.firstIndex(of: ".") else { return try? Date(text, strategy: .iso8601) }
        let digits = text[point...].dropFirst().prefix(while: \.isNumber)
        guard let whole = try? Date(String(text[..<point] + text[digits.endIndex...]), strategy: .iso8601),
            let fraction = Double("0.\(digits)")
        else { return nil }
        return whole + fraction
    }
}
