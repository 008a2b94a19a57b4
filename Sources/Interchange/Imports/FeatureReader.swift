internal import Foundation

/// The features of a GeoJSON feature collection, one at a time: their properties, and the place of a Point as `lat`, `lon`.
package struct FeatureReader: RowReader {
    /// What is being read of the list of features.
    private enum Element {
        case none
        /// An object, from its brace on.
        case feature
        /// Anything else.
        case other
    }

    private let synonyms: Synonyms
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The beginning of the last text at the level of the collection's members, which is a key when an array follows.
    private var key: [UInt8] = []
    private var isInFeatures = false
    private var sawFeatures = false
    private var element = Element.none
    private var feature: [UInt8] = []
    private var isOverlong = false
    private var number = 0
    private var renamed: Set<String> = []

    private static let featuresKey = Array("features\"".utf8)

    package init(_ synonyms: Synonyms) { self.synonyms = synonyms }

    package var notes: [String] { renamed.sorted() }

    package mutating func read(_ bytes: some Sequence<UInt8>) -> [ImportRow] {
        var rows: [ImportRow] = []
        for byte in bytes {
            if let row = take(byte) { rows.append(row) }
        }
        return rows
    }

    package mutating func finish() throws(FormError) -> [ImportRow] {
        guard depth == 0, !isInString else {
            throw FormError(.invalidJSON, detail: "The file ends within feature \(number + 1) or before its end.")
        }
        guard sawFeatures else {
            throw FormError(.invalidBody, detail: "The file is no GeoJSON FeatureCollection: it has no 'features'.")
        }
        return []
    }

    private mutating func take(_ byte: UInt8) -> ImportRow? {
        if element == .feature { keep(byte) }
        if isInString {
            takeInString(byte)
            return nil
        }
        let row = isInFeatures && depth == 2 ? takeBetweenFeatures(byte) : nil
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            if depth == 1 { key.removeAll(keepingCapacity: true) }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            if depth == 2, byte == UInt8(ascii: "["), key == Self.featuresKey {
                isInFeatures = true
                sawFeatures = true
                element = .none
            }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 1 { isInFeatures = false }
            if depth == 2, element == .feature { return endFeature() }
        default: break
        }
        return row
    }

    private mutating func takeInString(_ byte: UInt8) {
        if depth == 1, key.count <= Self.featuresKey.count { key.append(byte) }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
    }

    /// Begins an element of the list, or ends one that is no object, which gives a row.
    private mutating func takeBetweenFeatures(_ byte: UInt8) -> ImportRow? {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"):
            guard element == .other else { return nil }
            element = .none
            number += 1
            return ImportRow(number: number, members: .failure(.noFeature))
        case UInt8(ascii: "{") where element == .none:
            element = .feature
            keep(byte)
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
        default: element = .other
        }
        return nil
    }

    private mutating func keep(_ byte: UInt8) {
        if feature.count < longestImportRow { feature.append(byte) } else { isOverlong = true }
    }

    private mutating func endFeature() -> ImportRow {
        defer {
            feature.removeAll(keepingCapacity: true)
            isOverlong = false
            element = .none
        }
        number += 1
        guard !isOverlong else { return ImportRow(number: number, members: .failure(.overlongRow)) }
        do throws(FormError) {
            return ImportRow(number: number, members: members(try JSON(Data(feature))))
        } catch {
            return ImportRow(number: number, members: .failure(.row(error.detail)))
        }
    }

    private mutating func members(_ json: JSON) -> Result<[String: JSON], FieldError> {
        guard case .object(let feature) = json, feature["type"] == .text("Feature") else { return .failure(.noFeature) }
        var members: [String: JSON] = [:]
        if case .object(let properties)? = feature["properties"] {
            // Who writes maps writes all that is missing as null.
            switch properties.filter({ $0.value != .null }).standardized(by: synonyms, &renamed) {
            case .success(let standard): members = standard
            case .failure(let fault): return .failure(fault)
            }
        }
        if members["id"] == nil, let id = feature["id"] {
            members["id"] = if case .number(let number) = id { .text(Self.written(number)) } else { id }
        }
        guard let geometry = feature["geometry"], geometry != .null else { return .success(members) }
        guard case .object(let point) = geometry, point["type"] == .text("Point"),
            case .list(let position)? = point["coordinates"], position.count >= 2
        else { return .failure(FieldError(pointer: "/geometry", code: .type, detail: "is no Point")) }
        members["lon"] = position[0]
        members["lat"] = position[1]
        return .success(members)
    }

    private static func written(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension FieldError {
    fileprivate static let noFeature = row("is no GeoJSON Feature", .type)
}
