import Foundation
import NIOHTTP1
import Testing

/// The abstract test suite of OGC API - Features - Part 1: Core 1.0.1 (OGC 17-069r4, annex A).
///
/// It covers the conformance classes that the service declares, a row for each test.
@Suite struct OGCConformanceTests {
    private static let rows = core + items + others

    @Test("The service passes the abstract test", arguments: rows.indices) func abstractTest(index: Int)
        async throws
    {
        let row = Self.rows[index]
        try await OGCWorld.run { world in
            do { try await row.check(world) } catch { Issue.record("\(row.name): \(error)") }
        }
    }

    @Test("Every declared conformance class has abstract tests") func declaredClasses() async throws {
        try await OGCWorld.run { world in
            let declared = try #require(try await world.object("/ogc/conformance")["conformsTo"] as? [String])
            let start = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/"
            let tested = Set(Self.rows.map { start + ($0.name.split(separator: "/").dropFirst().first ?? "") })
            #expect(Set(declared) == tested)
            #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
        }
    }

    struct Row: Sendable {
        let name: String
        let check: @Sendable (OGCWorld) async throws -> Void

        init(_ name: String, _ check: @escaping @Sendable (OGCWorld) async throws -> Void) {
            (self.name, self.check) = ("/conf/\(name)", check)
        }
    }

    /// The links of a resource to itself and to its other representation, each with its type.
    static func expectLinks(_ path: String, _ type: String, in world: OGCWorld) async throws {
        let object = try await world.object(path)
        for link in try OGCWorld.links(object) {
            #expect(link["rel"] != nil && link["type"] != nil, "\(path): \(link)")
        }
        for (relation, type) in [("self", type), ("alternate", "text/html")] {
            let url = try #require(try OGCWorld.link(relation, type, of: object), "\(path): \(relation)")
            let reply = try await world.get(world.path(url))
            #expect(
                reply.status == 200 && reply.headers.first(name: "content-type")?.hasPrefix(type) ?? false, "\(url)")
        }
    }

    private static let core: [Row] = [
        Row("core/http") { world async throws in
            let reply = try await world.get("/ogc")
            #expect(reply.status == 200 && reply.headers.contains(name: "date"))
        },
        Row("core/root-op") { world async throws in #expect(try await world.get("/ogc/").status == 200) },
        Row("core/root-success") { world async throws in
            let page = try await world.object("/ogc")
            for relation in ["service-desc", "service-doc", "conformance", "data"] {
                let url = try #require(try OGCWorld.link(relation, of: page), "\(relation)")
                #expect(try await world.get(world.path(url)).status == 200, "\(relation)")
            }
            try await expectLinks("/ogc", "application/json", in: world)
        },
        Row("core/api-definition-op") { world async throws in
            let page = try await world.object("/ogc")
            let url = try OGCWorld.link("service-desc", "application/vnd.oai.openapi+json;version=3.0", of: page)
            #expect(try await world.get(world.path(try #require(url))).status == 200)
        },
        Row("core/api-definition-success") { world async throws in
            #expect(try await world.object("/ogc/api")["openapi"] as? String == "3.0.3")
        },
        Row("core/conformance-op") { world async throws in
            #expect(try await world.get("/ogc/conformance").status == 200)
        },
        Row("core/conformance-success") { world async throws in
            let classes = try #require(try await world.object("/ogc/conformance")["conformsTo"] as? [String])
            #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"))
        },
        Row("core/fc-md-op") { world async throws in #expect(try await world.get("/ogc/collections").status == 200) },
        Row("core/fc-md-success") { world async throws in
            let page = try await world.object("/ogc/collections")
            let collections = try #require(page["collections"] as? [OGCWorld.Object])
            #expect(collections.map { $0["id"] as? String } == OGCWorld.collections)
        },
        Row("core/fc-md-links") { world async throws in
            try await expectLinks("/ogc/collections", "application/json", in: world)
        },
        Row("core/fc-md-items") { world async throws in
            let page = try await world.object("/ogc/collections")
            for collection in try #require(page["collections"] as? [OGCWorld.Object]) {
                #expect(collection["id"] is String && collection["links"] is [Any])
            }
        },
        Row("core/fc-md-items-links") { world async throws in
            let page = try await world.object("/ogc/collections")
            for collection in try #require(page["collections"] as? [OGCWorld.Object]) {
                for type in ["application/geo+json", "text/html"] {
                    let url = try #require(try OGCWorld.link("items", type, of: collection))
                    let reply = try await world.get(world.path(url))
                    #expect(reply.headers.first(name: "content-type")?.hasPrefix(type) ?? false)
                }
            }
        },
        // The extent is optional.
        Row("core/fc-md-extent") { world async throws in
            let page = try await world.object("/ogc/collections")
            for collection in try #require(page["collections"] as? [OGCWorld.Object]) {
                #expect(collection["extent"] == nil)
            }
        },
        Row("core/sfc-md-op") { world async throws in
            for id in OGCWorld.collections {
                #expect(try await world.get("/ogc/collections/\(id)").status == 200, "\(id)")
            }
            #expect(try await world.get("/ogc/collections/none").status == 404)
        },
        Row("core/sfc-md-success") { world async throws in
            let page = try await world.object("/ogc/collections")
            for collection in try #require(page["collections"] as? [OGCWorld.Object]) {
                let id = try #require(collection["id"] as? String)
                let alone = try await world.object("/ogc/collections/\(id)")
                for name in ["id", "title", "description", "itemType"] {
                    #expect(alone[name] as? String == collection[name] as? String, "\(id): \(name)")
                }
                #expect(try OGCWorld.link("items", "application/geo+json", of: alone) != nil)
                try await expectLinks("/ogc/collections/\(id)", "application/json", in: world)
            }
        },
        Row("core/f-op") { world async throws in
            for id in OGCWorld.collections {
                for feature in try await world.ids("\(id)/items") {
                    #expect(try await world.get("/ogc/collections/\(id)/items/\(feature)").status == 200, "\(feature)")
                }
                for feature in ["none", "bar:1:0", "ana:x", "ana:1795168200000:1"] {
                    #expect(try await world.get("/ogc/collections/\(id)/items/\(feature)").status == 404, "\(feature)")
                }
            }
        },
        Row("core/f-success") { world async throws in
            for id in OGCWorld.collections {
                for feature in try await world.features("\(id)/items") {
                    let own = try #require(feature["id"] as? String)
                    var alone = try await world.object("/ogc/collections/\(id)/items/\(own)")
                    alone["links"] = nil
                    #expect(NSDictionary(dictionary: alone) == NSDictionary(dictionary: feature), "\(own)")
                }
            }
        },
        Row("core/f-links") { world async throws in
            for id in OGCWorld.collections {
                for feature in try await world.ids("\(id)/items") {
                    let path = "/ogc/collections/\(id)/items/\(feature)"
                    try await expectLinks(path, "application/geo+json", in: world)
                    let url = try #require(try OGCWorld.link("collection", of: try await world.object(path)))
                    #expect(try await world.object(world.path(url))["id"] as? String == id)
                }
            }
        },
    ]
}
