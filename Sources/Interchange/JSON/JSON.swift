/// A JSON value as it came, before anybody decided what it should be.
package enum JSON: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// The value written in UTF-8, with at most so many values in it.
    ///
    /// - Throws: ``FormError`` for bytes that are not JSON, with the place of the error, or are too much of it.
    package init(_ bytes: some Sequence<UInt8>, atMost mostValues: Int = JSONText.mostValues) throws(FormError) {
        do throws(JSONText.Fault) { self = try JSONText.value(of: bytes, atMost: mostValues) } catch {
            throw FormError(error)
        }
    }

    /// What kind of value this is, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .flag: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// This document with a merge patch applied: members that are null are taken out (RFC 7396).
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
    /// The fault of a text that is not JSON, or too much of it.
    package init(_ fault: JSONText.Fault) {
        if fault.isTooMuch {
            self.init(.bodyTooLarge, detail: "The text \(fault.detail).")
        } else {
            self.init(.invalidJSON, detail: "The text is not JSON: it \(fault.detail), at byte \(fault.byte).")
        }
    }
}
