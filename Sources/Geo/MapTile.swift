internal import Glibc

/// A tile of a Web Mercator map (EPSG:3857), named like `{z}/{x}/{y}` in addresses of tiles: y counts from the north.
public struct MapTile: Hashable, Sendable {
    /// The zoom levels: level 0 is one tile, and each further level divides a tile into four.
    public static let zooms = 0...18
    /// The units of ``position(of:)`` along a side.
    public static let extent = 1 << extentBits
    private static let extentBits = 12

    /// The zoom level, the column from the west, and the row from the north.
    public let zoom, x, y: Int

    /// Creates a tile; nil for a zoom level, column or row that no tile has.
    public init?(zoom: Int, x: Int, y: Int) {
        guard Self.zooms.contains(zoom), x >> zoom == 0, y >> zoom == 0 else { return nil }
        (self.zoom, self.x, self.y) = (zoom, x, y)
    }

    /// The tile of a zoom level that contains a place; nil for a place that is on no Web Mercator map.
    ///
    /// A place is on the map up to 85.05° north or south. Longitude 180° is at the western edge.
    ///
    /// - Precondition: `zoom` is in ``zooms``.
    public init?(containing place: Coordinate, zoom: Int) {
        guard let point = MapPoint(place) else { return nil }
        let shift = MapPoint.bits - zoom
        self.init(zoom: zoom, x: Int(point.x >> shift), y: Int(point.y >> shift))
    }

    /// The position of a place in the tile, in ``extent``-ths of its side from the north-western corner; nil outside.
    public func position(of place: Coordinate) -> (x: Int, y: Int)? {
        guard let point = MapPoint(place), MapTile(containing: place, zoom: zoom) == self else { return nil }
        let shift = MapPoint.bits - zoom - Self.extentBits
        return (Int(point.x >> shift) & (Self.extent - 1), Int(point.y >> shift) & (Self.extent - 1))
    }

    /// The Z-order codes of all points in the tile.
    var codes: Range<UInt64> {
        let shift = MapPoint.bits - zoom
        let first = Morton.interleave(UInt32(x), UInt32(y)) << UInt64(2 * shift)
        return first..<first + 1 << UInt64(2 * shift)
    }
}

/// A point of the Web Mercator map in steps of 2^-30 of its side, about 4 cm at the equator, from the north-western
/// corner.
struct MapPoint {
    static let bits = 30

    let x, y: UInt32

    /// Creates the point of a place; nil beyond 85.05° north or south.
    init?(_ place: Coordinate) {
        let side = Double(1 << Self.bits)
        let south = 0.5 - atanh(sin(place.latitude * .pi / 180)) / (2 * .pi)
        guard (0..<1).contains(south) else { return nil }
        // Longitude 180° is -180°.
        x = UInt32((place.longitude + 180) / 360 * side) & (1 << UInt32(Self.bits) - 1)
        y = UInt32(south * side)
    }

    /// The position in Z-order.
    var code: UInt64 { Morton.interleave(x, y) }
}
