internal import Model

/// How many products and rows of stock have a size of each system, such as `EU`.
struct SizeSystems: Sendable {
    private var counts: [Substring: Int] = [:]

    /// Counts sizes once more for 1, once less for -1.
    mutating func count(_ sizes: [ProductSize], _ step: Int) {
        for system in sizes.compactMap(\.system) {
            let count = counts[system, default: 0] + step
            counts[system] = count == 0 ? nil : count
        }
    }

    /// What a number alone means: that number in the only system.
    ///
    /// Nil for other sizes, and if there is no system, or more than one.
    func meant(by size: ProductSize) -> ProductSize? {
        guard counts.count == 1, let system = counts.keys.first, size.isBareNumber else { return nil }
        return ProductSize("\(system):\(size.text)")
    }
}
