internal import Discovery
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Interchange
internal import Model
internal import NIOCore
internal import Normaliser

/// Imports of files, which are streamed.
struct ImportRoutes {
    let engine: Engine
    let lexicon: Lexicon
    let now: @Sendable () -> Timestamp

    static let path = "/v1/imports/"

    func add(to routes: inout RouteTable) {
        routes.chapter = "Files"
        routes.on(
            .post, Self.path + "{kind}", for: .service,
            .init(
                "Imports a file", as: "importDocuments",
                [Self.isDry, Self.isNormalised, Self.currency, Self.attributes, Self.isPruned, Self.reportsEvents],
                path: ["kind": .word(ImportKind.self)], takes: .file(ImportFormat.mediaTypes),
                answers: .ok(.importReport), work: .long), load)
    }

    static let isDry = Parameter.flag("dry_run", "whether the file is only validated")
    private static let isNormalised = Parameter.flag(
        "normalise", "whether messy products, places and stock are normalized")
    private static let currency = Parameter.text("currency", "the currency of prices without one", .currency)

    private static let attributes = Parameter<AttributeColumns?>(
        "attributes", "the further columns of products to keep as attributes, or `all`", .text()
    ) { call throws(Problem) in
        guard let text = call.query.text("attributes") else { return nil }
        do throws(AttributeRequestError) { return try AttributeColumns(text) } catch {
            let fault = FieldError(pointer: "?attributes", code: .format, detail: "\(error)")
            throw Problem(.invalidParameter, detail: "'attributes' \(error).", errors: [fault])
        }
    }

    private static let isPruned = Parameter.flag(
        "prune", "whether places, products or stock that the file no longer has are deleted, if no row is refused")

    private static let reportsEvents = Parameter.flag("events", "whether new friendships create events")

    @Sendable private func load(_ call: Call) async throws -> Answer {
        let kind: ImportKind = try call.kind { "\($0) cannot be imported; known: \(ImportKind.choice)." }
        try call.expect(Set(ImportFormat.mediaTypes), isFile: true)
        guard let format = call.contentType.flatMap(ImportFormat.init(mediaType:)) else {
            preconditionFailure("one of the expected types has a format")
        }
        let (isDry, isPruned) = (try call[Self.isDry], try call[Self.isPruned])
        guard !isPruned || kind.mayBePruned else {
            throw Problem(.invalidParameter, detail: "'prune' is for places, products and stock.")
        }
        let attributes = try call[Self.attributes]
        guard attributes == nil || kind == .products else {
            throw Problem(.invalidParameter, detail: "'attributes' is for products.")
        }
        var session = ImportSession(
            kind, format, into: isDry ? nil : engine, normalising: try normalising(call, kind), attributes: attributes,
            pruning: isPruned ? engine : nil, reportsEvents: try call[Self.reportsEvents], now: now)
        do {
            try await call.readFile { try await session.read($0) }
            let report = try await session.finish()
            return .object { report.write(to: &$0) }
        } catch { throw await session.end(because: error) }
    }

    private func normalising(_ call: Call, _ kind: ImportKind) throws(Problem) -> Normalisation? {
        let code = try call[Self.currency]
        guard try call[Self.isNormalised] else {
            guard code == nil else {
                throw Problem(.invalidParameter, detail: "'currency' is for 'normalise=true'.")
            }
            return nil
        }
        let currency = code.flatMap { Currency($0) }
        guard code == nil || currency?.isListed ?? false else {
            throw call.query.invalid("currency", "an ISO 4217 code such as EUR")
        }
        guard
            let normalising = Normalisation(
                kind, lexicon: lexicon, gazetteer: engine.gazetteer, currency: currency,
                places: engine.store, now: now())
        else {
            throw Problem(.invalidParameter, detail: "'normalise' is for products, places and stock.")
        }
        return normalising
    }
}
