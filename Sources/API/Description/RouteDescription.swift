internal import HTTPTypes
internal import Interchange

/// The public description of a route: its purpose, parameters, bodies and answers.
struct RouteDescription: Sendable {
    /// A request header that has an effect.
    enum Header: Sendable {
        /// `If-Match` and `If-None-Match` of a write.
        case conditions
        case idempotencyKey
    }

    /// A summary, as a sentence without a period.
    let summary: String
    /// The operation's name in generated clients, a verb and its object; nil for one made of method and path.
    let operation: String?
    let parameters: [any QueryParameter]
    /// The schemas of path parameters that are not ids.
    let path: [String: Schema]
    /// The schema of the body, by media type; empty for none.
    let body: [String: Schema]
    let headers: [Header]
    let answers: [Reply]
    /// The problems that not every route of its kind has.
    let ownProblems: [Problem.Code]
    /// Whether readers may use it; nil if its method decides.
    let onlyReads: Bool?
    /// Its request class; nil for the default of its method.
    let work: RequestClass?
    let names: [String]
    /// The names of the repeatable parameters.
    let repeatable: Set<String>

    /// - Parameters:
    ///   - summary: A summary, as a sentence without a period.
    ///   - operation: The operation's name in generated clients; nil for one made of method and path.
    ///   - parameters: The query parameters; others are refused.
    ///   - path: The schemas of path parameters that are not ids.
    ///   - body: The schema of the body, by media type.
    ///   - headers: The headers that have an effect.
    ///   - answers: The answers on success; by default one without a body.
    ///   - problems: The problems that not every route of its kind has.
    ///   - onlyReads: Whether readers may use it, if that does not follow from its method.
    ///   - work: The request class, unless it is a small read or write.
    init(
        _ summary: String, as operation: String? = nil, _ parameters: [any QueryParameter] = [],
        path: [String: Schema] = [:],
        takes body: [String: Schema] = [:], headers: [Header] = [], answers: [Reply] = .nothing,
        problems: [Problem.Code] = [], onlyReads: Bool? = nil, work: RequestClass? = nil
    ) {
        (self.operation, self.onlyReads, self.work) = (operation, onlyReads, work)
        (self.summary, self.parameters, self.path, self.body) = (summary, parameters, path, body)
        (self.headers, self.answers, ownProblems) = (headers, answers, problems)
        names = parameters.map(\.name)
        repeatable = Set(parameters.filter(\.isRepeatable).map(\.name))
    }

    /// The description of a list that can also be followed.
    var followed: RouteDescription {
        RouteDescription(
            summary, as: operation, parameters, path: path, takes: body, headers: headers,
            answers: answers.map { reply in
                var reply = reply
                if reply.status == .ok { reply.content[EventStream.mediaType] = .text() }
                return reply
            }, problems: ownProblems, onlyReads: onlyReads, work: work)
    }

    /// Returns the description with another parameter.
    func with(_ parameter: any QueryParameter) -> RouteDescription {
        RouteDescription(
            summary, as: operation, parameters + [parameter], path: path, takes: body, headers: headers,
            answers: answers, problems: ownProblems, onlyReads: onlyReads, work: work)
    }
}

/// A possible answer of a route.
struct Reply: Sendable {
    let status: HTTPResponse.Status
    let summary: String
    /// The schema of the body, by media type; empty for none.
    var content: [String: Schema] = [:]
    /// Whether it has an `ETag`.
    var isTagged = false
}

extension [Reply] {
    static let nothing = [Reply(status: .noContent, summary: "Done")]

    /// A JSON document.
    static func ok(_ schema: Schema) -> [Reply] { content(["application/json": schema]) }

    static func created(_ schema: Schema) -> [Reply] {
        [Reply(status: .created, summary: "The created document", content: ["application/json": schema])]
    }

    static func content(_ content: [String: Schema]) -> [Reply] {
        [Reply(status: .ok, summary: "The answer", content: content)]
    }

    /// A stored document, with an `ETag` for conditional requests; possibly also in other formats.
    static func document(_ schema: Schema, or others: [String: Schema] = [:]) -> [Reply] {
        let content = ["application/json": schema].merging(others) { $1 }
        return [
            Reply(status: .ok, summary: "The document", content: content, isTagged: true),
            Reply(status: .notModified, summary: "Not modified: it has a tag in `If-None-Match`"),
        ]
    }

    /// A stored document after a write.
    static func written(_ schema: Schema) -> [Reply] {
        let content = ["application/json": schema]
        return [
            Reply(status: .ok, summary: "The document as it is now", content: content, isTagged: true),
            Reply(status: .created, summary: "The new document", content: content, isTagged: true),
        ]
    }

    /// A page of a list; also as GeoJSON if its items have positions, and with an `ETag` if `isTagged`.
    static func page(
        of item: Schema, named name: String, onMap isOnMap: Bool = false, isTagged: Bool = false
    ) -> [Reply] {
        var content = ["application/json": Schema.page(of: item).named("\(name)Page")]
        if isOnMap { content["application/geo+json"] = .features(of: item).named("\(name)Features") }
        guard isTagged else { return Self.content(content) }
        return [
            Reply(status: .ok, summary: "The answer", content: content, isTagged: true),
            Reply(status: .notModified, summary: "Not modified: it has a tag in `If-None-Match`"),
        ]
    }
}

extension [String: Schema] {
    static func json(_ schema: Schema) -> [String: Schema] { ["application/json": schema] }

    /// A file in one of these media types; errors of single rows are in the answer.
    static func file(_ types: some Sequence<String>) -> [String: Schema] {
        Dictionary(uniqueKeysWithValues: types.map { ($0, .anything) })
    }

    /// A merge patch (RFC 7396).
    static func patch(_ schema: Schema) -> [String: Schema] {
        ["application/json": schema, "application/merge-patch+json": schema]
    }
}

extension Schema {
    fileprivate static func page(of item: Schema) -> Schema {
        object(
            [
                "items": list(of: item),
                "cursor": .text().described("Requests the next page; absent at the end"),
                "truncated": .flag.described("The search was cut off: the next page continues it"), "for": .fit,
                "count": .count.described("The number of items in the whole list, if requested"), "done": .flag,
                "explain": .explanation,
            ], required: ["items"])
    }

    fileprivate static func features(of item: Schema) -> Schema {
        let point = object(
            ["type": words(["Point"]), "coordinates": list(of: number()).described("Longitude, latitude")],
            required: ["type", "coordinates"])
        let feature = object(
            ["type": words(["Feature"]), "geometry": point.orNull, "properties": item],
            required: ["type", "geometry", "properties"])
        return object(
            [
                "type": words(["FeatureCollection"]), "features": list(of: feature), "cursor": .text(),
                "truncated": .flag, "for": .fit, "count": .count, "explain": .explanation,
            ], required: ["type", "features"])
    }
}
