internal import Foundation
internal import Geo
internal import Model

/// The stored area of a place or a fence: well-known binary, little endian, x = longitude and y = latitude in degrees.
///
/// A Point is the center of a circle, a LineString the line of a corridor; their radius is in another column.
/// SpatiaLite reads the geometry with `GeomFromWKB`. Source: OGC 06-103r4, "Simple feature access", 8.2.
enum AreaBlob {
    private enum Kind: UInt32 { case point = 1, line, polygon, polygons = 6 }

    private static let littleEndian: UInt8 = 1
    private static let name = "the area"

    /// The geometry and the radius around it in meters; nil for an area without a location.
    static func encode(_ area: Fence.Area) -> (geometry: Data, within: Double?)? {
        var bytes: [UInt8] = []
        var within: Double?
        switch area {
        case .circle(let centre, let metres):
            head(.point, &bytes)
            append(centre.longitudeE7, centre.latitudeE7, &bytes)
            within = metres
        case .corridor(let line, let metres):
            head(.line, &bytes)
            bytes.append(packed: UInt32(line.count))
            for place in line { append(place.longitudeE7, place.latitudeE7, &bytes) }
            within = metres
        case .polygons(let polygons):
            if polygons.count != 1 {
                head(.polygons, &bytes)
                bytes.append(packed: UInt32(polygons.count))
            }
            for polygon in polygons { append(polygon, &bytes) }
        case .place, .places, .person, .anywhere: return nil
        }
        return (Data(bytes), within)
    }

    private static func head(_ kind: Kind, _ bytes: inout [UInt8]) {
        bytes.append(littleEndian)
        bytes.append(packed: kind.rawValue)
    }

    private static func append(_ longitudeE7: Int32, _ latitudeE7: Int32, _ bytes: inout [UInt8]) {
        for number in [longitudeE7, latitudeE7] { bytes.append(packed: (Double(number) / 1e7).bitPattern) }
    }

    private static func append(_ polygon: Polygon, _ bytes: inout [UInt8]) {
        head(.polygon, &bytes)
        let rings = polygon.rings
        bytes.append(packed: UInt32(rings.count))
        for ring in rings {
            bytes.append(packed: UInt32(ring.count))
            for vertex in ring { append(vertex.longitudeE7, vertex.latitudeE7, &bytes) }
        }
    }

    static func decode(_ geometry: Data, within metres: Double?) throws(StorageError) -> Fence.Area {
        var reader = PackedReader(bytes: geometry, of: name)
        let area = try shape(&reader, within: metres)
        guard reader.isAtEnd else { throw .damaged("\(name), which is longer than its stated length") }
        return area
    }

    private static func shape(_ reader: inout PackedReader, within metres: Double?) throws(StorageError) -> Fence.Area {
        switch (try kind(&reader), metres) {
        case (.point, let metres?): return .circle(try place(position(&reader)), metres: metres)
        case (.line, let metres?):
            var line: [Coordinate] = []
            for position in try positions(&reader) { line.append(try place(position)) }
            return .corridor(line, metres: metres)
        case (.polygon, nil): return .polygons([try polygon(&reader)])
        case (.polygons, nil):
            var polygons: [Polygon] = []
            for _ in 0..<(try reader.integer(UInt32.self)) {
                guard try kind(&reader) == .polygon else { throw .damaged("\(name), which has not only polygons") }
                polygons.append(try polygon(&reader))
            }
            return .polygons(polygons)
        default: throw .damaged("\(name), whose radius does not match")
        }
    }

    private static func kind(_ reader: inout PackedReader) throws(StorageError) -> Kind {
        guard try reader.integer(UInt8.self) == littleEndian, let kind = Kind(rawValue: try reader.integer(UInt32.self))
        else { throw .damaged("\(name) of an unknown kind") }
        return kind
    }

    private static func polygon(_ reader: inout PackedReader) throws(StorageError) -> Polygon {
        var rings: [[(longitude: Double, latitude: Double)]] = []
        for _ in 0..<(try reader.integer(UInt32.self)) { rings.append(try positions(&reader)) }
        do { return try Polygon(rings: rings) } catch { throw .damaged("\(name): \(error)") }
    }

    private static func positions(
        _ reader: inout PackedReader
    ) throws(StorageError) -> [(longitude: Double, latitude: Double)] {
        var positions: [(longitude: Double, latitude: Double)] = []
        for _ in 0..<(try reader.integer(UInt32.self)) { positions.append(try position(&reader)) }
        return positions
    }

    private static func position(
        _ reader: inout PackedReader
    ) throws(StorageError) -> (longitude: Double, latitude: Double) {
        let x = Double(bitPattern: try reader.integer(UInt64.self))
        return (x, Double(bitPattern: try reader.integer(UInt64.self)))
    }

    private static func place(
        _ position: (longitude: Double, latitude: Double)
    ) throws(StorageError) -> Coordinate {
        do { return try Coordinate(latitude: position.latitude, longitude: position.longitude) } catch {
            throw .damaged("\(name): \(error)")
        }
    }
}
