import API
import Foundation
import NIOHTTP1
import Testing

/// The service conforms to `/openapi.json`.
///
/// Every answer in any test is also checked against it (``TestServer/send(_:_:type:headers:)``).
@Suite struct DescriptionTests {
    private typealias Object = [String: Any]

    private func document(_ server: TestServer) async throws -> Object {
        let reply = try await server.send("GET /openapi.json")
        #expect(reply.status == 200)
        #expect(reply.headers["content-type"] == ["application/json"])
        return try #require(try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? Object)
    }

    @Test("The described endpoints are those that are served") func endpoints() async throws {
        try await withServer { server in
            let served = server.endpoints.map { $0.replacing("**", with: "{rest}") }
            #expect(served.sorted() == server.described.names.sorted())
        }
    }

    @Test("Every caller can read the description") func publicDocument() async throws {
        try await withKeys { server, _, _ in
            let reply = try await server.send("GET /openapi.json")
            #expect(reply.status == 200)
            let tag = try #require(reply.headers["etag"].first)
            #expect(try await server.send("GET /openapi.json", headers: ["if-none-match": tag]).status == 304)
        }
    }

    /// With `fields` any member may be missing.
    @Test("Members that `fields` can omit are not required") func optionalMembers() async throws {
        try await withServer { server in
            let document = try await document(server)
            let schemas = try #require((document["components"] as? [String: Object])?["schemas"] as? [String: Object])
            func written(_ schema: Object?) -> Object? {
                guard let name = schema?["$ref"] as? String else { return schema }
                return name.split(separator: "/").last.flatMap { schemas[String($0)] }
            }
            func member(_ name: String, of schema: Object?) -> Object? {
                written((written(schema)?["properties"] as? [String: Object])?[name])
            }
            var count = 0
            for (path, methods) in try #require(document["paths"] as? [String: [String: Object]]) {
                let parameters = methods["get"]?["parameters"] as? [Object] ?? []
                guard parameters.contains(where: { $0["name"] as? String == "fields" }) else { continue }
                let answer = (methods["get"]?["responses"] as? [String: Object])?["200"]
                let content = answer?["content"] as? [String: Object]
                let schema = try #require(content?["application/json"]?["schema"] as? Object)
                let item = member("items", of: schema).map { written($0["items"] as? Object) } ?? written(schema)
                for kind in item?["anyOf"] as? [Object] ?? [item ?? [:]] {
                    let kind = try #require(written(kind))
                    #expect(kind["properties"] != nil && kind["required"] == nil, "\(path)")
                    count += 1
                }
            }
            #expect(count > 20)
        }
    }

    @Test("The described security is correct") func describedSecurity() async throws {
        try await withKeys { server, _, _ in
            let paths = try #require(try await document(server)["paths"] as? [String: [String: Object]])
            for (path, methods) in paths where !path.contains("ingest") && path != "/pub" {
                for (method, operation) in methods {
                    let address = path.replacing(#/\{[a-z]+\}/#, with: "x")
                    let security = try #require(operation["security"] as? [Any])
                    let reply = try await server.send("\(method.uppercased()) \(address)")
                    #expect((reply.status == 401) == !security.isEmpty, "\(method) \(path): \(reply.text)")
                }
            }
        }
    }

    /// For each parameter, values that its schema excludes and that the route must refuse by name.
    private func impossible(_ schema: Object) -> [String] {
        var values: [String] = []
        let item = schema["items"] as? Object ?? schema
        if schema["minItems"] != nil { values.append("") }
        if item["enum"] != nil { values.append("no-such-word") }
        if item["type"] as? String == "boolean" { values.append("perhaps") }
        if item["format"] as? String == "date-time" { values.append("yesterday") }
        if ["number", "integer"].contains(item["type"] as? String) {
            values.append("many")
            if let least = item["minimum"] as? Double { values.append("\(least - 1)") }
            if let most = item["maximum"] as? Double { values.append("\(most * 2)") }
        }
        return values
    }

    /// The other parameters that a request requires, by the end of the path, or all known ones.
    private func others(_ path: String, _ name: String, _ known: [String]) -> String {
        let values = ["lat=1", "lon=2", "within_m=1", "with=x", "person=ana", "q=a", "at=2020-01-01T00:00:00Z"]
        let isByPlace = ["lat", "lon"].contains(name)
        return values.filter { pair in
            let own = String(pair.prefix { $0 != "=" })
            guard own != name, known.contains(own) else { return false }
            if path.hasSuffix("cities") { return isByPlace == ["lat", "lon"].contains(own) }
            return own != "at" || path.hasSuffix("nearby") && name != "datetime"
        }.joined(separator: "&")
    }

    @Test("Values that a schema excludes are refused by name") func invalidValues() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            var count = 0
            for (path, methods) in try #require(try await document(server)["paths"] as? [String: [String: Object]]) {
                for (method, operation) in methods {
                    let all = operation["parameters"] as? [Object] ?? []
                    let parameters = all.filter { $0["in"] as? String == "query" }
                    let names = parameters.compactMap { $0["name"] as? String }
                    for (name, parameter) in zip(names, parameters) {
                        for value in impossible(try #require(parameter["schema"] as? Object)) {
                            let word = path.replacing("{kind}", with: "people").replacing(#/\{[a-z]+\}/#, with: "ana")
                            let line = "\(method.uppercased()) \(word)?\(others(path, name, names))&\(name)=\(value)"
                            let reply = try await server.send(
                                line, method == "get" ? nil : "{}",
                                type: path.contains("imports") ? "text/csv" : "application/json")
                            #expect(reply.status == 400, "\(line): \(reply.text.prefix(200))")
                            let isNamed = ["'\(name)'", "?\(name)\""].contains(where: reply.body.contains)
                            #expect(isNamed, "\(line): \(reply.text)")
                            count += 1
                        }
                    }
                }
            }
            #expect(count > 150)
        }
    }
}
