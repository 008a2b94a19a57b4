package import Model

extension Product {
    /// Reads a product; unknown fields are rejected in an import too, so that none becomes public unnoticed.
    package init?(_ fields: inout Fields, id: ProductID? = nil) {
        guard let id = fields.ownID(id, reserved: ["facets"]) else { return nil }
        self.init(id: id, name: fields.requiredText("name", longest: 500) ?? "")
        brand = fields.text("brand")
        category = fields.text("category")
        gender = fields.text("gender")
        colors = fields.texts("colors")
        materials = fields.texts("materials")
        sizes = fields.texts("sizes").compactMap { text in
            let size = ProductSize(text)
            if size == nil { fields.fail("sizes", .format, "has '\(text)'; must have only sizes such as EU:37.5 or M") }
            return size
        }
        price = fields.money()
        description = fields.text("description", longest: 4000)
        url = fields.url("url")
        photo = fields.url("photo")
        // Lists have these members too, and a document from a list may be sent back.
        if !fields.form.isImport { fields.skip(["created", "favourites"]) }
        attributes = fields.allAttributes(takesOthers: false)
    }
}

extension StockItem {
    /// Reads a store's stock of a product.
    ///
    /// Sizes are an object of quantities, or in an import texts such as `EU:37=2`. In an import a size without a
    /// quantity counts as one, or as `quantity` if it is the only size. A product without sizes has a `quantity`, which
    /// is 1 by default. An empty cell of sizes is ambiguous and is rejected.
    package init?(_ fields: inout Fields, store: PlaceID? = nil, product: ProductID? = nil) {
        let store = store ?? fields.id("store")
        let product = product ?? fields.id("product")
        let price = fields.money()
        let quantity = fields.integer("quantity", 0...1_000_000).map { Int($0) }
        let sizes = fields.quantities(or: quantity)
        if fields.isEmptied("sizes"), quantity == nil {
            fields.fail(
                "sizes", .required, "is empty: give a quantity for each size, or 'quantity' for a product without sizes"
            )
        }
        fields.refuseOthers()
        guard let store, let product else { return nil }
        if let sizes {
            self.init(store: store, product: product, price: price, sizes: sizes)
        } else {
            let all = SizeQuantity(size: .none, quantity: quantity ?? 1)
            self.init(store: store, product: product, price: price, sizes: [all])
        }
    }
}

extension Fields {
    private typealias SizeEntry = (name: String, quantity: Int?)

    private static let mostPieces = 1_000_000
    private static let mostSizes = 200

    /// The quantities by size, where an only size without a quantity has `quantity`; nil without `sizes`.
    fileprivate mutating func quantities(or quantity: Int?) -> [SizeQuantity]? {
        guard let value = json("sizes") else { return nil }
        var entries: [SizeEntry]
        switch value {
        case .object(let members): entries = sizeEntries(members)
        case .text where form.isImport, .list where form.isImport:
            entries = texts("sizes", atMost: Self.mostSizes).map(Self.sizeEntry)
        default:
            mistyped("sizes", value, "an object of quantities such as {\"EU:37\": 2}")
            return []
        }
        if let quantity {
            if form.isImport, entries.count == 1, !Self.hasQuantity(value) {
                entries[0].quantity = quantity
            } else {
                fail("quantity", .mismatch, "is not allowed with sizes, which have quantities")
            }
        }
        var known: Set<ProductSize> = []
        return entries.compactMap { sizeQuantity($0, &known) }
    }

    private mutating func sizeEntries(_ members: [String: JSON]) -> [SizeEntry] {
        guard members.count <= Self.mostSizes else {
            tooMany("sizes", members.count, Self.mostSizes)
            return []
        }
        return members.sorted { $0.key < $1.key }.compactMap { name, value in
            guard case .number(let number) = value else {
                fail("sizes", at: name, .type, "is \(value.kind); must be a number of pieces")
                return nil
            }
            return (name, Int(exactly: number))
        }
    }

    /// Whether a size in a text or list has a quantity.
    private static func hasQuantity(_ sizes: JSON) -> Bool {
        switch sizes {
        case .text(let text): text.contains("=")
        case .list(let all): all.contains(where: hasQuantity)
        default: true
        }
    }

    private static func sizeEntry(_ text: String) -> SizeEntry {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count == 1 ? 1 : Int(parts[1]))
    }

    private mutating func sizeQuantity(_ entry: SizeEntry, _ known: inout Set<ProductSize>) -> SizeQuantity? {
        guard let size = ProductSize(entry.name) else {
            fail("sizes", .format, "has '\(entry.name.prefix(40))'; must have only sizes such as EU:37.5 or M")
            return nil
        }
        guard let quantity = entry.quantity, (0...Self.mostPieces).contains(quantity) else {
            fail("sizes", .range, "has an invalid number of pieces of '\(entry.name.prefix(40))'")
            return nil
        }
        guard known.insert(size).inserted else {
            fail("sizes", .mismatch, "has '\(size.text)' twice")
            return nil
        }
        return SizeQuantity(size: size, quantity: quantity)
    }
}
