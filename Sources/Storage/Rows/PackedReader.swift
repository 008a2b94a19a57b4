internal import Foundation
internal import Model

/// Reads little-endian numbers out of a packed row, and says what the row should have been where it ends too early.
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
