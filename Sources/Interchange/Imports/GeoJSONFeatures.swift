internal import Geo

/// Reads the features of a GeoJSON feature collection one at a time, as properties with the position of a Point as
/// `lat`, `lon`.
///
/// For kinds with areas a Polygon or MultiPolygon becomes `area`, with a position inside it unless the properties have
/// one.
package struct GeoJSONFeatures: ListedItems {
    package static let (list, item, whole) = ("features", "feature", "GeoJSON FeatureCollection")
    package static let fault = FieldError.row("is not a GeoJSON Feature", .type)

    let synonyms: Synonyms
    let hasAreas: Bool

    package func members(_ json: JSON, _ renamed: inout Set<String>) -> Result<[String: JSON], FieldError>? {
        guard case .object(let feature) = json, feature["type"] == .text("Feature") else { return .failure(Self.fault) }
        var members: [String: JSON] = [:]
        if case .object(let properties)? = feature["properties"] {
            // Programs that write maps often write missing values as null.
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
            let choice = hasAreas ? "is not a Point, Polygon or MultiPolygon" : "is not a Point"
            return .failure(FieldError(pointer: "/geometry", code: .type, detail: choice))
        }
        return .success(members)
    }

    /// Adds the position or area of a geometry to the members; false if the geometry is not supported.
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
            // Errors of an area are reported when it is read as one.
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
