package import Geo
internal import Laws

/// The crowd's own stores and products, so that other stores never match searches for them.
package struct Shops: Sendable {
    package struct Store: Sendable {
        package var id: String
        package var place: Coordinate
        /// The quantity by size, by product.
        package var stock: [Int: [Int: Int]]

        package init(id: String, place: Coordinate, stock: [Int: [Int: Int]]) {
            self.id = id
            self.place = place
            self.stock = stock
        }
    }

    static let products = 25
    static let sizes = 35...45
    /// Number of people per store.
    private static let customers = 20
    /// The share of products that a store has.
    private static let assortment = 0.3

    package let stores: [Store]

    package init(stores: [Store]) { self.stores = stores }

    /// Creates stores near random homes.
    init(homes: [Coordinate], names: Names, seed: UInt64) {
        stores = (0..<max(3, homes.count / Self.customers)).map { number in
            var random = SeededGenerator(seed: seed, person: number, .place)
            let home = homes[random.index(below: homes.count)]
            var stock: [Int: [Int: Int]] = [:]
            for product in 0..<Self.products where random.chance(Self.assortment) {
                for size in Self.sizes {
                    stock[product, default: [:]][size] = random.chance(0.6) ? 1 + random.index(below: 5) : 0
                }
            }
            return Store(
                id: names.store(number), place: random.place(around: home, within: 5_000), stock: stock)
        }
    }

    /// The stores with a product, in a size if given, nearest first, by a scan of all stores.
    package func nearest(
        to place: Coordinate, having product: Int, size: Int?, limit: Int
    ) -> [StoreSeen] {
        let having = stores.compactMap { store -> (distance: Double, seen: StoreSeen)? in
            let stocked = store.stock[product, default: [:]].filter { $0.value > 0 && (size == nil || $0.key == size) }
            guard !stocked.isEmpty else { return nil }
            let distance = Geodesic.distance(from: place, to: store.place)
            let sizes = stocked.map { ("EU:\($0.key)", $0.value) }
            return (
                distance,
                StoreSeen(
                    id: store.id, distance: (distance * 10).rounded() / 10,
                    sizes: Dictionary(sizes, uniquingKeysWith: { a, _ in a }))
            )
        }
        return having.sorted { a, b in
            ((a.distance * 1e6).rounded(), a.seen.id) < ((b.distance * 1e6).rounded(), b.seen.id)
        }.prefix(limit).map(\.seen)
    }
}
