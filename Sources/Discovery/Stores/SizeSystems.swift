internal import Model

/// How many products and rows of stock have a size of each system, such as `EU`.
struct SizeSystems: Sendable {
    private var counts: [Substring: Int] = [:]

    mutating func add(_ size: ProductSize, _ times: Int) {
        guard let system = size.system else { return }
        let count = counts[system, default: 0] + times
        counts[system] = count == 0 ? nil : count
    }

    /// A number without a system, in the system of all sizes that name one; nil if they name none or several.
    func meant(by size: ProductSize) -> ProductSize? {
        guard counts.count == 1, let system = counts.keys.first, size.isBareNumber else { return nil }
        return ProductSize("\(system):\(size.text)")
    }
}

extension Picture {
    /// A filter by which `37` also finds `EU:37`, where the catalogue has sizes of no system but `EU`.
    ///
    /// - Complexity: O(sizes of the filter).
    public func knowingSystems(_ filter: ProductFilter) -> ProductFilter {
        var filter = filter
        filter.sizes += filter.sizes.compactMap(catalogue.inventory.systems.meant(by:))
        return filter
    }
}
