internal import Foundation
internal import Geo
internal import Interchange
internal import Model

/// The values of a phone's message by name; apps use several names for the same value.
///
/// An empty value counts as not given, and so does one of the wrong type, such as a speed in words.
struct PhoneFields {
    var members: [String: JSON]
    /// The names as they were written, by folded name.
    var written: [String: String] = [:]

    init(_ members: [String: JSON]) { self.members = members }

    /// Parses a query or a form leniently; the first value of a repeated name counts.
    init(form: some Sequence<UInt8>) {
        members = [:]
        for pair in Array(form).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (Self.decoded(parts[0]), Self.decoded(parts.count == 2 ? parts[1] : []))
            if !value.isEmpty, members[name] == nil { members[name] = .text(value) }
        }
    }

    /// Returns the fields with missing names taken from others.
    func filled(from other: PhoneFields) -> PhoneFields {
        PhoneFields(members.merging(other.members) { own, _ in own })
    }

    subscript(name: String) -> JSON? { members[name] }

    /// The members of an object; none for anything else.
    func object(_ name: String) -> PhoneFields {
        if case .object(let members)? = members[name] { PhoneFields(members) } else { PhoneFields([:]) }
    }

    func text(_ names: String...) -> String? {
        for name in names {
            if case .text(let text)? = members[name] {
                let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
                if !trimmed.isEmpty { return trimmed }
            }
        }
        return nil
    }

    /// A number, or a text that is one.
    func number(_ names: String...) -> Double? {
        for name in names {
            let number: Double? =
                switch members[name] {
                case .number(let number)?: number
                case .text?: text(name)?.decimalNumber
                default: nil
                }
            if let number, number.isFinite { return number }
        }
        return nil
    }

    func flag(_ name: String) -> Bool? {
        switch members[name] {
        case .flag(let flag)?: flag
        case .number(let number)?: number != 0
        case .text(let text)?: ["true": true, "1": true, "false": false, "0": false][text.lowercased()]
        default: nil
        }
    }

    /// The first time under one of these names; nil if there is none, or 0, which means unknown.
    ///
    /// - Throws: ``Unreadable`` for one that cannot be parsed, because the current time would be wrong.
    func time(_ names: String...) throws(Unreadable) -> Timestamp? { try time(names) }

    /// The first time under one of a list of names, as above.
    func time(_ names: [String]) throws(Unreadable) -> Timestamp? {
        for name in names {
            let time: Timestamp?
            switch members[name] {
            case .number(0)?, nil, .null?: continue
            case .number(let number)?: time = Timestamp(phoneNumber: number)
            case .text?:
                guard let text = text(name), text != "0" else { continue }
                time = Timestamp(phoneText: text)
            default: time = nil
            }
            guard let time else { throw Unreadable() }
            return time
        }
        return nil
    }

    /// Decodes percent encoding; a text that would be slow to compare is empty.
    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        let text = PercentEncoding.lenient(bytes)
        return text.isStreamSafe ? text : ""
    }
}

extension PhoneFix {
    /// The position under these names; nil if it is missing.
    ///
    /// - Throws: ``Unreadable`` for half a position, or text in its place.
    static func place(_ latitude: Double?, _ longitude: Double?, of fields: PhoneFields, _ names: [String])
        throws(Unreadable) -> (latitude: Double, longitude: Double)?
    {
        if let latitude, let longitude { return (latitude, longitude) }
        let isMeant = names.contains { name in
            switch fields[name] {
            case nil, .null?: false
            case .text(let text)?: !text.allSatisfy(\.isWhitespace)
            default: true
            }
        }
        if isMeant { throw Unreadable() }
        return nil
    }
}
