import CercaClient
import Foundation
import Testing

/// The names in `/openapi.json`, by which requests and types of the client are checked.
struct ClientContract {
    private typealias Object = [String: Any]

    private let paths: [String: [String: Object]]
    private let schemas: [String: Object]

    init(_ server: TestServer) async throws {
        let text = try await server.send("GET /openapi.json").body
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
        paths = try #require(whole["paths"] as? [String: [String: Object]])
        schemas = try #require((whole["components"] as? Object)?["schemas"] as? [String: Object])
    }

    /// The names of the members of a schema, or of all of its alternatives, without references.
    private func members(_ path: String) throws -> Set<String> {
        let parts = path.split(separator: ".").map(String.init)
        var schema = try #require(schemas[parts[0]], "\(path)")
        for part in parts.dropFirst() {
            schema = try #require((schema["properties"] as? Object)?[part] as? Object, "\(path)")
        }
        let forms = schema["anyOf"] as? [Object] ?? schema["oneOf"] as? [Object] ?? [schema]
        return Set(forms.flatMap { ($0["properties"] as? Object ?? [:]).keys })
    }

    /// Checks the operation and parameters of a request, with `{id}` for ids and `attr` for every attribute.
    func check(_ request: CercaClient.Request, _ path: String) throws {
        let parts = request.path.split(separator: "?", maxSplits: 1).map(String.init)
        #expect(parts[0].replacing("/some%2Fone", with: "/{id}") == path)
        let operation = try #require(paths[path]?[request.method.rawValue.lowercased()], "\(request.path)")
        let known = (operation["parameters"] as? [Object] ?? []).filter { $0["in"] as? String == "query" }
            .compactMap { $0["name"] as? String }
        let query = parts.count > 1 ? parts[1] : ""
        let sent = query.split(separator: "&").map { pair in
            ["attr", "store.attr"].first { pair.hasPrefix("\($0).") } ?? String(pair.prefix { $0 != "=" })
        }
        #expect(Set(sent).subtracting(known) == [], "\(path)")
        // The client omits these on purpose; a new parameter of the service needs a decision here.
        let left: Set = ["cursor", "fields", "explain", "ticket", "lastEventId"]
        let missing = Set(known).subtracting(sent).subtracting(left)
        #expect(missing.isEmpty || path == "/v1/events" && missing == ["limit"], "\(path): \(missing)")
    }

    /// Checks that a type has all members of a schema, except some, and no others.
    func check<Key: CodingKey & CaseIterable>(
        _ keys: Key.Type, _ schema: String, leaving left: Set<String> = []
    ) throws {
        let used = Set(keys.allCases.map(\.stringValue))
        #expect(try members(schema).subtracting(left) == used, "\(schema)")
    }
}
