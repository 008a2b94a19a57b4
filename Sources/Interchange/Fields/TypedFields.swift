internal import Foundation
package import Geo
package import Model

/// Fields of types that JSON lacks: ids, words, days, times, positions, amounts, URLs and attributes.
extension Fields {
    package mutating func id<Thing>(_ name: String) -> ID<Thing>? {
        require(name)
        guard let text = text(name, longest: 10_000) else { return nil }
        do { return try ID(text) } catch {
            switch error {
            case .empty: fail(name, .required, "is empty")
            case .tooLong(let count): fail(name, .tooLong, "has \(count) bytes; an id has at most \(ID<Thing>.longest)")
            case .character: fail(name, .format, "has a space or a character that is not printable ASCII")
            case .dots: fail(name, .format, "is not an id: clients remove '.' and '..' from paths")
            }
            return nil
        }
    }

    /// An id, or nil if the field is missing.
    package mutating func optionalID<Thing>(_ name: String) -> ID<Thing>? { json(name) == nil ? nil : id(name) }

    /// One of the words of an enumeration.
    package mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) -> Word? {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: form.isImport ? text.lowercased() : text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            fail(name, .format, "is '\(text.prefix(40))'; must be one of \(words)")
            return nil
        }
        return word
    }

    package mutating func date(_ name: String) -> CalendarDate? {
        guard let text = text(name) else { return nil }
        guard let date = CalendarDate(text) else {
            fail(name, .format, "is '\(text.prefix(40))'; must be a day as yyyy-mm-dd")
            return nil
        }
        return date
    }

    /// A time in RFC 3339, or in seconds or milliseconds since 1970.
    package mutating func time(_ name: String) -> Timestamp? {
        guard let value = json(name) else { return nil }
        let time: Timestamp? =
            switch value {
            case .number(let number): Timestamp(epoch: number)
            case .text(let text):
                Timestamp(rfc3339: text)
                    ?? (form.isImport ? text.decimalNumber.flatMap(Timestamp.init(epoch:)) : nil)
            default: nil
            }
        if time == nil {
            fail(name, .format, "is not a time; must be RFC 3339, or seconds or milliseconds since 1970")
        }
        return time
    }

    /// The position in the fields `lat` and `lon`; nil if both are missing.
    package mutating func coordinate() -> Coordinate? {
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

    package mutating func requiredCoordinate() -> Coordinate? {
        if !has("lat") && !has("lon") {
            require("lat")
            require("lon")
        }
        return coordinate()
    }

    /// An amount: `price` in minor units and `currency`, both or neither.
    package mutating func money() -> Money? {
        let minor = integer("price", 0...1_000_000_000_000, of: "minor units, such as cents")
        guard let code = text("currency") else {
            if minor != nil { fail("currency", .required, "is required with a price") }
            return nil
        }
        guard let currency = Currency(code) else {
            fail("currency", .format, "is '\(code.prefix(40))'; must be an ISO 4217 code such as EUR")
            return nil
        }
        if !has("price") && form == .json { fail("price", .required, "is required with a currency") }
        return minor.map { Money(minor: $0, currency: currency) }
    }

    /// An HTTP or HTTPS URL.
    package mutating func url(_ name: String) -> String? {
        guard let text = text(name, longest: 2000) else { return nil }
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            fail(name, .format, "is not an http or https address")
            return nil
        }
        return text
    }

    /// The free attributes in the field `attributes`: texts, numbers, truth values and lists of texts.
    ///
    /// In an import the fields that were not read become attributes too if `takesOthers`, unless `attributes` has the
    /// same name. Otherwise they are rejected.
    package mutating func allAttributes(takesOthers: Bool = true) -> [String: AttributeValue] {
        var own: [String: JSON] = [:]
        if let value = json("attributes") {
            if case .object(let members) = value {
                own = members.filter { $0.value != .null }
            } else {
                mistyped("attributes", value, "an object")
            }
        }
        let others = form.isImport && takesOthers ? takeOthers().filter { own[$0.key] == nil } : [:]
        refuseOthers()
        let count = own.count + others.count
        guard count <= Self.mostAttributes else {
            fail("attributes", .tooMany, "has \(count) attributes; at most \(Self.mostAttributes) are allowed")
            return [:]
        }
        return attributes(own, in: "attributes").merging(attributes(others, in: nil)) { own, _ in own }
    }

    /// The attributes in an object: the field named `field`, or the whole object for nil.
    private mutating func attributes(_ members: [String: JSON], in field: String?) -> [String: AttributeValue] {
        var attributes: [String: AttributeValue] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let bytes = name.utf8.count
            if bytes > Self.longestAttributeName {
                let rule = "has a name of \(bytes) bytes; at most \(Self.longestAttributeName)"
                fail(field ?? name, at: field == nil ? nil : name, .tooLong, rule)
            } else if !name.hasControlCharacter, let attribute = AttributeValue(value, form) {
                attributes[name] = attribute
            } else {
                fail(field ?? name, at: field == nil ? nil : name, .type, "is \(value.kind); \(Self.attributeRule)")
            }
        }
        return attributes
    }

    private static let mostAttributes = 64
    package static let longestAttributeName = 64
    private static let attributeRule =
        "an attribute must be a string of up to 2000 bytes, a number, a boolean, or an array of up to 100 strings of up to 200 "
        + "bytes, without control characters, also in its name"
}

extension AttributeValue {
    fileprivate init?(_ json: JSON, _ form: Fields.Form) {
        switch json {
        case .flag(let flag): self = .flag(flag)
        case .number(let number): self = .number(number)
        case .text(let text) where form == .table && !text.listed.isEmpty && text.contains(";"):
            self.init(list: text.listed.map(JSON.text))
        case .text(let text):
            guard text.utf8.count <= 2000, !text.hasControlCharacter else { return nil }
            self = .text(text)
        case .list(let items): self.init(list: items)
        case .null, .object: return nil
        }
    }

    private init?(list: [JSON]) {
        guard list.count <= 100 else { return nil }
        let texts = list.compactMap(\.listText)
        guard texts.count == list.count else { return nil }
        self = .list(texts)
    }
}
