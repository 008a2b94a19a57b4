internal import Foundation
internal import Geo
internal import Model

/// How remembered cells are written.
extension Haunt {
    private static let size = 25
    /// What stands for the time of a zone.
    private static let never = Int64.min

    /// Time, sequence, latitude, longitude and cell of each, little-endian.
    static func pack(_ haunts: [Haunt]) -> Data {
        var data = Data(capacity: haunts.count * size)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        for haunt in haunts {
            append(haunt.key?.time.milliseconds ?? never)
            append(haunt.key?.sequence ?? 0)
            append(haunt.place.latitudeE7)
            append(haunt.place.longitudeE7)
            append(haunt.cell.id)
        }
        return data
    }

    /// - Throws: ``StorageError/damaged(_:)`` for bytes that ``pack(_:)`` did not make.
    static func unpack(_ data: Data) throws(StorageError) -> [Haunt] {
        guard data.count % size == 0 else { throw .damaged("haunts of \(data.count) bytes") }
        let haunts = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: size).compactMap { start -> Haunt? in
                func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
                    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: type))
                }
                let place = Coordinate(
                    latitudeE7: number(9, Int32.self), longitudeE7: number(13, Int32.self))
                guard let place, let cell = CubeCell(id: number(17, UInt64.self)) else { return nil }
                let time = number(0, Int64.self)
                let key = PingKey(time: Timestamp(milliseconds: time), sequence: number(8, UInt8.self))
                return Haunt(key: time == never ? nil : key, place: place, cell: cell)
            }
        }
        guard haunts.count * size == data.count else { throw .damaged("haunts at impossible places") }
        return haunts
    }
}
