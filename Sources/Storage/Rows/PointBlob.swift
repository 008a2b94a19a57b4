internal import Foundation
internal import Geo

/// A point as SpatiaLite keeps it: 60 bytes, little endian, SRID 4326, x = longitude and y = latitude in degrees.
///
/// Source: "The SpatiaLite BLOB-Geometry format", https://www.gaia-gis.it/gaia-sins/BLOB-Geometry.html.
enum PointBlob {
    static let length = 60

    static func encode(_ place: Coordinate) -> Data {
        var bytes = Data(capacity: length)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        let x = place.longitude.bitPattern
        let y = place.latitude.bitPattern
        append(UInt16(0x0100))
        append(Int32(4326))
        for corner in [x, y, x, y] { append(corner) }
        append(UInt8(0x7c))
        append(Int32(1))
        append(x)
        append(y)
        append(UInt8(0xfe))
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
