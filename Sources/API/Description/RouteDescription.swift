internal import HTTPTypes
internal import Interchange

/// What callers can know of a route before they use it: what it does, takes and answers.
struct RouteDescription: Sendable {
    /// A header that a request may have and that does something.
    enum Header: Sendable {
        /// `If-Match` and `If-None-Match` of a write.
        case conditions
        /// `Idempotency-Key`.
        case idempotencyKey
    }

    /// What the route does, as a sentence without its stop.
    let summary: String
    let parameters: [any QueryParameter]
    /// What names in the path stand for that are no ids.
    let path: [String: Schema]
    /// What a body may be, by media type; empty for none.
    let body: [String: Schema]
    let headers: [Header]
    let answers: [Reply]
    /// The problems that not every route of its kind has.
    let ownProblems: [Problem.Code]
    /// What it asks for; nil for what its method says.
    let work: Work?
    /// The names of the parameters.
    let names: [String]
    /// Those of them that may be given several times.
    let repeatable: Set<String>

    /// - Parameters:
    ///   - summary: what the route does, as a sentence without its stop.
    ///   - parameters: those of the query; others are refused.
    ///   - path: what names in the path stand for that are no ids.
    ///   - body: what the body may be, by media type.
    ///   - headers: those that do something here.
    ///   - answers: what it answers if all goes well; nothing if nothing is said.
    ///   - problems: those that not every route of its kind has.
    ///   - work: what it asks for, if that is not to read or to change little.
    init(
        _ summary: String, _ parameters: [any QueryParameter] = [], path: [String: Schema] = [:],
        takes body: [String: Schema] = [:], headers: [Header] = [], answers: [Reply] = .nothing,
        problems: [Problem.Code] = [], work: Work? = nil
    ) {
        self.work = work
        (self.summary, self.parameters, self.path, self.body) = (summary, parameters, path, body)
        (self.headers, self.answers, ownProblems) = (headers, answers, problems)
        names = parameters.map(\.name)
        repeatable = Set(parameters.filter(\.isRepeatable).map(\.name))
    }

    /// The same of a list that can also be followed.
    var followed: RouteDescription {
        RouteDescription(
            summary, parameters, path: path, takes: body, headers: headers,
            answers: answers.map { reply in
                var reply = reply
                if reply.status == .ok { reply.content[EventStream.mediaType] = .text() }
                return reply
            }, problems: ownProblems, work: work)
    }

    /// The same with another parameter.
    func with(_ parameter: any QueryParameter) -> RouteDescription {
        RouteDescription(
            summary, parameters + [parameter], path: path, takes: body, headers: headers, answers: answers,
            problems: ownProblems, work: work)
    }
}

/// An answer that a route may give.
struct Reply: Sendable {
    let status: HTTPResponse.Status
    let summary: String
    /// What the body is, by media type; empty for none.
    var content: [String: Schema] = [:]
    /// Whether it has an `ETag`.
    var isTagged = false
}

extension [Reply] {
    static let nothing = [Reply(status: .noContent, summary: "It is done")]

    /// A JSON document.
    static func ok(_ schema: Schema) -> [Reply] { content(["application/json": schema]) }

    static func created(_ schema: Schema) -> [Reply] {
        [Reply(status: .created, summary: "What was made", content: ["application/json": schema])]
    }

    static func content(_ content: [String: Schema]) -> [Reply] {
        [Reply(status: .ok, summary: "The answer", content: content)]
    }

    /// A stored document, with the tag by which a caller can ask whether it changed; and in other forms.
    static func document(_ schema: Schema, or others: [String: Schema] = [:]) -> [Reply] {
        let content = ["application/json": schema].merging(others) { $1 }
        return [
            Reply(status: .ok, summary: "The document", content: content, isTagged: true),
            Reply(status: .notModified, summary: "It is what `If-None-Match` says"),
        ]
    }

    /// A stored document after it was written.
    static func written(_ schema: Schema) -> [Reply] {
        let content = ["application/json": schema]
        return [
            Reply(status: .ok, summary: "The document as it is now", content: content, isTagged: true),
            Reply(status: .created, summary: "The document, which is new", content: content, isTagged: true),
        ]
    }

    /// A page of a list, as GeoJSON too if its items lie on a map, and with a tag if a caller can ask whether it changed.
    static func page(
        of item: Schema, named name: String, onMap isOnMap: Bool = false, isTagged: Bool = false
    ) -> [Reply] {
        var content = ["application/json": Schema.page(of: item).named("\(name)Page")]
        if isOnMap { content["application/geo+json"] = .features(of: item).named("\(name)Features") }
        guard isTagged else { return Self.content(content) }
        return [
            Reply(status: .ok, summary: "The answer", content: content, isTagged: true),
            Reply(status: .notModified, summary: "It is what `If-None-Match` says"),
        ]
    }
}

extension [String: Schema] {
    static func json(_ schema: Schema) -> [String: Schema] { ["application/json": schema] }

    /// A file in one of these media types; what is wrong with single rows is in the answer.
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
                "cursor": .text().described("Asks for the next page; there is none at the end"),
                "truncated": .flag.described("The search was cut off: the next page goes on"), "for": .fit,
                "count": .count.described("How many the whole list has, if that was asked"), "done": .flag,
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
