internal import Foundation
internal import Geo
internal import Model

extension [UInt8] {
    /// Appends a number in the format of packed rows.
    mutating func append(packed value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends both ends of each gap, in milliseconds.
    mutating func append(packed gaps: [Stay.Gap]) {
        for time in gaps.flatMap({ [$0.from, $0.to] }) { append(packed: time.milliseconds) }
    }
}

/// Reads little-endian numbers from a packed row; errors name the kind of row.
struct PackedReader {
    let bytes: Data
    let name: String
    private(set) var offset: Int

    init(bytes: Data, of name: String, offset: Int = 0) {
        self.bytes = bytes
        self.name = name
        self.offset = offset
    }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func version(upTo newest: UInt8) throws(StorageError) -> UInt8 {
        let version = try integer(UInt8.self)
        guard (1...newest).contains(version) else { throw .damaged("\(name) of another version") }
        return version
    }

    mutating func skip(_ count: Int) throws(StorageError) {
        guard offset + count <= bytes.count else { throw .damaged("\(name) cut short") }
        offset += count
    }

    mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(StorageError) -> Integer {
        let start = offset
        try skip(MemoryLayout<Integer>.size)
        return bytes.withUnsafeBytes {
            Integer(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Integer.self))
        }
    }

    mutating func timestamp() throws(StorageError) -> Timestamp {
        Timestamp(milliseconds: try integer(Int64.self))
    }

    /// nil for an impossible place.
    mutating func place() throws(StorageError) -> Coordinate? {
        Coordinate(latitudeE7: try integer(Int32.self), longitudeE7: try integer(Int32.self))
    }

    mutating func gap() throws(StorageError) -> Stay.Gap { Stay.Gap(from: try timestamp(), to: try timestamp()) }

    mutating func number() throws(StorageError) -> Float? {
        let number = Float(bitPattern: try integer(UInt32.self))
        return number.isNaN ? nil : number
    }

    mutating func text(length: Int) throws(StorageError) -> String {
        let start = offset
        try skip(length)
        return bytes.withUnsafeBytes { String(decoding: $0[start..<start + length], as: UTF8.self) }
    }
}
