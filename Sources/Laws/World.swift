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
    init(_ random: inout SeededGenerator, upTo limit: Int, isChecked: Bool = false) throws {
        self.isChecked = isChecked
        let style = random.integer(0...3)
        let centre = random.place()
        for handle in 0..<random.integer(0...limit) {
            // The order of ids must differ from the order of handles.
            _ = ids.insert("\(random.next() % 1000)-\(handle)")
            try put(
                Int32(handle), at: Self.place(&random, style, centre, self), signature: random.next() & random.next())
        }
        for _ in 0..<random.integer(0...limit) where ids.count > 0 {
            let handle = Int32(random.integer(0...ids.count - 1))
            switch random.integer(0...3) {
            case 0: try remove(handle)
            case 1:
                try put(
                    handle, at: random.jittered(Self.place(&random, style, centre, self), metres: 100), signature: 1)
            default:
                try put(handle, at: Self.place(&random, style, centre, self), signature: random.next() & random.next())
            }
        }
    }

    /// A position in one of four styles: scattered, one city, one city with a few remote places, or many at the same
    /// spots.
    private static func place(
        _ random: inout SeededGenerator, _ style: Int, _ centre: Coordinate, _ world: borrowing World
    )
        -> Coordinate
    {
        switch style {
        case 0: return random.place()
        case 1: return random.jittered(centre, metres: 5000)
        case 2: return random.chance(0.05) ? random.place() : random.jittered(centre, metres: 200)
        default:
            let known = world.reference.places.keys.min().flatMap { world.reference.places[$0] }
            return random.chance(0.7) ? known ?? centre : random.place()
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
    func origin(_ random: inout SeededGenerator) -> Coordinate {
        let known = reference.places.keys.sorted().first { _ in random.chance(0.1) }.flatMap { reference.places[$0] }
        guard let known else { return random.place() }
        switch random.integer(0...3) {
        case 0: return known
        case 1: return random.jittered(known, metres: 1000)
        case 2: return random.antipode(of: known)
        default: return random.place()
        }
    }
}
