import API
import Foundation
import Model
import NIOHTTP1
import TestSupport
import Testing

/// A server with features in each collection, and a reader of its JSON.
struct OGCWorld {
    typealias Object = [String: Any]

    let server: TestServer
    let keys: TestKeys

    /// Gives `body` a world with shops without an owner, one that Ana owns, one without a position, and two people.
    static func run(
        _ configure: (inout Server.Configuration) -> Void = { _ in }, _ body: (OGCWorld) async throws -> Void
    ) async throws {
        try await withKeys({
            $0.rates.address.perSecond = 0
            $0.rates.person.perSecond = 0
            configure(&$0)
        }) { server, keys, _ in
            let world = OGCWorld(server: server, keys: keys)
            try await server.add([("ana", try place(39.47, -0.376)), ("luis", try place(40.4, -3.7))])
            for (id, form) in [
                ("bar", #"{"kind":"Shop","name":"Bar","lat":39.47,"lon":-0.376,"category":"food","tags":["vegan"]}"#),
                ("zoo", #"{"kind":"shop","name":"Zoo","lat":40.4,"lon":-3.7,"attributes":{"stars":3}}"#),
                ("edge", #"{"kind":"shop","name":"Edge","lat":-17.8,"lon":179.9}"#),
                ("home", #"{"kind":"shop","name":"Ana's home","lat":39.48,"lon":-0.38,"owner":"ana"}"#),
                ("mail", #"{"kind":"shop","name":"By mail"}"#),
                ("studio", #"{"kind":"studio","name":"Studio","lat":39.49,"lon":-0.38,"owner":"ana"}"#),
            ] { #expect(try await server.send("PUT /v1/places/\(id)", form, token: keys.service).status == 201) }
            try await body(world)
        }
    }

    /// The collections of a service.
    static let collections = ["places_shop", "places_studio", "people", "history"]

    func get(_ path: String, token: String? = nil, accept: String? = nil) async throws -> TestServer.Reply {
        var headers = ["authorization": "Bearer \(token ?? keys.service)"]
        headers["accept"] = accept
        return try await server.send("GET \(path)", headers: headers)
    }

    /// A resource as JSON.
    func object(_ path: String, token: String? = nil) async throws -> Object {
        let reply = try await get(path, token: token, accept: "application/json, application/geo+json")
        #expect(reply.status == 200, "\(path): \(reply.text)")
        return try Self.object(reply.body)
    }

    static func object(_ text: String) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    }

    static func links(_ object: Object) throws -> [[String: String]] {
        try #require(object["links"] as? [[String: String]])
    }

    /// The URL of the only link of a relation and media type.
    static func link(_ relation: String, _ type: String? = nil, of object: Object) throws -> String? {
        try links(object).first { $0["rel"] == relation && (type == nil || $0["type"] == type) }?["href"]
    }

    /// The path and query of a URL of the server.
    func path(_ url: String) throws -> String {
        #expect(url.hasPrefix(server.base), "\(url)")
        return String(url.dropFirst(server.base.count))
    }

    /// The features of a collection on all pages, in order.
    func features(_ query: String, token: String? = nil) async throws -> [Object] {
        var all: [Object] = []
        var next: String? = "/ogc/collections/\(query)"
        while let address = next {
            let page = try await object(address, token: token)
            let some = try #require(page["features"] as? [Object])
            #expect(page["numberReturned"] as? Int == some.count)
            all += some
            next = try Self.link("next", of: page).map(path)
            #expect(next == nil || !some.isEmpty, "a page with a next one has features")
        }
        return all
    }

    func ids(_ query: String, token: String? = nil) async throws -> [String] {
        try await features(query, token: token).map { try #require($0["id"] as? String) }
    }
}
