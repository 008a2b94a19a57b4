internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

/// OGC API - Features 1.0, by which map programs read places, and for services people and their stored positions.
struct OGCRoutes {
    static let path = "/ogc"
    static let crs = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
    /// The media type of the description.
    private static let openAPI = "application/vnd.oai.openapi+json"

    private static let classes = ["core", "oas30", "html", "geojson"].map {
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/\($0)"
    }

    let engine: Engine
    let seal: CursorSeal
    let lexicon: Lexicon
    let addresses: Addresses
    /// Whether the service needs no token.
    let isOpen: Bool

    func add(to routes: inout RouteTable) {
        routes.chapter = "OGC API - Features"
        func on(
            _ path: String, _ summary: String, as operation: String, _ schema: Schema,
            _ handler: @escaping RouteTable.Handler
        ) {
            routes.on(
                .get, Self.path + path, for: .reading,
                RouteDescription(
                    summary, as: operation, [OGCPage.form], path: ["id": .text()], answers: .ogc(schema),
                    problems: [.notAcceptable]), handler)
        }
        on("", "Returns the landing page for map programs", as: "getLandingPage", .ogcLanding, landing)
        on("/conformance", "Lists the conformance classes", as: "listConformanceClasses", .ogcConformance, conformance)
        on("/collections", "Lists the feature collections", as: "listCollections", .ogcCollections, collections)
        on("/collections/{id}", "Describes a feature collection", as: "getCollection", .ogcCollection, collection)
        OGCItems(engine: engine, seal: seal, lexicon: lexicon, addresses: addresses).add(to: &routes)
        addDescription(to: &routes)
    }

    /// Adds the description of the routes so far and of itself.
    private func addDescription(to routes: inout RouteTable) {
        let description = RouteDescription(
            "Describes these endpoints (OpenAPI 3.0)", as: "describeFeatureAPI",
            answers: .content([Self.openAPI: .map(of: .anything)]), problems: [.notAcceptable])
        let own = Endpoint(
            method: .get, path: "\(Self.path)/api", access: .reading, chapter: routes.chapter, description: description)
        let document = OGCDescription(
            of: routes.endpoints.filter { $0.path.hasPrefix(Self.path) } + [own], isOpen: isOpen)
        routes.on(own.method, own.path, for: own.access, description) { [addresses] call in
            // Map programs differ in the type that they request.
            _ = try call.accepted(of: DescriptionForm.allCases)
            var answer = Answer(body: document.bytes(at: addresses.base(for: call) + Self.path))
            answer.headers[.contentType] = "\(Self.openAPI);version=3.0"
            answer.headers[.cacheControl] = "private, no-cache"
            for name in ["Accept", "Authorization"] { answer.headers.vary(on: name) }
            return answer
        }
    }

    private enum DescriptionForm: String, AnswerForm {
        case openAPI = "application/vnd.oai.openapi+json"
        case json = "application/json"

        var mediaType: String { rawValue }
    }

    @Sendable private func landing(_ call: Call) async throws -> Answer {
        let page = try OGCPage(call, addresses)
        let described = OGCLink(
            relation: "service-desc", url: "\(page.base)\(Self.path)/api", type: "\(Self.openAPI);version=3.0",
            title: "The description of these endpoints")
        let reference = OGCLink(
            relation: "service-doc", url: "\(page.base)/docs", type: OGCForm.html.mediaType, title: "The reference")
        let links = [
            described, reference, page.link("conformance", ["conformance"], title: "Conformance classes"),
            page.link("data", ["collections"], title: "Collections"),
        ]
        return try await page.answer("Cerca", links) { json in
            json.member("title", "Cerca")
            json.member("description", "Places, and for services people and their stored positions")
        }
    }

    @Sendable private func conformance(_ call: Call) async throws -> Answer {
        try await OGCPage(call, addresses).answer("Conformance classes", []) { $0.member("conformsTo", Self.classes) }
    }

    @Sendable private func collections(_ call: Call) async throws -> Answer {
        let page = try OGCPage(call, addresses)
        let kinds = try await engine.kindsToRead(by: call.caller).map { OGCCollection.places(kind: $0) }
        let all = kinds + (call.caller == .service ? [.people, .history] : [])
        return try await page.answer("Collections", [], isPersonal: call.caller != .service) { json in
            json.objects("collections", all) { json, collection in
                collection.write(to: &json)
                let links = [page.link("self", ["collections", collection.id])] + collection.links(page)
                json.objects("links", links) { json, link in link.write(to: &json) }
            }
        }
    }

    @Sendable private func collection(_ call: Call) async throws -> Answer {
        let page = try OGCPage(call, addresses)
        let collection = try await engine.collection(call).collection
        let isPersonal = call.caller != .service
        return try await page.answer(collection.id, collection.links(page), isPersonal: isPersonal) { json in
            collection.write(to: &json)
        }
    }
}

extension Engine {
    /// The collection in the path, and the number of its features if it is known.
    ///
    /// - Throws: ``Problem`` for a collection that does not exist, or not for the caller.
    func collection(_ call: Call) async throws -> (collection: OGCCollection, count: Int?) {
        let id = call.word("id")
        switch OGCCollection(id) {
        case let collection? where [.people, .history].contains(collection) && call.caller == .service:
            return (collection, nil)
        case .places(let kind)?:
            let count = try await countToRead(ofKind: kind, by: call.caller)
            if count > 0 { return (.places(kind: kind), count) }
        default: break
        }
        throw Problem(.notFound, detail: "There is no collection '\(id)'.")
    }
}
