internal import Foundation
internal import Geo

/// A point in SpatiaLite's format: 60 bytes, little endian, SRID 4326, x = longitude and y = latitude in degrees.
///
/// Source: "The SpatiaLite BLOB-Geometry format", https://www.gaia-gis.it/gaia-sins/BLOB-Geometry.html.
enum PointBlob {
    static let length = 60

    static func encode(_ place: Coordinate) -> Data { Data(bytes(of: place)) }

    static func bytes(of place: Coordinate) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        let x = place.longitude.bitPattern
        let y = place.latitude.bitPattern
        bytes.append(packed: UInt16(0x0100))
        bytes.append(packed: Int32(4326))
        for corner in [x, y, x, y] { bytes.append(packed: corner) }
        bytes.append(packed: UInt8(0x7c))
        bytes.append(packed: Int32(1))
        bytes.append(packed: x)
        bytes.append(packed: y)
        bytes.append(packed: UInt8(0xfe))
        return bytes
    }

    /// The place of a point; nil for anything that is not a point of SRID 4326.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Coordinate? {
        guard bytes.count == length, bytes[0] == 0, bytes[1] == 1, bytes[38] == 0x7c, bytes[59] == 0xfe,
            Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 2, as: Int32.self)) == 4326,
            Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 39, as: Int32.self)) == 1
        else { return nil }
        func double(_ offset: Int) -> Double {
            Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        return try? Coordinate(latitude: double(51), longitude: double(43))
    }
}
