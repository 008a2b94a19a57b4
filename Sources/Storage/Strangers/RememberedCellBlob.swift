internal import Foundation
internal import Geo
internal import Model

/// The packed format of remembered cells.
extension RememberedCell {
    /// The time value that marks a zone.
    private static let never = Int64.min

    /// Time, sequence, latitude, longitude and cell of each, little endian.
    static func pack(_ cells: [RememberedCell]) -> Data {
        var data: [UInt8] = []
        for cell in cells {
            data.append(packed: cell.key?.time.milliseconds ?? never)
            data.append(packed: cell.key?.sequence ?? 0)
            data.append(packed: cell.place.latitudeE7)
            data.append(packed: cell.place.longitudeE7)
            data.append(packed: cell.cell.id)
        }
        return Data(data)
    }

    /// - Throws: ``StorageError/damaged(_:)`` for bytes that ``pack(_:)`` did not produce.
    static func unpack(_ data: Data) throws(StorageError) -> [RememberedCell] {
        var reader = PackedReader(bytes: data, of: "remembered_places")
        var cells: [RememberedCell] = []
        while !reader.isAtEnd {
            let time = try reader.timestamp()
            let key = PingKey(time: time, sequence: try reader.integer(UInt8.self))
            let place = try reader.place()
            guard let place, let cell = CubeCell(id: try reader.integer(UInt64.self)) else {
                throw .damaged("remembered_places at impossible places")
            }
            cells.append(RememberedCell(key: time.milliseconds == never ? nil : key, place: place, cell: cell))
        }
        return cells
    }
}
