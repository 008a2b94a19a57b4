public import Geo

/// The area of a place, prepared for containment tests.
///
/// It is prepared once, when it is parsed, and shared by all copies of the place. Two areas are equal if their
/// definitions are.
public struct PlaceArea: Sendable {
    private final class Prepared: Sendable {
        let shape: Fence.Area
        let covered: CoveredArea

        init(_ shape: Fence.Area, _ covered: CoveredArea) { (self.shape, self.covered) = (shape, covered) }
    }

    private let prepared: Prepared

    /// Prepares an area; nil for an area without a location.
    ///
    /// - Complexity: O(n log n), and the cost of a cover; counted as `WorkBudget`.
    public init?(_ shape: Fence.Area) {
        guard let area = FencedArea(shape) else { return nil }
        prepared = Prepared(shape, CoveredArea(area))
    }

    /// The definition of the area.
    public var shape: Fence.Area { prepared.shape }
    /// The area with its covering cells.
    public var covered: CoveredArea { prepared.covered }
    /// The number of positions in the definition.
    public var vertexCount: Int { prepared.covered.area.vertexCount }

    /// Whether a place lies in the area or on its border; `steps` grows by the work done, as `WorkBudget` counts it.
    public func contains(_ place: Coordinate, steps: inout Int) -> Bool {
        prepared.covered.area.contains(place, steps: &steps)
    }
}

extension PlaceArea: Hashable {
    /// Whether the definitions are equal.
    public static func == (a: PlaceArea, b: PlaceArea) -> Bool { a.prepared === b.prepared || a.shape == b.shape }

    /// Hashes the definition.
    public func hash(into hasher: inout Hasher) { hasher.combine(shape) }
}

/// Coding of the definition.
extension PlaceArea: Codable {
    /// Decodes and prepares an area.
    public init(from decoder: any Decoder) throws {
        guard let area = PlaceArea(try Fence.Area(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no area of a place"))
        }
        self = area
    }

    /// Encodes the definition.
    public func encode(to encoder: any Encoder) throws { try shape.encode(to: encoder) }
}

extension FencedArea {
    /// The area of a fence; nil for an area without a location or derived from others.
    package init?(_ area: Fence.Area) {
        switch area {
        case .circle(let centre, let metres): self = .circle(centre, metres: metres)
        case .corridor(let line, let metres): self = .corridor(line, metres: metres)
        case .polygons(let polygons): self = .polygons(polygons)
        case .place, .places, .person, .anywhere: return nil
        }
    }
}
