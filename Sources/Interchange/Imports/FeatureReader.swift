internal import Geo

/// The features of a GeoJSON feature collection, one at a time: their properties, and the place of a Point as `lat`, `lon`.
///
/// A Polygon or MultiPolygon becomes `area`, of what has areas, with a place inside it unless the properties have one.
package struct FeatureReader: RowReader {
    private let synonyms: Synonyms
    private let hasAreas: Bool
    private var elements = JSONElements(lists: ["features"], longest: longestImportRow)
    /// Why nothing after it can be read.
    private var fault: JSONText.Fault?
    private var number = 0
    private var renamed: Set<String> = []

    package init(_ synonyms: Synonyms, hasAreas: Bool) { (self.synonyms, self.hasAreas) = (synonyms, hasAreas) }

    package var notes: [String] { renamed.sorted() }

    package mutating func read(_ bytes: some Sequence<UInt8>) throws(FormError) -> [ImportRow] {
        if let fault { throw .broken(fault) }
        let bytes = Array(bytes)
        var index = 0
        var rows: [ImportRow] = []
        do throws(JSONText.Fault) {
            while let element = try elements.next(bytes, &index) { if element.isNamed { rows.append(row(element)) } }
        } catch { fault = error }
        return rows
    }

    package mutating func finish() throws(FormError) -> [ImportRow] {
        if let fault { throw .broken(fault) }
        do throws(JSONText.Fault) { try elements.finish() } catch {
            throw FormError(.invalidJSON, detail: "The file ends within feature \(number + 1) or before its end.")
        }
        guard elements.sawList else {
            throw FormError(.invalidBody, detail: "The file is no GeoJSON FeatureCollection: it has no 'features'.")
        }
        return []
    }

    private mutating func row(_ element: JSONElements.Element) -> ImportRow {
        number += 1
        guard let bytes = element.bytes else { return ImportRow(number: number, members: .failure(.overlongRow)) }
        guard bytes.first == UInt8(ascii: "{") else { return ImportRow(number: number, members: .failure(.noFeature)) }
        do throws(FormError) {
            return ImportRow(number: number, members: members(try JSON(bytes)))
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
        guard case .object(let shape) = geometry, let type = shape["type"], let coordinates = shape["coordinates"],
            place(type, coordinates, &members)
        else {
            let choice = hasAreas ? "is no Point, Polygon or MultiPolygon" : "is no Point"
            return .failure(FieldError(pointer: "/geometry", code: .type, detail: choice))
        }
        return .success(members)
    }

    /// Whether a geometry says where something is.
    private func place(_ type: JSON, _ coordinates: JSON, _ members: inout [String: JSON]) -> Bool {
        switch type {
        case .text("Point"):
            guard case .list(let position) = coordinates, position.count >= 2 else { return false }
            members["lon"] = position[0]
            members["lat"] = position[1]
        case .text("Polygon") where hasAreas, .text("MultiPolygon") where hasAreas:
            let area = JSON.object(["type": type, "coordinates": coordinates])
            members["area"] = area
            guard members["lat"] == nil, members["lon"] == nil else { return true }
            // What is wrong with an area is told where it is read as one.
            let polygons = try? [Polygon](geoJSON: area, named: "area", vertices: .max)
            guard let inside = polygons?.placeInside else { return true }
            members["lon"] = .number(inside.longitude)
            members["lat"] = .number(inside.latitude)
        default: return false
        }
        return true
    }

    private static func written(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension FieldError {
    fileprivate static let noFeature = row("is no GeoJSON Feature", .type)
}
