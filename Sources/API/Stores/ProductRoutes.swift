internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

/// Products: their documents, lists and facets.
struct ProductRoutes {
    let engine: Engine
    let seal: CursorSeal
    let lexicon: Lexicon

    func add(to routes: inout RouteTable) {
        routes.chapter = "Products"
        let listing = RouteDescription(
            "Lists products", as: "listProducts",
            Call.productParameters + [Self.order, Paging.limit, Paging.cursor, Self.newestFields],
            answers: .page(of: .product, named: "Product"))
        routes.ask(
            QueryRoute(
                member: "list", word: "products", path: "/v1/products", access: .known, description: listing),
            of: engine, list)
        let facets = RouteDescription(
            "Counts the values of facets of products", as: "countProductFacets",
            Call.productParameters + [Self.facet, Self.brand, Paging.limit],
            answers: .ok(.facets), work: .long)
        routes.ask(
            QueryRoute(
                member: "facets", word: "products", path: "/v1/products/facets", access: .known, description: facets),
            of: engine, self.facets)
        let document = "/v1/products/{id}"
        routes.ask(
            QueryRoute(
                member: "product", path: document, access: .known,
                description: .init("Returns a product", as: "getProduct", [Self.fields], answers: .document(.product))),
            of: engine, get)
        routes.on(
            .put, document, for: .service,
            .init(
                "Creates or replaces a product", as: "putProduct", takes: .json(.productForm), headers: [.conditions],
                answers: .written(.product)), put)
        routes.act(
            .delete, document, for: .service, .init("Deletes a product", as: "deleteProduct", headers: [.conditions]),
            in: engine
        ) { try DeleteProduct($0.id("id"), if: $0.condition) }
    }

    static let columns = [
        "id", "brand", "name", "category", "gender", "colors", "materials", "sizes", "price", "currency", "description",
        "url", "photo", "attributes", "favourites",
    ]

    private static let fields = Paging.fields(columns)
    private static let newestFields = Paging.fields(columns + ["created"])
    private static let order = Parameter.order(ProductOrder.id, withWords: .relevance)
    private static let facet: Parameter<FacetChoice<ProductFacet>> = .facets()
    private static let brand = Parameter.searched("brand_q", longest: 200, "the beginning of a word of the brand")

    @Sendable private func list(_ call: Call) async throws -> Query {
        let isRanked = try call[Self.order] == .relevance
        let productQuery = try await call.productQuery(engine, lexicon, isRanked: isRanked)
        let order = try order(call, productQuery.filter)
        let limit = try call[Paging.limit]
        let columns = try call[order == .newest ? Self.newestFields : Self.fields]
        let after = try seal.productPosition(call)
        return Query(productQuery, for: call.caller) { filter in
            ProductListing(filter, by: order, after: after, limit: limit + 1)
        } answer: { found, fit in
            var listing = try PageAnswer(
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
        let order = try call[Self.order]
        guard order != .price && order != .priceDescending || filter.price != nil else {
            throw Problem(.invalidParameter, detail: "sort=\(order.rawValue) compares prices: it needs 'currency'.")
        }
        return order
    }

    @Sendable private func facets(_ call: Call) async throws -> Query {
        let productQuery = try await call.productQuery(engine, lexicon)
        let chosen = try call[Self.facet]
        let facets = ProductFacet.allCases.filter(chosen.words.contains)
        let brand = try call[Self.brand]
        if let brand {
            guard facets.contains(.brand) else {
                throw Problem(.invalidParameter, detail: "'brand_q' is for the facet 'brand'.")
            }
            guard brand.contains(where: { $0.isLetter || $0.isNumber }) else {
                throw call.query.invalid("brand_q", "text with at least one letter or digit")
            }
        }
        let limit = try call[Paging.limit]
        return Query(productQuery, for: call.caller) { filter in
            ProductFacets(facets, attributes: chosen.attributes, of: filter, brand: brand)
        } answer: { facets, fit in
            let answer = Answer.facets(facets.counts(limit: limit), fit, to: call)
            return fit == nil ? answer : answer.unstored
        }
    }

    @Sendable private func get(_ call: Call) async throws -> Query {
        let id: ProductID = try call.id("id")
        let columns = try call[Self.fields]
        return Query { state in
            let record = try state.product(id)
            let favourites = state.favourites(.products, record.number.any)
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
        return try await engine.write(PutProduct(Write(product, if: call.condition)), call) { $0.product(product) }
    }
}

extension Call {
    private static let product: Parameter<[ProductID]> = .values(
        "product", "the ids of products", .listedID, as: "the id of a product"
    ) { try? ID($0) }
    private static let brand = Parameter.texts("brand", "any of these brands")
    private static let category = Parameter.texts("category", "any of these categories")
    private static let gender = Parameter.texts("gender", "for any of these")
    private static let color = Parameter.texts("color", "any of these colors")
    private static let material = Parameter.texts("material", "any of these materials")
    private static let size: Parameter<[ProductSize]> = .values(
        "size", "any of these sizes, such as EU:37.5 or M", .size, as: "a size such as EU:37.5 or M"
    ) { ProductSize($0) }
    /// Up to the largest integer that every JSON parser represents exactly.
    private static let prices: ClosedRange<Int64> = 0...(1 << 53 - 1)
    private static let priceMin = Parameter.integer("price_min", prices, "the minimum price, in minor units")
    private static let priceMax = Parameter.integer("price_max", prices, "the maximum price, in minor units")
    private static let currency = Parameter.text("currency", "the currency of prices (ISO 4217)", .currency)
    private static let person: Parameter<PersonID?> = .id(
        "for", "products that fit this person, by the size and gender of the profile", as: "the id of a person")

    /// The parameters that filter products.
    static let productParameters: [any QueryParameter] = [
        product, brand, category, gender, color, material, size, attribute, priceMin, priceMax, currency, words, person,
    ]

    /// The query from the parameters of products; it ranks the products found by `q` for a list by relevance.
    func productQuery(_ engine: Engine, _ lexicon: Lexicon, isRanked: Bool = false) async throws -> ProductQuery {
        let person = try self[Self.person]
        let filter = try await productFilter(engine, lexicon, isRanked)
        return ProductQuery(filter: filter, person: person, lexicon: lexicon)
    }

    private func productFilter(_ engine: Engine, _ lexicon: Lexicon, _ isRanked: Bool) async throws -> ProductFilter {
        var filter = ProductFilter()
        filter.products = try self[Self.product]
        filter.brands = try self[Self.brand]
        filter.categories = try self[Self.category]
        filter.genders = try self[Self.gender]
        filter.colors = try self[Self.color]
        filter.materials = try self[Self.material]
        filter.sizes = try self[Self.size]
        filter.attributes = try self[Self.attribute]
        filter.price = try price()
        let matches = try await matches(in: .products, of: engine, lexicon, isRanked: isRanked)
        filter.numbers = matches?.numbers
        if isRanked { filter.matches = matches }
        return filter
    }

    private func price() throws(Problem) -> (range: ClosedRange<Int64>, currency: Model.Currency)? {
        let least = try self[Self.priceMin]
        let greatest = try self[Self.priceMax]
        guard let code = try self[Self.currency] else {
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
