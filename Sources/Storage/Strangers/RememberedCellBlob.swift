internal import Foundation
internal import Geo
internal import Model

/// How remembered cells are written.
extension RememberedCell {
    private static let size = 25
    /// What stands for the time of a zone.
    private static let never = Int64.min

    /// Time, sequence, latitude, longitude and cell of each, little-endian.
    static func pack(_ cells: [RememberedCell]) -> Data {
        var data = Data(capacity: cells.count * size)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        for cell in cells {
            append(cell.key?.time.milliseconds ?? never)
            append(cell.key?.sequence ?? 0)
            append(cell.place.latitudeE7)
            append(cell.place.longitudeE7)
            append(cell.cell.id)
        }
        return data
    }

    /// - Throws: ``StorageError/damaged(_:)`` for bytes that ``pack(_:)`` did not make.
    static func unpack(_ data: Data) throws(StorageError) -> [RememberedCell] {
        guard data.count % size == 0 else { throw .damaged("haunts of \(data.count) bytes") }
        let cells = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: size).compactMap { start -> RememberedCell? in
                func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
                    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: type))
                }
                let place = Coordinate(
                    latitudeE7: number(9, Int32.self), longitudeE7: number(13, Int32.self))
                guard let place, let cell = CubeCell(id: number(17, UInt64.self)) else { return nil }
                let time = number(0, Int64.self)
                let key = PingKey(time: Timestamp(milliseconds: time), sequence: number(8, UInt8.self))
                return RememberedCell(key: time == never ? nil : key, place: place, cell: cell)
            }
        }
        guard cells.count * size == data.count else { throw .damaged("haunts at impossible places") }
        return cells
    }
}
