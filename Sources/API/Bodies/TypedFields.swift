internal import Foundation
internal import Geo
internal import Storage

/// Fields that hold more than JSON knows of: ids, words, days, times, places, amounts, addresses and attributes.
extension Fields {
    mutating func id(_ name: String) -> EntityID? {
        require(name)
        guard let text = text(name, longest: 10_000) else { return nil }
        do { return try EntityID(text) } catch {
            switch error {
            case .empty: fail(name, .required, "is empty")
            case .tooLong(let count): fail(name, .tooLong, "has \(count) bytes; an id has at most \(EntityID.longest)")
            case .character: fail(name, .format, "has a space or a character that is not printable ASCII")
            }
            return nil
        }
    }

    /// One of the words of an enumeration.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) -> Word? {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: form == .table ? text.lowercased() : text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            fail(name, .format, "is '\(text.prefix(40))'; expected is one of \(words)")
            return nil
        }
        return word
    }

    mutating func date(_ name: String) -> CalendarDate? {
        guard let text = text(name) else { return nil }
        guard let date = CalendarDate(text) else {
            fail(name, .format, "is '\(text.prefix(40))'; expected is a day as yyyy-mm-dd")
            return nil
        }
        return date
    }

    /// A time as RFC 3339, or as seconds or milliseconds since 1970.
    mutating func time(_ name: String) -> Timestamp? {
        guard let value = json(name) else { return nil }
        let time: Timestamp? =
            switch value {
            case .number(let number): Timestamp(epoch: number)
            case .text(let text):
                Timestamp(rfc3339: text) ?? (form == .table ? Double(text).flatMap(Timestamp.init(epoch:)) : nil)
            default: nil
            }
        if time == nil {
            fail(name, .format, "is not a time; expected is RFC 3339, or seconds or milliseconds since 1970")
        }
        return time
    }

    /// The place of the fields `lat` and `lon`; nil if both are missing.
    mutating func coordinate() -> Coordinate? {
        let isGiven = has("lat") || has("lon")
        let latitude = number("lat", -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
        let longitude = number("lon", -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
        guard isGiven else { return nil }
        require("lat")
        require("lon")
        guard let latitude, let longitude else { return nil }
        do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
            adopt([error.fieldError("\(pointer)/")])
            return nil
        }
    }

    mutating func requiredCoordinate() -> Coordinate? {
        if !has("lat") && !has("lon") {
            require("lat")
            require("lon")
        }
        return coordinate()
    }

    /// An amount: `price` in minor units and `currency`, both or neither.
    mutating func money() -> Money? {
        let minor = integer("price", 0...1_000_000_000_000)
        guard let code = text("currency") else {
            if minor != nil { fail("currency", .required, "is required with a price") }
            return nil
        }
        guard let currency = Currency(code) else {
            fail("currency", .format, "is '\(code.prefix(40))'; expected is an ISO 4217 code such as EUR")
            return nil
        }
        if !has("price") && form == .json { fail("price", .required, "is required with a currency") }
        return minor.map { Money(minor: $0, currency: currency) }
    }

    /// An address of a page or picture.
    mutating func url(_ name: String) -> String? {
        guard let text = text(name, longest: 2000) else { return nil }
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            fail(name, .format, "is not an http or https address")
            return nil
        }
        return text
    }

    /// The free attributes of the field `attributes`: texts, numbers, truth values and lists of texts.
    ///
    /// With `others` the fields that nobody read are attributes too; else they are refused.
    mutating func allAttributes(others: Bool) -> [String: AttributeValue] {
        var own: [String: AttributeValue] = [:]
        if let value = json("attributes") {
            if case .object(let members) = value {
                own = attributes(members, under: "attributes")
            } else {
                mistyped("attributes", value, "an object")
            }
        }
        guard others else {
            refuseOthers()
            return own
        }
        return own.merging(attributes(takeOthers(), under: nil)) { own, _ in own }
    }

    private mutating func attributes(_ members: [String: JSON], under name: String?) -> [String: AttributeValue] {
        if members.count > 64 { fail(name ?? "", .tooMany, "has \(members.count) attributes; at most 64 are kept") }
        var attributes: [String: AttributeValue] = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let path = name.map { "\($0)/\(key)" } ?? key
            if let attribute = AttributeValue(value, form), key.utf8.count <= 64 {
                attributes[key] = attribute
            } else if value != .null {
                adopt([
                    FieldError(
                        pointer: "\(pointer)/\(path)", code: .type,
                        detail: "is \(value.kind); an attribute is a text of up to 2000 bytes, a number, true, false, "
                            + "or a list of texts, with a name of up to 64 bytes")
                ])
            }
        }
        return attributes
    }
}

extension AttributeValue {
    fileprivate init?(_ json: JSON, _ form: Fields.Form) {
        switch json {
        case .flag(let flag): self = .flag(flag)
        case .number(let number): self = .number(number)
        case .text(let text):
            guard text.utf8.count <= 2000 else { return nil }
            let parts = form == .table && text.contains(";") ? text.split(separator: ";").map(String.init) : []
            self = parts.isEmpty ? .text(text) : .list(parts.map { $0.trimmingCharacters(in: .whitespaces) })
        case .list(let items):
            let texts = items.compactMap { item in if case .text(let text) = item { text } else { String?.none } }
            guard texts.count == items.count, texts.count <= 100, texts.allSatisfy({ $0.utf8.count <= 200 }) else {
                return nil
            }
            self = .list(texts)
        case .null, .object: return nil
        }
    }
}
