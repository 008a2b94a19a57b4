internal import Model

/// The IDs in a complete import file; places, products and stock that it lacks may be deleted.
public struct CompleteFile: Sendable {
    private var places: Set<PlaceID> = []
    private var kinds: Set<String> = []
    private var products: Set<ProductID> = []
    private var stock: [PlaceID: Set<ProductID>] = [:]

    /// An empty file.
    public init() {}

    /// Adds a row.
    public mutating func take(_ row: Import) {
        switch row {
        case .place(let put):
            places.insert(put.write.value.id)
            kinds.insert(put.write.value.kind)
        case .product(let put): products.insert(put.write.value.id)
        case .stock(let put): stock[put.item.store, default: []].insert(put.item.product)
        case .person, .friends: break
        }
    }

    /// Whether the file has the place's kind, the place has no owner, and the file does not contain it.
    func lacks(_ place: Place) -> Bool {
        kinds.contains(place.kind) && place.owner == nil && !places.contains(place.id)
    }

    /// Whether the file contains products, but not this one.
    func lacks(_ product: Product) -> Bool { !products.isEmpty && !products.contains(product.id) }

    /// The stores that the file names, with the products that it lists for each.
    var stores: [PlaceID: Set<ProductID>] { stock }
}
