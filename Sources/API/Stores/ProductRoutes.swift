internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model

/// Products: their documents, lists and facets.
struct ProductRoutes {
    let live: Live
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        let listing = QuestionRoute(
            member: "list", word: "products", path: "/v1/products", access: .known,
            parameters: Call.productParameters + ["sort", "limit", "cursor", "fields"],
            repeatable: Call.repeatableProductParameters)
        routes.ask(listing, of: live, list)
        let facets = QuestionRoute(
            member: "facets", word: "products", path: "/v1/products/facets", access: .known,
            parameters: Call.productParameters + ["facet", "brand_q", "limit"],
            repeatable: Call.repeatableProductParameters.union(["facet"]))
        routes.ask(facets, of: live, self.facets)
        routes.ask(
            QuestionRoute(member: "product", path: "/v1/products/{id}", access: .known, parameters: ["fields"]),
            of: live, get)
        routes.on(.put, "/v1/products/{id}", for: .service, put)
        routes.act(.delete, "/v1/products/{id}", for: .service, in: live) {
            try DeleteProduct($0.id("id"), if: $0.condition)
        }
    }

    static let columns = [
        "id", "brand", "name", "category", "gender", "colors", "materials", "sizes", "price", "currency", "description",
        "url", "photo", "favourites",
    ]

    @Sendable private func list(_ call: Call) async throws -> Question {
        let wish = try await call.productWish(live)
        let order = try order(call, wish.filter)
        let limit = try call.query.limit()
        let columns = try call.query.columns(of: order == .newest ? Self.columns + ["created"] : Self.columns)
        let after = try seal.productPosition(call)
        return Question(wish, for: call.caller) { filter in
            ProductListing(filter, by: order, after: after, limit: limit + 1)
        } answer: { found, fit in
            var listing = try Listing(
                found.products, limit: limit, columns: columns, seal: { try seal.seal($0.position, call) },
                write: { json, listed in
                    json.product(listed.record.value)
                    if order == .newest { json.member("created", listed.made) }
                    json.favourites(listed.favourites)
                })
            listing.fit = fit
            return listing.answer(to: call)
        }
    }

    private func order(_ call: Call, _ filter: ProductFilter) throws(Problem) -> ProductOrder {
        guard let text = call.query.text("sort") else { return .id }
        guard let order = ProductOrder(rawValue: text) else {
            throw call.query.invalid("sort", "one of " + ProductOrder.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard order != .price && order != .priceDescending || filter.price != nil else {
            throw Problem(.invalidParameter, detail: "sort=\(text) compares prices: it needs 'currency'.")
        }
        return order
    }

    @Sendable private func facets(_ call: Call) async throws -> Question {
        let wish = try await call.productWish(live)
        let chosen: Set<ProductFacet> = try call.query.words("facet")
        let facets = ProductFacet.allCases.filter { chosen.isEmpty || chosen.contains($0) }
        let brand = try call.searched("brand_q", longest: 200)
        if let brand {
            guard facets.contains(.brand) else {
                throw Problem(.invalidParameter, detail: "'brand_q' is for the facet 'brand'.")
            }
            guard brand.contains(where: { $0.isLetter || $0.isNumber }) else {
                throw call.query.invalid("brand_q", "a text with at least one letter or digit")
            }
        }
        let limit = try call.query.limit()
        return Question(wish, for: call.caller) { filter in
            ProductFacets(facets, of: filter, brand: brand)
        } answer: { facets, fit in
            let answer = Answer.json { $0.facets(facets.counts(limit: limit), fit) }
            return fit == nil ? answer : answer.unstored
        }
    }

    @Sendable private func get(_ call: Call) async throws -> Question {
        let id: ProductID = try call.id("id")
        let columns = try call.query.columns(of: Self.columns)
        return Question { picture in
            let record = try picture.product(id)
            let favourites = picture.favourites(.products, record.number.any)
            return {
                Document(record).answer(to: call, columns) { json, product in
                    json.product(product)
                    if columns != nil { json.favourites(favourites) }
                }
            }
        }
    }

    @Sendable private func put(_ call: Call) async throws -> Answer {
        let id: ProductID = try call.id("id")
        let product = try Fields.read(await call.json()) { Product(&$0, id: id) }
        return try await live.write(PutProduct(Write(product, if: call.condition)), call) { $0.product(product) }
    }
}

extension Call {
    static let productParameters = [
        "product", "brand", "category", "gender", "color", "material", "size", "price_min", "price_max", "currency",
        "q", "for",
    ]
    static let repeatableProductParameters: Set<String> = [
        "product", "brand", "category", "gender", "color", "material", "size",
    ]

    func productWish(_ live: Live) async throws -> ProductWish {
        guard let text = query.text("for") else { return ProductWish(filter: try await productFilter(live)) }
        guard let person = try? PersonID(text) else { throw query.invalid("for", "the id of a person") }
        return ProductWish(filter: try await productFilter(live), person: person)
    }

    private func productFilter(_ live: Live) async throws -> ProductFilter {
        var filter = ProductFilter()
        for text in try query.texts("product") {
            guard let id = try? ProductID(text) else { throw query.invalid("product", "the id of a product") }
            filter.products.append(id)
        }
        filter.brands = try query.texts("brand")
        filter.categories = try query.texts("category")
        filter.genders = try query.texts("gender")
        filter.colors = try query.texts("color")
        filter.materials = try query.texts("material")
        for text in try query.texts("size") {
            guard let size = ProductSize(text) else { throw query.invalid("size", "a size such as EU:37.5 or M") }
            filter.sizes.append(size)
        }
        filter.price = try price()
        filter.numbers = try await numbers(in: .products, of: live)
        return filter
    }

    private func price() throws(Problem) -> (range: ClosedRange<Int64>, currency: Model.Currency)? {
        let least = try query.integer("price_min", 0...Int64.max)
        let greatest = try query.integer("price_max", 0...Int64.max)
        guard let code = query.text("currency") else {
            guard least == nil, greatest == nil else {
                throw Problem(.invalidParameter, detail: "A price, in minor units, needs 'currency'.")
            }
            return nil
        }
        guard let currency = Model.Currency(code) else {
            throw query.invalid("currency", "an ISO 4217 code such as EUR")
        }
        guard least ?? 0 <= greatest ?? .max else { throw query.invalid("price_min", "at most price_max") }
        return ((least ?? 0)...(greatest ?? .max), currency)
    }
}
