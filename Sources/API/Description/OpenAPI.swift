internal import HTTPTypes
internal import Interchange
internal import Model

/// The description of endpoints (OpenAPI 3.1).
struct OpenAPI {
    let endpoints: [Endpoint]
    /// Whether the service needs no token.
    var isOpen = false

    /// The document in UTF-8.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.ordered(.object(document))
        return json.bytes
    }

    var document: [String: JSON] {
        var schemas = Schema.problem.components
        var paths: [String: JSON] = [:]
        for endpoint in endpoints {
            schemas.merge(endpoint.components) { own, _ in own }
            var path: [String: JSON] = if case .object(let own)? = paths[endpoint.writtenPath] { own } else { [:] }
            var operation = endpoint.operation
            if isOpen, case .list(let needs)? = operation["security"] {
                operation["security"] = .list(needs + [.object([:])])
            }
            path[endpoint.method.rawValue.lowercased()] = .object(operation)
            paths[endpoint.writtenPath] = .object(path)
        }
        var chapters: [String] = []
        for endpoint in endpoints where !chapters.contains(endpoint.chapter) { chapters.append(endpoint.chapter) }
        return [
            "openapi": .text("3.1.0"),
            "info": .object([
                "title": .text("Cerca"), "version": .text(Version.program), "description": .text(Self.text),
                "license": .object(["name": .text("Apache-2.0"), "identifier": .text("Apache-2.0")]),
            ]),
            "servers": .list([.object(["url": .text("/")])]),
            "tags": .list(chapters.map { .object(["name": .text($0)]) }),
            "paths": .object(paths),
            "components": .object([
                "schemas": .object(schemas.mapValues(JSON.object)), "securitySchemes": .object(Self.schemes),
            ]),
        ]
    }

    private static let text = """
        Finds people and places nearby. Units are in names, times are RFC 3339, prices are in minor units. Each `GET` \
        also supports `HEAD`. Answers may get further members: ignore unknown ones. Without keys every caller \
        counts as a service, and no token is needed.
        """

    private static let schemes: [String: JSON] = [
        "token": .object([
            "type": .text("http"), "scheme": .text("bearer"),
            "description": .text("A JSON Web Token of a service, a reader or a person (`cerca token`), or a device's."),
        ]),
        "tokenAsPassword": .object([
            "type": .text("http"), "scheme": .text("basic"),
            "description": .text("Any name, and the token of a service, a reader or a person as the password."),
        ]),
        "actingAs": .object([
            "type": .text("apiKey"), "in": .text("header"), "name": .text("Cerca-Acting-As"),
            "description": .text("The id of the person for whom a service acts, in addition to the service's token."),
        ]),
        "device": .object([
            "type": .text("http"), "scheme": .text("bearer"), "description": .text("The token of a device."),
        ]),
        "devicePassword": .object([
            "type": .text("http"), "scheme": .text("basic"),
            "description": .text("Any name, and the token of a device as the password."),
        ]),
        "deviceQuery": .object([
            "type": .text("apiKey"), "in": .text("query"), "name": .text("token"),
            "description": .text("The token of a device."),
        ]),
    ]
}

extension Endpoint {
    /// The path in OpenAPI, which has no parameters of several segments.
    fileprivate var writtenPath: String { path.replacing("**", with: "{rest}") }

    fileprivate var components: [String: [String: JSON]] {
        var schemas = description.parameters.map(\.schema) + Array(description.path.values)
        schemas += Array(description.body.values) + description.answers.flatMap { Array($0.content.values) }
        return schemas.reduce(into: [:]) { all, schema in all.merge(schema.components) { own, _ in own } }
    }

    /// The operation's name in generated clients; of phones' endpoints such as `getIngestOsmand`.
    private var operationName: String {
        if let name = description.operation { return name }
        let words = path.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "v1" }
        let rest = path.hasSuffix("**") ? ["Rest"] : []
        return method.rawValue.lowercased() + (words.map { $0.prefix(1).uppercased() + $0.dropFirst() } + rest).joined()
    }

    fileprivate var operation: [String: JSON] {
        var operation: [String: JSON] = [
            "operationId": .text(operationName), "summary": .text(summary), "tags": .list([.text(chapter)]),
            "description": .text("For \(callers)."), "security": .list(security), "responses": .object(responses),
        ]
        let parameters = pathParameters + description.parameters.map(\.written) + headers
        if !parameters.isEmpty { operation["parameters"] = .list(parameters.map(JSON.object)) }
        if !description.body.isEmpty {
            let examples = recorded?.request.map { ["application/json": $0] } ?? [:]
            operation["requestBody"] = .object([
                "required": .flag(access != .phone), "content": .object(Self.content(description.body, examples)),
            ])
        }
        return operation
    }

    private var security: [JSON] {
        func needs(_ scheme: String, _ roles: [String]) -> JSON { .object([scheme: .list(roles.map(JSON.text))]) }
        let services = onlyReads ? ["service", "reader"] : ["service"]
        let token = needs("token", services + ["person"])
        // A service that acts as a person.
        let actingAs = JSON.object(["token": .list(services.map(JSON.text)), "actingAs": .list([])])
        return switch access {
        case .anyone: []
        case .known, .following, .own, .ownInQuery: [token, actingAs]
        case .reading: [token, actingAs, needs("tokenAsPassword", [])]
        case .sending: [token, actingAs, needs("device", [])]
        case .service: [needs("token", services)]
        case .phone: [needs("device", []), needs("devicePassword", []), needs("deviceQuery", [])]
        }
    }

    private var pathParameters: [[String: JSON]] {
        (names + (path.hasSuffix("**") ? ["rest"] : [])).map { name in
            let schema = name == "rest" ? .text() : description.path[name] ?? .id
            var written: [String: JSON] = [
                "name": .text(name), "in": .text("path"), "required": .flag(true), "schema": .object(schema.json),
            ]
            written["example"] = sample(name)
            return written
        }
    }

    /// An example of a path parameter in the sample data, or an id that is unused there.
    private func sample(_ name: String) -> JSON {
        switch (name, path.split(separator: "/").dropFirst().first) {
        case ("id", "people"): .text("ana")
        case ("id", "places"), ("id", "stores"), ("place", _), ("feature", _): .text("zapateria-0136")
        case ("id", "collections"): .text("places_store")
        case ("id", "products"), ("product", _): .text("shoe-0005")
        case ("other", _), ("person", _): .text("luis")
        case ("kind", "exports"): .text("places")
        case ("kind", "tiles"): .text("store")
        case ("kind", _): .text("people")
        // A tile of Valencia.
        case ("z", _): .number(14)
        case ("x", _): .number(8174)
        case ("y", _): .number(6234)
        default: .text("1")
        }
    }

    private var headers: [[String: JSON]] {
        var headers: [(name: String, text: String, schema: Schema)] = []
        for header in description.headers {
            switch header {
            case .conditions:
                headers.append(("If-Match", "Writes only if the document has one of these tags, or for * any", .text()))
                headers.append(("If-None-Match", "Writes only if the document does not exist", .words(["*"])))
            case .idempotencyKey:
                let text = "Repeated with the same key, the request creates nothing new"
                headers.append(("Idempotency-Key", text, .text(1...255)))
            }
        }
        if description.answers.contains(where: { $0.status == .notModified }) {
            headers.append(("If-None-Match", "Answers 304 if the document still has one of these tags", .text()))
        }
        return headers.map { header in
            [
                "name": .text(header.name), "in": .text("header"), "description": .text(header.text),
                "schema": .object(header.schema.json),
            ]
        }
    }

    private var responses: [String: JSON] {
        var responses: [String: JSON] = [:]
        for reply in description.answers {
            var response: [String: JSON] = ["description": .text(reply.summary)]
            let examples = recorded.flatMap { $0.status == "\(reply.status.code)" ? $0.answer : nil } ?? [:]
            if !reply.content.isEmpty { response["content"] = .object(Self.content(reply.content, examples)) }
            var headers: [String: JSON] = [:]
            if reply.isTagged { headers["ETag"] = Self.header("The entity tag, for conditional requests") }
            if reply.status == .created, method == .post {
                headers["Location"] = Self.header("The path of the created document")
            }
            if !headers.isEmpty { response["headers"] = .object(headers) }
            responses["\(reply.status.code)"] = .object(response)
        }
        for (status, codes) in Dictionary(grouping: problems, by: { status(of: $0).code }) {
            let words = codes.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            let schema = Schema.problem.with(
                "properties", .object(["code": .object(Schema.words(codes.map(\.rawValue)).json)]))
            // Some routes answer with a page, too.
            let own = description.answers.first { $0.status.code == status }?.content ?? [:]
            let content = own.merging(["application/problem+json": schema]) { $1 }
            responses["\(status)"] = .object([
                "description": .text(words), "content": .object(Self.content(content)),
            ])
        }
        return responses
    }

    private static func header(_ text: String) -> JSON {
        .object(["description": .text(text), "schema": .object(Schema.text().json)])
    }

    private static func content(_ content: [String: Schema], _ examples: [String: JSON] = [:]) -> [String: JSON] {
        Dictionary(
            uniqueKeysWithValues: content.map { type, schema in
                var written: [String: JSON] = ["schema": .object(schema.json)]
                written["example"] = examples[type]
                return (type, .object(written))
            })
    }

    private var recorded: RecordedExample? { RecordedExample.all[name] }
}

extension QueryParameter {
    /// The parameter in OpenAPI.
    fileprivate var written: [String: JSON] {
        // An object has a member for each name with the prefix.
        let name = name.hasSuffix(".*") ? String(name.dropLast(2)) : name
        var written: [String: JSON] = [
            "name": .text(name), "in": .text("query"), "description": .text(summary), "schema": .object(schema.json),
        ]
        if isRequired { written["required"] = .flag(true) }
        if name != self.name {
            (written["style"], written["explode"]) = (.text("deepObject"), .flag(true))
            // Without it Swagger UI would send made-up members.
            written["example"] = .object([:])
        }
        if case .list(let examples)? = schema.json["examples"] { written["example"] = examples.first }
        // A list that may not be repeated has its values separated by commas.
        if schema.json["type"] == .text("array"), !isRepeatable { written["explode"] = .flag(false) }
        return written
    }
}

extension JSONWriter {
    /// Writes a value with the members of objects sorted by name, but JSON before other media types, because client
    /// generators use the first.
    fileprivate mutating func ordered(_ json: JSON) {
        switch json {
        case .object(let members):
            let first = "application/json"
            let names = members.keys.sorted { $0 == first || $1 != first && $0 < $1 }
            object { json in for name in names { json.member(name) { $0.ordered(members[name] ?? .null) } } }
        case .list(let items): list(items) { $0.ordered($1) }
        default: value(json)
        }
    }
}
