internal import Cities
internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

/// Stores: their stock, and the nearest ones that have a product.
struct StoreRoutes {
    let engine: Engine
    let seal: CursorSeal
    let lexicon: Lexicon

    func add(to routes: inout RouteTable) {
        routes.chapter = "Stores"
        let nearby = RouteDescription(
            "Finds the nearest stores with products in stock", as: "findNearestStores",
            Call.nearestParameters + [Self.fields] + Call.openingParameters + Call.storeParameters
                + Call.productParameters + [Self.order],
            answers: .page(of: .store, named: "Store", onMap: true))
        routes.ask(
            QueryRoute(
                member: "nearest", word: "stores", path: "/v1/stores/nearest", access: .known, description: nearby,
                watched: LiveList.stores),
            of: engine, nearest)
        let all = "/v1/stores/{id}/stock"
        routes.on(
            .get, all, for: .known,
            .init("Lists the stock of a store", as: "listStock", answers: .page(of: .stock, named: "Stock")), stock)
        routes.on(
            .get, "\(all)/{product}", for: .known,
            .init("Returns the stock of a product in a store", as: "getStock", answers: .ok(.stock)), get)
        routes.on(
            .put, "\(all)/{product}", for: .service,
            .init(
                "Writes the stock of a product in a store", as: "putStock", takes: .json(.stockForm),
                answers: .ok(.stock) + .created(.stock)),
            put)
        routes.act(
            .delete, "\(all)/{product}", for: .service,
            .init("Removes a product from the stock of a store", as: "deleteStock"), in: engine
        ) { call in
            try call.refuseConditions(of: "Stock")
            return try RemoveStock(store: call.id("id"), product: call.id("product"))
        }
    }

    private static let columns =
        PlaceRoutes.nearestColumns.filter { !["created", "favourites", "city", "area"].contains($0) } + ["products"]

    private static let fields = Paging.fields(columns)
    private static let order = Parameter.order(StoreOrder.distance, "distance, price or pareto")

    @Sendable private func nearest(_ call: Call) async throws -> Query {
        let origin = try call.query.place()
        let stores = try call.storeFilter()
        let productQuery = try await call.productQuery(engine, lexicon)
        var query = try call.nearestQuery()
        let order = try storeOrder(call, productQuery.filter, query)
        query.after = try seal.position(call)?.last
        let opening = try call.openingQuery()
        let columns = try call[Self.fields]
        if order == .distance {
            return Query(productQuery, for: call.caller) { [query] filter in
                NearestStores(to: origin, having: filter, among: stores, opening, query)
            } answer: { stores, fit in
                try answer(stores.page, fit, columns, call)
            }
        }
        return Query(productQuery, for: call.caller) { [query] filter in
            StoresByPriceSearch(
                near: origin, having: filter, among: stores, opening, query, onlyCheaper: order == .pareto)
        } answer: { search, fit in
            try answer(search.page, fit, columns, call)
        }
    }

    private func answer(
        _ page: Page<StoreNearby>, _ fit: ProductFit?, _ columns: Set<String>?, _ call: Call
    ) throws -> Answer {
        PageAnswer(
            items: page.items, cursor: try seal.seal(page, call), isTruncated: page.isTruncated, fit: fit,
            columns: columns, place: { $0.store.value.coordinate },
            write: { json, item in json.storeNearby(item, to: call.caller, engine.gazetteer) }
        ).answer(to: call)
    }

    private enum StoreOrder: String, CaseIterable { case distance, price, pareto }

    private func storeOrder(
        _ call: Call, _ filter: ProductFilter, _ query: NearestQuery
    ) throws(Problem) -> StoreOrder {
        let order = try call[Self.order]
        guard order != .distance else { return order }
        guard filter.price != nil else {
            throw Problem(.invalidParameter, detail: "sort=\(order.rawValue) compares prices: it needs 'currency'.")
        }
        guard order == .pareto || query.within < .infinity else {
            throw Problem(
                .invalidParameter, detail: "sort=price needs 'within_m', the radius to search for the cheapest.")
        }
        return order
    }

    @Sendable private func stock(_ call: Call) async throws -> Answer {
        let id: PlaceID = try call.id("id")
        let items = try await engine.readInParts(StockListing(of: id)).items
        // Sorting holds no snapshot, because a store may have hundreds of thousands of items.
        return await BackgroundExecutor.run {
            WorkBudget.count(items.count * (Int.bitWidth - items.count.leadingZeroBitCount))
            let sorted = items.sorted { $0.product < $1.product }
            return .object { json in
                json.objects("items", sorted) { json, item in json.stock(item) }
            }
        }
    }

    @Sendable private func get(_ call: Call) async throws -> Answer {
        let (store, product): (PlaceID, ProductID) = (try call.id("id"), try call.id("product"))
        let item = try engine.read { state throws(Refusal) in try state.stock(of: product, in: store) }
        return .object { $0.stockOfStore(item) }
    }

    @Sendable private func put(_ call: Call) async throws -> Answer {
        let (store, product): (PlaceID, ProductID) = (try call.id("id"), try call.id("product"))
        try call.refuseConditions(of: "Stock")
        let item = try Fields.read(await call.json()) { StockItem(&$0, store: store, product: product) }
        return try await engine.perform(PutStockItem(item), for: call).answer { $0.stockOfStore(item) }
    }
}

extension JSONWriter {
    fileprivate mutating func stockOfStore(_ item: StockItem) {
        member("store", item.store.text)
        stock(item)
    }

    fileprivate mutating func stock(_ item: StockItem) {
        member("product", item.product.text)
        money(item.price)
        sizes(item.sizes)
    }

    fileprivate mutating func storeNearby(_ item: StoreNearby, to caller: Caller, _ gazetteer: Gazetteer) {
        place(item.store.value, to: caller)
        member("distance_m", tenths: item.decimetres)
        member("bearing", Int64(item.bearing))
        hours(item.hours, of: item.store.value, gazetteer)
        objects("products", item.offers) { json, offer in
            json.member("id", offer.product.id.text)
            json.member("brand", offer.product.brand)
            json.member("name", offer.product.name)
            json.money(offer.price)
            json.sizes(offer.sizes)
            json.member("photo", offer.product.photo)
        }
    }
}
