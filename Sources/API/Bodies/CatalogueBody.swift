internal import Storage

extension Product {
    /// Reads a product; unknown columns of a table are refused, for a product has no attributes.
    init?(_ fields: inout Fields, id: EntityID? = nil) {
        guard let id = fields.ownID(id, reserved: ["facets"]) else { return nil }
        self.init(id: id, name: fields.requiredText("name", longest: 500) ?? "")
        brand = fields.text("brand")
        category = fields.text("category")
        gender = fields.text("gender")
        colors = fields.texts("colors")
        materials = fields.texts("materials")
        sizes = fields.texts("sizes").compactMap { text in
            let size = ProductSize(text)
            if size == nil { fields.fail("sizes", .format, "holds '\(text)'; expected are sizes such as EU:37.5 or M") }
            return size
        }
        price = fields.money()
        description = fields.text("description", longest: 4000)
        url = fields.url("url")
        photo = fields.url("photo")
        fields.refuseOthers()
    }
}

extension StockItem {
    /// Reads what a store has of a product.
    ///
    /// Sizes are an object of quantities, or in a table `EU:37=2;EU:38`, where one without a quantity counts as one. A
    /// product without sizes has a `quantity`, 1 if it is not said.
    init?(_ fields: inout Fields, store: EntityID? = nil, product: EntityID? = nil, form: Fields.Form = .json) {
        let store = store ?? fields.id("store")
        let product = product ?? fields.id("product")
        let price = fields.money()
        let sizes = form == .table ? fields.sizesOfTable() : fields.sizesOfObject()
        let quantity = fields.integer("quantity", 0...1_000_000)
        fields.refuseOthers()
        guard let store, let product else { return nil }
        if let sizes {
            if quantity != nil { fields.fail("quantity", .mismatch, "is given beside sizes, which have their own") }
            self.init(store: store, product: product, price: price, sizes: sizes)
        } else {
            let all = SizeQuantity(size: .none, quantity: Int(quantity ?? 1))
            self.init(store: store, product: product, price: price, sizes: [all])
        }
    }
}

extension Fields {
    private static let mostPieces = 1_000_000.0

    fileprivate mutating func sizesOfObject() -> [SizeQuantity]? {
        guard let json = json("sizes") else { return nil }
        guard case .object(let members) = json else {
            fail("sizes", .type, "is \(json.kind); expected is an object of quantities such as {\"EU:37\": 2}")
            return []
        }
        var sizes: [SizeQuantity] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard case .number(let number) = value else {
                fail("sizes/\(name)", .type, "is \(value.kind); expected is a number of pieces")
                continue
            }
            add(name, Int(exactly: number), to: &sizes)
        }
        return sizes
    }

    fileprivate mutating func sizesOfTable() -> [SizeQuantity]? {
        guard has("sizes") else { return nil }
        var sizes: [SizeQuantity] = []
        for entry in texts("sizes", atMost: 200) {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            add(parts[0], parts.count == 1 ? 1 : Int(parts[1]), to: &sizes)
        }
        return sizes
    }

    private mutating func add(_ name: String, _ quantity: Int?, to sizes: inout [SizeQuantity]) {
        guard let size = ProductSize(name) else {
            return fail("sizes", .format, "holds '\(name.prefix(40))'; expected are sizes such as EU:37.5 or M")
        }
        guard let quantity, (0...Int(Self.mostPieces)).contains(quantity) else {
            return fail("sizes", .range, "holds an impossible number of pieces of '\(name.prefix(40))'")
        }
        guard !sizes.contains(where: { $0.size == size }) else {
            return fail("sizes", .mismatch, "holds '\(size.text)' twice")
        }
        sizes.append(SizeQuantity(size: size, quantity: quantity))
    }
}
