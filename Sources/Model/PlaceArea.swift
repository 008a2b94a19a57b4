public import Geo

/// The area of a place, ready to be asked what lies in it.
///
/// It is prepared once, where it is read, and shared by all that hold the place. Two are equal if they were given alike.
public struct PlaceArea: Sendable {
    private final class Prepared: Sendable {
        let shape: Fence.Area
        let covered: CoveredArea

        init(_ shape: Fence.Area, _ covered: CoveredArea) { (self.shape, self.covered) = (shape, covered) }
    }

    private let prepared: Prepared

    /// Prepares an area; nil for one that is nowhere in particular.
    ///
    /// - Complexity: O(n log n), and that of a cover; counted as `Effort`.
    public init?(_ shape: Fence.Area) {
        guard let area = FencedArea(shape) else { return nil }
        prepared = Prepared(shape, CoveredArea(area))
    }

    /// As it was given.
    public var shape: Fence.Area { prepared.shape }
    /// The same with its cells.
    public var covered: CoveredArea { prepared.covered }
    /// The number of places by which it was given.
    public var vertexCount: Int { prepared.covered.area.vertexCount }

    /// Whether a place lies in the area or on its border; `steps` grows by what it took, as `Effort` counts.
    public func contains(_ place: Coordinate, steps: inout Int) -> Bool {
        prepared.covered.area.contains(place, steps: &steps)
    }
}

extension PlaceArea: Hashable {
    /// Whether both were given alike.
    public static func == (a: PlaceArea, b: PlaceArea) -> Bool { a.prepared === b.prepared || a.shape == b.shape }

    /// By how it was given.
    public func hash(into hasher: inout Hasher) { hasher.combine(shape) }
}

/// What is written is how it was given.
extension PlaceArea: Codable {
    /// Prepares what was written.
    public init(from decoder: any Decoder) throws {
        guard let area = PlaceArea(try Fence.Area(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no area of a place"))
        }
        self = area
    }

    /// Writes how it was given.
    public func encode(to encoder: any Encoder) throws { try shape.encode(to: encoder) }
}

extension FencedArea {
    /// The area of a fence; nil for one that is no place, or is that of others.
    package init?(_ area: Fence.Area) {
        switch area {
        case .circle(let centre, let metres): self = .circle(centre, metres: metres)
        case .corridor(let line, let metres): self = .corridor(line, metres: metres)
        case .polygons(let polygons): self = .polygons(polygons)
        case .place, .places, .person, .anywhere: return nil
        }
    }
}
