internal import Geo
internal import Model

/// The places of each kind in the order of map tiles: places without an owner, each owner's, and all owned ones.
struct PlaceTiles: Sendable {
    /// The owners of the places of an index.
    enum Owner: Hashable {
        case none, any, person(PersonID)
    }

    private struct Key: Hashable {
        let kind: Int32
        let owner: Owner
    }

    private var indexes: [Key: TileIndex] = [:]

    init() {}

    /// - Complexity: O(n log n).
    init(_ entries: some Sequence<PlaceIndex.Entry>) {
        var groups: [Key: [(handle: Int32, place: Coordinate, stamp: UInt32)]] = [:]
        for entry in entries {
            guard let place = entry.record.value.coordinate else { continue }
            for key in Self.keys(of: entry) {
                groups[key, default: []].append((entry.record.number.rawValue, place, entry.stamp))
            }
        }
        indexes = groups.mapValues(TileIndex.init)
    }

    /// The bytes of memory of the indexes.
    var bytes: Int { indexes.values.reduce(0) { $0 + 64 + $1.bytes } }

    /// The index of the places of a kind; nil if there are none.
    func index(ofKind kind: Int32, ownedBy owner: Owner) -> TileIndex? { indexes[Key(kind: kind, owner: owner)] }

    /// Replaces an entry, or inserts or removes one.
    mutating func change(from old: PlaceIndex.Entry?, to new: PlaceIndex.Entry?) {
        if let old, let place = old.record.value.coordinate {
            for key in Self.keys(of: old) {
                indexes[key]?.remove(old.record.number.rawValue, at: place)
                if indexes[key]?.isEmpty ?? false { indexes[key] = nil }
            }
        }
        if let new, let place = new.record.value.coordinate {
            for key in Self.keys(of: new) {
                indexes[key, default: TileIndex()].insert(new.record.number.rawValue, at: place, stamp: new.stamp)
            }
        }
    }

    private static func keys(of entry: PlaceIndex.Entry) -> [Key] {
        let owners: [Owner] = entry.record.value.owner.map { [.any, .person($0)] } ?? [.none]
        return owners.map { Key(kind: entry.kind, owner: $0) }
    }
}

extension PlaceIndex.Entry {
    /// A hash of number and revision (the finalizer of SplitMix64).
    fileprivate var stamp: UInt32 {
        var bits = UInt64(bitPattern: record.revision) &+ UInt64(record.number.rawValue) &* 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return UInt32(truncatingIfNeeded: bits >> 32)
    }
}
