package import Discovery
package import Geo
internal import Model

/// A tile of points with one layer, in the format Mapbox Vector Tile 2.1.
package struct VectorTile {
    /// A value of an attribute.
    private enum Value: Hashable {
        case text(String), count(Int)
    }

    /// The name of the layer.
    package static let layer = "places"
    /// The attributes of points; a place has the first ones, and a cluster only its number of places.
    package static let attributes = ["id", "name", "kind", "category", "count"]

    private var features = ProtobufWriter()
    private var values: [Value: Int] = [:]
    private var writtenValues = ProtobufWriter()

    /// Encodes the places and clusters of a tile.
    package init(_ items: [PlaceCluster], in tile: MapTile) {
        for item in items {
            guard let point = tile.position(of: item.coordinate) else { continue }
            guard let place = item.place else {
                add(point, ["count": .count(item.count)])
                continue
            }
            var values: [String: Value] = [
                "id": .text(place.id.text), "name": .text(place.name), "kind": .text(place.kind),
            ]
            values["category"] = place.category.map(Value.text)
            add(point, values)
        }
    }

    /// The encoded tile; empty without points.
    package var bytes: [UInt8] {
        guard !features.bytes.isEmpty else { return [] }
        var layer = ProtobufWriter()
        layer.write(2, forField: 15)
        layer.write(Self.layer.utf8, forField: 1)
        layer.append(features)
        for attribute in Self.attributes { layer.write(attribute.utf8, forField: 3) }
        layer.append(writtenValues)
        layer.write(UInt64(MapTile.extent), forField: 5)
        var tile = ProtobufWriter()
        tile.write(layer.bytes, forField: 3)
        return tile.bytes
    }

    private mutating func add(_ point: (x: Int, y: Int), _ attributes: [String: Value]) {
        var tags = ProtobufWriter()
        for (key, attribute) in Self.attributes.enumerated() {
            guard let value = attributes[attribute] else { continue }
            tags.write(UInt64(key))
            tags.write(UInt64(number(of: value)))
        }
        var geometry = ProtobufWriter()
        // The command MoveTo (1), once.
        geometry.write(1 | 1 << 3)
        geometry.write(zigzag: point.x)
        geometry.write(zigzag: point.y)
        var feature = ProtobufWriter()
        feature.write(tags.bytes, forField: 2)
        // The type of geometry: point.
        feature.write(1, forField: 3)
        feature.write(geometry.bytes, forField: 4)
        features.write(feature.bytes, forField: 2)
    }

    /// The index of a value in the layer, which has each value once.
    private mutating func number(of value: Value) -> Int {
        if let number = values[value] { return number }
        var written = ProtobufWriter()
        switch value {
        case .text(let text): written.write(text.utf8, forField: 1)
        case .count(let count): written.write(UInt64(count), forField: 5)
        }
        writtenValues.write(written.bytes, forField: 4)
        values[value] = values.count
        return values.count - 1
    }
}

/// A message in the wire format of Protocol Buffers.
private struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ other: ProtobufWriter) { bytes += other.bytes }

    /// Writes an integer in base 128, the lowest digit first.
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(zigzag number: Int) { write(UInt64(bitPattern: Int64(number << 1 ^ number >> 63))) }

    mutating func write(_ number: UInt64, forField field: UInt64) {
        write(field << 3)
        write(number)
    }

    /// Writes a text, a message or packed integers.
    mutating func write(_ content: some Collection<UInt8>, forField field: UInt64) {
        write(field << 3 | 2)
        write(UInt64(content.count))
        bytes += content
    }
}
