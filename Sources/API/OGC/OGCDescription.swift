internal import Interchange

/// The description of the endpoints of OGC API, which requires OpenAPI 3.0.
///
/// The schemas of Cerca's own description follow JSON Schema 2020-12. Few keywords must be written differently.
struct OGCDescription {
    private let document: [String: JSON]

    init(of endpoints: [Endpoint], isOpen: Bool) {
        var document = OpenAPI(endpoints: endpoints, isOpen: isOpen).document
        document["openapi"] = .text("3.0.3")
        document["info"] = document["info"].map { Self.with($0, ["license": .object(["name": .text("Apache-2.0")])]) }
        if case .object(let paths)? = document["paths"] {
            document["paths"] = .object(
                Dictionary(
                    uniqueKeysWithValues: paths.map { path, item in
                        let rest = String(path.dropFirst(OGCRoutes.path.count))
                        return (rest.isEmpty ? "/" : rest, Self.earlier(item))
                    }))
        }
        if case .object(var components)? = document["components"] {
            if case .object(let schemes)? = components["securitySchemes"] {
                components["securitySchemes"] = .object(schemes.filter { Self.schemes.contains($0.key) })
            }
            document["components"] = .object(components.mapValues(Self.earlier))
        }
        self.document = document
    }

    private static let schemes: Set = ["token", "tokenAsPassword", "actingAs"]
    /// The keywords that 3.0 does not have.
    private static let laterKeywords = ["propertyNames", "contentMediaType"]

    /// The document in UTF-8 of a server whose landing page has this URL.
    func bytes(at url: String) -> [UInt8] {
        var document = document
        document["servers"] = .list([.object(["url": .text(url)])])
        var json = JSONWriter()
        json.value(.object(document))
        return json.bytes
    }

    /// A part of a document of 3.1 as 3.0 writes it.
    private static func earlier(_ json: JSON) -> JSON {
        guard case .object(var members) = json else {
            if case .list(let items) = json { return .list(items.map(earlier)) }
            return json
        }
        for keyword in laterKeywords { members[keyword] = nil }
        if case .list(let types)? = members["type"] {
            members["type"] = types.first { $0 != .text("null") }
            members["nullable"] = .flag(true)
        }
        if case .list(let examples)? = members["examples"] {
            members["examples"] = nil
            members["example"] = examples.first
        }
        if case .list(let ways)? = members["security"] {
            // Only OAuth has scopes in 3.0.
            members["security"] = .list(
                ways.map { way in
                    guard case .object(let schemes) = way else { return way }
                    return .object(schemes.mapValues { _ in .list([]) })
                })
        }
        return .object(members.mapValues(earlier))
    }

    private static func with(_ json: JSON, _ more: [String: JSON]) -> JSON {
        guard case .object(let members) = json else { return json }
        return .object(members.merging(more) { $1 })
    }
}
