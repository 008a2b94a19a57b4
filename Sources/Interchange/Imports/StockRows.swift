internal import Discovery
internal import Model

/// Joins consecutive rows of an import that each give one size of the same product in the same store.
struct StockRows: Sendable {
    /// The stock joined from the rows so far.
    private var last: StockItem?
    /// Hashes of the stock in earlier rows of one size, to detect repetitions in a file of any length with little
    /// memory.
    private var before: Set<Int> = []

    /// The row joined with the previous rows of the same stock.
    ///
    /// - Throws: ``FormError`` for a contradicting size or price, and if the rows of the stock are not consecutive.
    mutating func joined(_ item: StockItem) throws(FormError) -> StockItem {
        guard item.sizes.count == 1, let size = item.sizes.first?.size, size != .none else {
            last = nil
            return item
        }
        guard let rest = last, rest.isAboutSame(as: item) else {
            guard before.insert(item.place).inserted else {
                throw Self.fault("/product", "has earlier rows: rows of one product in one store must be adjacent")
            }
            last = item
            return item
        }
        guard !rest.sizes.contains(where: { $0.size == size }) else {
            throw Self.fault("/sizes", "has '\(size.text)', like an earlier row")
        }
        guard item.price == nil || rest.price == nil || item.price == rest.price else {
            throw Self.fault("/price", "differs from the previous row of the same product in the same store")
        }
        let whole = StockItem(
            store: item.store, product: item.product, price: item.price ?? rest.price, sizes: rest.sizes + item.sizes)
        last = whole
        return whole
    }

    private static func fault(_ pointer: String, _ detail: String) -> FormError {
        .invalid([FieldError(pointer: pointer, code: .mismatch, detail: detail)])
    }
}

extension StockItem {
    fileprivate func isAboutSame(as other: StockItem) -> Bool { store == other.store && product == other.product }

    /// A hash of the store and the product.
    fileprivate var place: Int {
        var hasher = Hasher()
        hasher.combine(store)
        hasher.combine(product)
        return hasher.finalize()
    }
}

extension ImportItem {
    /// The item joined with previous rows of the same stock.
    func joined(by rows: inout StockRows) throws(FormError) -> ImportItem {
        guard case .write(.stock(let put)) = self else { return self }
        return .write(.stock(PutStockItem(try rows.joined(put.item))))
    }
}
