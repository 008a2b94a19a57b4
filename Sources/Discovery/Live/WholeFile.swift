internal import Model

/// What a whole file has of places, products or stock: what there is beside it may be deleted.
public struct WholeFile: Sendable {
    private var places: Set<PlaceID> = []
    private var kinds: Set<String> = []
    private var products: Set<ProductID> = []
    private var stock: [PlaceID: Set<ProductID>] = [:]

    /// Of a file of which nothing was read yet.
    public init() {}

    /// Takes note of a row.
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

    /// Whether a place is of a kind that the file has, belongs to nobody, and is not in the file.
    func lacks(_ place: Place) -> Bool {
        kinds.contains(place.kind) && place.owner == nil && !places.contains(place.id)
    }

    /// Whether the file has products, and not this one.
    func lacks(_ product: Product) -> Bool { !products.isEmpty && !products.contains(product.id) }

    /// The stores that the file names, with what it says that they have.
    var stores: [PlaceID: Set<ProductID>] { stock }
}
