internal import Foundation
internal import HTTPTypes

/// The features of a GeoJSON feature collection, one at a time: their properties, and the place of a Point as `lat`, `lon`.
struct FeatureReader: RowReader {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last text at the level of the collection's members, which is a key when an array follows.
    private var key: [UInt8] = []
    private var isInFeatures = false
    private var sawFeatures = false
    private var feature: [UInt8] = []
    private var number = 0
    private var renamed: Set<String> = []

    var notes: [String] { renamed.sorted() }

    mutating func read(_ bytes: some Sequence<UInt8>) throws(Problem) -> [ImportRow] {
        var rows: [ImportRow] = []
        for byte in bytes {
            if let row = take(byte) { rows.append(row) }
            guard feature.count <= longestImportRow else {
                throw Problem(
                    .contentTooLarge, .bodyTooLarge,
                    detail: "Feature \(number + 1) has more than \(longestImportRow) bytes.")
            }
        }
        return rows
    }

    mutating func finish() throws(Problem) -> [ImportRow] {
        guard depth == 0, !isInString else {
            throw Problem(
                .badRequest, .invalidJSON, detail: "The file ends within feature \(number + 1) or before its end.")
        }
        guard sawFeatures else {
            throw Problem(
                .badRequest, .invalidBody, detail: "The file is no GeoJSON FeatureCollection: it has no 'features'.")
        }
        return []
    }

    private mutating func take(_ byte: UInt8) -> ImportRow? {
        if isInFeatures && depth >= 2 && (depth > 2 || byte == UInt8(ascii: "{")) { feature.append(byte) }
        if isInString {
            if depth == 1 { key.append(byte) }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return nil
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            if depth == 1 { key = [] }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            if depth == 2, byte == UInt8(ascii: "["), key == Array("features\"".utf8) {
                isInFeatures = true
                sawFeatures = true
            }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 1 { isInFeatures = false }
            if depth == 2, isInFeatures { return endFeature() }
        default: break
        }
        return nil
    }

    private mutating func endFeature() -> ImportRow {
        defer { feature.removeAll(keepingCapacity: true) }
        number += 1
        do throws(Problem) {
            return ImportRow(number: number, members: members(try JSON(Data(feature))))
        } catch {
            let fault = FieldError(pointer: "", code: .format, detail: error.detail ?? "is not JSON")
            return ImportRow(number: number, members: .failure(fault))
        }
    }

    private mutating func members(_ json: JSON) -> Result<[String: JSON], FieldError> {
        guard case .object(let feature) = json, feature["type"] == .text("Feature") else {
            return .failure(FieldError(pointer: "", code: .type, detail: "is no GeoJSON Feature"))
        }
        var members: [String: JSON] = [:]
        if case .object(let properties)? = feature["properties"] { members = properties.standardized(&renamed) }
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
