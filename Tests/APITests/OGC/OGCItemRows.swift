import Foundation
import NIOHTTP1
import Testing

/// The abstract tests of lists of features, and of the other conformance classes.
extension OGCConformanceTests {
    /// The declaration of a query parameter of a list in the description.
    private static func parameter(_ name: String, in world: OGCWorld) async throws -> OGCWorld.Object {
        let operation = try await operations(world).first { $0.path == "/collections/{id}/items" }
        let parameters = operation?.operation["parameters"] as? [OGCWorld.Object] ?? []
        return try #require(parameters.first { $0["name"] as? String == name && $0["in"] as? String == "query" })
    }

    private static func operations(_ world: OGCWorld) async throws -> [(path: String, operation: OGCWorld.Object)] {
        let paths = try await world.object("/ogc/api")["paths"] as? [String: [String: OGCWorld.Object]]
        return try #require(paths).flatMap { path, item in item.values.map { (path, $0) } }
    }

    static let items: [Row] = [
        Row("core/fc-op") { world async throws in
            for id in OGCWorld.collections {
                #expect(try await world.get("/ogc/collections/\(id)/items").status == 200, "\(id)")
            }
        },
        Row("core/fc-bbox-definition") { world async throws in
            let box = try await parameter("bbox", in: world)
            let schema = try #require(box["schema"] as? OGCWorld.Object)
            #expect(schema["type"] as? String == "array" && box["explode"] as? Bool == false && box["required"] == nil)
            #expect(schema["minItems"] as? Int == 4 && schema["maxItems"] as? Int == 6)
            #expect((schema["items"] as? OGCWorld.Object)?["type"] as? String == "number")
        },
        Row("core/fc-bbox-response") { world async throws in
            for (box, ids) in [
                ("-1,39,0,40", ["home", "bar"]), ("-1,39,-5,0,40,9000", ["home", "bar"]), ("170,-20,-170,0", ["edge"]),
                ("-180,-90,180,90", ["home", "edge", "zoo", "bar"]), ("0,0,1,1", []),
            ] { #expect(try await world.ids("places_shop/items?bbox=\(box)") == ids, "\(box)") }
            #expect(try await world.ids("people/items?bbox=-1,39,0,40") == ["ana"])
            #expect(try await world.ids("history/items?bbox=-5,40,-3,41") == ["luis:1795168200000:0"])
        },
        Row("core/fc-limit-definition") { world async throws in
            let schema = try #require(try await parameter("limit", in: world)["schema"] as? OGCWorld.Object)
            #expect(schema["type"] as? String == "integer")
            #expect([schema["minimum"], schema["maximum"], schema["default"]] as? [Int] == [1, 1000, 100])
        },
        Row("core/fc-limit-response") { world async throws in
            for limit in Array(1...5) + [1000, 1001, 5000] {
                let page = try await world.object("/ogc/collections/places_shop/items?limit=\(limit)")
                #expect((page["features"] as? [Any])?.count == min(limit, 4))
                for id in OGCWorld.collections {
                    let all = try await world.ids("\(id)/items")
                    #expect(try await world.ids("\(id)/items?limit=\(limit)") == all, "\(id)")
                }
            }
        },
        Row("core/fc-time-definition") { world async throws in
            let schema = try await parameter("datetime", in: world)["schema"] as? OGCWorld.Object
            #expect(schema?["type"] as? String == "string")
        },
        Row("core/fc-time-response") { world async throws in
            for (times, isSeen) in [
                ("2026-11-20T09:50:00Z", true), ("2026-11-20T09:50:00Z/..", true), ("../2026-11-20T09:50:00Z", true),
                ("2026-11-20T09:50:00Z/", true), ("/2026-11-20T09:50:00Z", true), ("2026-11-20T09:50:01Z/..", false),
                ("2026-11-20T09:00:00Z/2026-11-20T10:00:00Z", true), ("../2026-11-20T09:49:59Z", false),
                ("2026-11-20T09:50:01Z", false),
            ] {
                let query = "items?datetime=\(times)"
                #expect(try await world.ids("people/\(query)") == (isSeen ? ["ana", "luis"] : []), "\(times)")
                #expect(try await world.ids("history/\(query)").count == (isSeen ? 2 : 0), "\(times)")
                #expect(try await world.ids("places_shop/\(query)").count == 4, "places have no time")
            }
        },
        Row("core/query-param-unknown") { world async throws in
            for (path, name) in [
                ("/ogc", "x"), ("/ogc/api", "f"), ("/ogc/conformance", "x"), ("/ogc/collections", "bbox"),
                ("/ogc/collections/people", "limit"), ("/ogc/collections/people/items", "category"),
                ("/ogc/collections/people/items/ana", "limit"), ("/ogc/collections/places_shop/items", "person"),
                ("/ogc/collections/history/items", "attr.x"), ("/ogc/collections/places_shop/items", "kind"),
            ] {
                let reply = try await world.get("\(path)?\(name)=1")
                #expect(reply.status == 400 && reply.body.contains("'\(name)' is not a parameter"), "\(path)")
            }
        },
        Row("core/query-param-invalid") { world async throws in
            for query in [
                "limit=0", "limit=99999999999", "limit=x", "limit=", "bbox=1,2,3", "bbox=1,2,3,4,5", "bbox=a,b,c,d",
                "bbox=0,1,1,0", "bbox=", "datetime=yesterday", "datetime=", "datetime=2026-11-20", "f=xml",
                "datetime=2026-11-21T00:00:00Z/2026-11-20T00:00:00Z", "datetime=a/b/c", "cursor=x", "limit=1&limit=2",
            ] {
                for id in OGCWorld.collections {
                    let reply = try await world.get("/ogc/collections/\(id)/items?\(query)")
                    #expect(reply.status == 400, "\(id): \(query)")
                }
            }
        },
        Row("core/fc-response") { world async throws in
            #expect(try await world.ids("places_shop/items") == ["home", "edge", "zoo", "bar"])
            #expect(try await world.ids("people/items") == ["ana", "luis"])
            #expect(try await world.ids("history/items").count == 2)
            for (query, ids) in [
                ("category=Food", ["bar"]), ("tag=vegan", ["bar"]), ("attr.stars=3", ["zoo"]), ("q=zoo", ["zoo"]),
                ("owner=ana", ["home"]), ("attr.stars.gte=4", []),
            ] { #expect(try await world.ids("places_shop/items?\(query)") == ids, "\(query)") }
            #expect(try await world.ids("history/items?person=luis") == ["luis:1795168200000:0"])
        },
        Row("core/fc-links") { world async throws in
            for id in OGCWorld.collections {
                try await expectLinks("/ogc/collections/\(id)/items?limit=1", "application/geo+json", in: world)
            }
        },
        // The time of the answer is optional.
        Row("core/fc-timeStamp") { world async throws in
            #expect(try await world.object("/ogc/collections/people/items")["timeStamp"] == nil)
        },
        Row("core/fc-numberMatched") { world async throws in
            let page = try await world.object("/ogc/collections/places_shop/items?limit=1")
            #expect(page["numberMatched"] as? Int == 4)
            let filtered = try await world.object("/ogc/collections/places_shop/items?category=food")
            #expect(filtered["numberMatched"] == nil, "it is not known")
        },
        Row("core/fc-numberReturned") { world async throws in
            let page = try await world.object("/ogc/collections/places_shop/items?limit=3")
            #expect(page["numberReturned"] as? Int == 3)
        },
        Row("core/crs84") { world async throws in
            let page = try await world.object("/ogc/collections/places_shop/items?category=food")
            let feature = try #require((page["features"] as? [OGCWorld.Object])?.first)
            let geometry = try #require(feature["geometry"] as? OGCWorld.Object)
            #expect(geometry["coordinates"] as? [Double] == [-0.376, 39.47])
            let crs = try await world.object("/ogc/collections/places_shop")["crs"] as? [String]
            #expect(crs == ["http://www.opengis.net/def/crs/OGC/1.3/CRS84"])
        },
    ]

    static let others: [Row] = [
        Row("geojson/definition") { world async throws in
            for path in ["/ogc/collections/people/items", "/ogc/collections/people/items/ana"] {
                for accept in ["application/geo+json", "application/json", "*/*"] {
                    let reply = try await world.get(path, accept: accept)
                    #expect(reply.headers["content-type"] == ["application/geo+json"], "\(path)")
                }
            }
        },
        Row("geojson/content") { world async throws in
            for id in OGCWorld.collections {
                for feature in try await world.features("\(id)/items") {
                    #expect(feature["type"] as? String == "Feature" && feature["properties"] is OGCWorld.Object)
                    let geometry = try #require(feature["geometry"] as? OGCWorld.Object)
                    #expect(geometry["type"] as? String == "Point")
                    #expect((geometry["coordinates"] as? [Double])?.count == 2)
                }
            }
        },
        Row("html/definition") { world async throws in
            for path in ["/ogc", "/ogc/conformance", "/ogc/collections", "/ogc/collections/people"] {
                let reply = try await world.get(path, accept: "text/html,application/xhtml+xml,*/*;q=0.8")
                #expect(reply.headers["content-type"] == ["text/html; charset=utf-8"], "\(path)")
            }
            #expect(try await world.get("/ogc", accept: "image/png").status == 406)
        },
        Row("html/content") { world async throws in
            let reply = try await world.get("/ogc/collections/places_shop/items?f=html")
            for part in ["<!DOCTYPE html>", "Zoo", "-3.7", "/ogc/collections/places_shop/items/zoo?f=html"] {
                #expect(reply.body.contains(part), "\(part)")
            }
        },
        Row("oas30/completeness") { world async throws in
            for (path, operation) in try await operations(world) {
                let statuses = Set(try #require(operation["responses"] as? OGCWorld.Object).keys)
                #expect(statuses.isSuperset(of: ["200", "400", "401", "403", "429", "500", "503"]), "\(path)")
            }
        },
        Row("oas30/exception-codes") { world async throws in
            for (path, operation) in try await operations(world) where path.hasPrefix("/collections/") {
                #expect((operation["responses"] as? OGCWorld.Object)?["404"] != nil, "\(path)")
            }
        },
        Row("oas30/oas-definition-1") { world async throws in
            let reply = try await world.get("/ogc/api")
            #expect(reply.headers["content-type"] == ["application/vnd.oai.openapi+json;version=3.0"])
        },
        Row("oas30/oas-definition-2") { world async throws in
            // `tools/api` validates the document; these are the keywords that only later versions have.
            let text = try await world.get("/ogc/api").body
            for keyword in ["propertyNames", "contentMediaType", "\"null\"", "\"const\"", "\"examples\""] {
                #expect(!text.contains(keyword), "\(keyword)")
            }
            let document = try OGCWorld.object(text)
            #expect((document["servers"] as? [[String: String]]) == [["url": "\(world.server.base)/ogc"]])
        },
        Row("oas30/oas-impl") { world async throws in
            for (path, _) in try await operations(world) {
                let address = path.replacing("{id}", with: "people").replacing("{feature}", with: "ana")
                #expect(try await world.get("/ogc\(address)").status == 200, "\(path)")
            }
            let served = world.server.endpoints.filter { $0.hasPrefix("GET /ogc") }
            #expect(try await operations(world).count == served.count)
        },
        Row("oas30/security") { world async throws in
            let document = try await world.object("/ogc/api")
            let schemes = (document["components"] as? OGCWorld.Object)?["securitySchemes"] as? OGCWorld.Object
            #expect(Set(try #require(schemes).keys) == ["token", "tokenAsPassword", "actingAs"])
            for (path, operation) in try await operations(world) {
                let ways = try #require(operation["security"] as? [[String: [String]]])
                #expect(ways.contains(["tokenAsPassword": []]) && ways.contains(["token": []]), "\(path)")
            }
        },
    ]
}
