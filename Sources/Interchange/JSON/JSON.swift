/// A JSON value as parsed, before its type is checked.
package enum JSON: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// Parses a value in UTF-8 that contains at most `mostValues` values.
    ///
    /// - Throws: ``FormError`` for invalid JSON, with the position of the error, or for too many values.
    package init(_ bytes: some Sequence<UInt8>, atMost mostValues: Int = JSONText.mostValues) throws(FormError) {
        do throws(JSONText.Fault) { self = try JSONText.value(of: bytes, atMost: mostValues) } catch {
            throw FormError(error)
        }
    }

    /// The type of the value, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .flag: "a boolean"
        case .number: "a number"
        case .text: "a string"
        case .list: "an array"
        case .object: "an object"
        }
    }

    /// The document with a merge patch applied, which removes members that are null in it (RFC 7396).
    package func merged(with patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSON] = if case .object(let own) = self { own } else { [:] }
        for (name, change) in changes {
            members[name] = change == .null ? nil : (members[name] ?? .null).merged(with: change)
        }
        return .object(members)
    }
}

extension FormError {
    /// The error of a text that is not JSON, or has too many values.
    package init(_ fault: JSONText.Fault) {
        if fault.isTooMuch {
            self.init(.bodyTooLarge, detail: "The text \(fault.detail).")
        } else {
            self.init(.invalidJSON, detail: "The text is not JSON: it \(fault.detail), at byte \(fault.byte).")
        }
    }
}
