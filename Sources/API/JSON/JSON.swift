internal import Foundation
internal import HTTPTypes

/// A JSON value as it came, before anybody decided what it should be.
enum JSON: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// The value written in UTF-8.
    ///
    /// - Throws: ``Problem`` for bytes that are not JSON, with the place of the error where the parser tells it.
    init(_ bytes: Data) throws(Problem) {
        do { self = try Self.value(JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)) } catch {
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String
            throw Problem(.badRequest, .invalidJSON, detail: reason ?? "The body is not JSON.")
        }
    }

    private static func value(_ object: Any) throws -> JSON {
        switch object {
        case let text as String: .text(text)
        case let members as [String: Any]: .object(try members.mapValues(value))
        case let list as [Any]: .list(try list.map(value))
        case is NSNull: .null
        // Foundation keeps truth values as numbers of C type `char`; no other number has it.
        case let number as NSNumber:
            number.objCType.pointee == 0x63 ? .flag(number.boolValue) : .number(number.doubleValue)
        default: throw CocoaError(.coderReadCorrupt)
        }
    }

    /// What kind of value this is, for messages.
    var kind: String {
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
    func merged(with patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSON] = if case .object(let own) = self { own } else { [:] }
        for (name, change) in changes {
            members[name] = change == .null ? nil : (members[name] ?? .null).merged(with: change)
        }
        return .object(members)
    }
}
