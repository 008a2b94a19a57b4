internal import Model

/// The number of products and stock rows with a size in each system, such as `EU`.
struct SizeSystems: Sendable {
    private var counts: [Substring: Int] = [:]

    /// Adds `step` (1 or -1) to the counts of sizes.
    mutating func count(_ sizes: [ProductSize], _ step: Int) {
        for system in sizes.compactMap(\.system) {
            let count = counts[system, default: 0] + step
            counts[system] = count == 0 ? nil : count
        }
    }

    /// Interprets a bare number as a size of the only system.
    ///
    /// nil for other sizes, and unless exactly one system exists.
    func meant(by size: ProductSize) -> ProductSize? {
        guard counts.count == 1, let system = counts.keys.first, size.isBareNumber else { return nil }
        return ProductSize("\(system):\(size.text)")
    }
}
