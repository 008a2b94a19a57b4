import Geo

/// A grid and its reference, which receive the same changes.
struct World: ~Copyable {
    var grid = Grid()
    var reference = BruteForce()
    var ids = Identifiers()
    private let isChecked: Bool

    /// A random number of entities at random places, some of which are moved, updated or removed.
    ///
    /// With `isChecked` the grid's invariants are checked after every change.
    ///
    /// - Throws: ``Broken`` if an invariant is violated.
    init(_ dice: inout SeededGenerator, upTo limit: Int, isChecked: Bool = false) throws {
        self.isChecked = isChecked
        let style = dice.integer(0...3)
        let centre = dice.place()
        for handle in 0..<dice.integer(0...limit) {
            // The order of ids must differ from the order of handles.
            _ = ids.insert("\(dice.next() % 1000)-\(handle)")
            try put(Int32(handle), at: Self.place(&dice, style, centre, self), signature: dice.next() & dice.next())
        }
        for _ in 0..<dice.integer(0...limit) where ids.count > 0 {
            let handle = Int32(dice.integer(0...ids.count - 1))
            switch dice.integer(0...3) {
            case 0: try remove(handle)
            case 1:
                try put(handle, at: dice.jittered(Self.place(&dice, style, centre, self), metres: 100), signature: 1)
            default: try put(handle, at: Self.place(&dice, style, centre, self), signature: dice.next() & dice.next())
            }
        }
    }

    /// A position in one of four styles: scattered, one city, one city with a few remote places, or many at the same
    /// spots.
    private static func place(
        _ dice: inout SeededGenerator, _ style: Int, _ centre: Coordinate, _ world: borrowing World
    )
        -> Coordinate
    {
        switch style {
        case 0: return dice.place()
        case 1: return dice.jittered(centre, metres: 5000)
        case 2: return dice.chance(0.05) ? dice.place() : dice.jittered(centre, metres: 200)
        default:
            let known = world.reference.places.keys.min().flatMap { world.reference.places[$0] }
            return dice.chance(0.7) ? known ?? centre : dice.place()
        }
    }

    mutating func put(_ handle: Int32, at place: Coordinate, signature: UInt64) throws {
        grid.upsert(handle, at: place, signature: signature)
        reference.upsert(handle, at: place, signature: signature)
        try checkInvariants()
    }

    mutating func remove(_ handle: Int32) throws {
        try demand(
            grid.remove(handle) == (reference.places[handle] != nil), "removal of \(handle) returns the wrong value")
        reference.remove(handle)
        try checkInvariants()
    }

    private func checkInvariants() throws {
        if isChecked, let fault = grid.brokenInvariant() { throw Broken(fault) }
    }

    /// A search origin: anywhere, at an entity, near one, or at its antipode.
    func origin(_ dice: inout SeededGenerator) -> Coordinate {
        let known = reference.places.keys.sorted().first { _ in dice.chance(0.1) }.flatMap { reference.places[$0] }
        guard let known else { return dice.place() }
        switch dice.integer(0...3) {
        case 0: return known
        case 1: return dice.jittered(known, metres: 1000)
        case 2: return dice.antipode(of: known)
        default: return dice.place()
        }
    }
}
