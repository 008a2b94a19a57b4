extension CercaClient {
    /// A free attribute of a person, place or product.
    public enum Attribute: Codable, Hashable, Sendable {
        /// A text.
        case text(String)
        /// A number.
        case number(Double)
        /// A truth value.
        case flag(Bool)
        /// A list of texts.
        case list([String])

        /// Decodes a text, a number, a flag or a list of texts.
        public init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else {
                self = .list(try value.decode([String].self))
            }
        }

        /// Encodes the bare value.
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
}
