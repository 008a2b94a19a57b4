import API
import NIOHTTP1
import TestSupport
import Testing

/// Tiles of another server: what the page admits and sends.
@Suite struct MapTilesTests {
    private static func tiles(
        _ template: String, _ attribution: String = "Tiles Ltd", subdomains: String = "", isOnLinks: Bool = false
    ) throws -> MapTiles {
        try MapTiles(template, attribution: attribution, subdomains: subdomains, isOnLinks: isOnLinks)
    }

    private static func policy(_ images: String) -> String {
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:\(images); connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """
    }

    @Test(
        "The page admits the images of these hosts and nothing more",
        arguments: [
            ("osm", "", " https://tile.openstreetmap.org"),
            ("https://tiles.example/{z}/{x}/{y}{r}.png?key=1", "", " https://tiles.example"),
            (
                "https://{s}.tiles.example:8443/{z}/{x}/{y}", "a,b",
                " https://a.tiles.example:8443 https://b.tiles.example:8443"
            ),
            ("http://127.0.0.1:9000/{z}/{y}/{x}", "", " http://127.0.0.1:9000"),
            ("http://[::1]/{z}/{x}/{y}", "", " http://[::1]"),
        ]) func admitted(_ template: String, _ subdomains: String, _ images: String) async throws
    {
        let tiles = try Self.tiles(template, subdomains: subdomains)
        try await withServer({ $0.tiles = tiles }) { server in
            let page = try await server.send("GET /")
            #expect(page.headers["content-security-policy"] == [Self.policy(images)])
            #expect(page.headers["referrer-policy"] == ["strict-origin"])
            for other in ["/docs", "/page/main.js"] {
                let reply = try await server.send("GET \(other)")
                #expect(reply.headers["content-security-policy"] == [Self.policy("")], "\(other)")
                #expect(reply.headers["referrer-policy"] == ["no-referrer"], "\(other)")
            }
        }
    }

    @Test("The map learns the template and its credit from the server") func description() async throws {
        try await withServer { server in
            let (map, page) = (try await server.send("GET /page/map.json"), try await server.send("GET /"))
            #expect(map.body == "{}")
            #expect(page.headers["referrer-policy"] == ["no-referrer"])
        }
        let tiles = try Self.tiles("osm", "")
        try await withServer({ $0.tiles = tiles }) { server in
            let map = try await server.send("GET /page/map.json")
            #expect(
                map.body == """
                    {"tiles":"https://tile.openstreetmap.org/{z}/{x}/{y}.png","attribution":"© OpenStreetMap contributors",\
                    "attribution_url":"https://www.openstreetmap.org/copyright","on_links":false}
                    """)
        }
    }

    @Test(
        "The page of a link shows foreign tiles only if this is set, and never sends its address",
        arguments: [false, true])
    func links(_ isOnLinks: Bool) async throws {
        let tiles = try Self.tiles("https://tiles.example/{z}/{x}/{y}", isOnLinks: isOnLinks)
        try await withServer({ $0.tiles = tiles }) { server in
            for path in ["/s/none", "/p/none"] {
                let page = try await server.send("GET \(path)", headers: ["accept": "text/html"])
                let images = isOnLinks ? " https://tiles.example" : ""
                #expect(page.headers["content-security-policy"] == [Self.policy(images)], "\(path)")
                #expect(page.headers["referrer-policy"] == ["no-referrer"], "\(path)")
            }
        }
    }

    @Test(
        "A template that could admit more is refused",
        arguments: [
            "tiles.example/{z}/{x}/{y}", "http://tiles.example/{z}/{x}/{y}", "ftp://tiles.example/{z}/{x}/{y}",
            "https://me:secret@tiles.example/{z}/{x}/{y}", "https://*.example/{z}/{x}/{y}", "https:///{z}/{x}/{y}",
            "https://tiles.example; script-src *//{z}/{x}/{y}", "https://tiles.example/{z}/{x}/{y};",
            "https://a,b/{z}/{x}/{y}",
            "https://tiles.example /{z}/{x}/{y}", "https://tiles.example/{z}/{x}/{y}\n",
            "https://tiles.example/{z}/{x}",
            "https://tiles.example/{z}/{x}/{y}/{q}", "https://tiles.example/{z}/{x}/{y}/{",
            "https://{s}.tiles.example/{z}/{x}/{y}",
            "https://{z}.example/{z}/{x}/{y}", "https://tiles.example:/{z}/{x}/{y}", "javascript:alert(1)//{z}/{x}/{y}",
            "http://127.0.0.1.tiles.example/{z}/{x}/{y}", "https://tiles.example\\@other.example/{z}/{x}/{y}", "OSM",
        ]) func refused(_ template: String)
    {
        #expect(throws: MapTiles.Fault.self) { try Self.tiles(template) }
    }

    @Test("Subdomains are a list of names that the template asks for, and a credit is required") func otherSettings()
        throws
    {
        let asking = "https://{s}.tiles.example/{z}/{x}/{y}"
        for list in ["a,,b", "*", "a;b", "a, b", "-a", "a.b", "A"] {
            #expect(throws: MapTiles.Fault.self, "\(list)") { try Self.tiles(asking, subdomains: list) }
        }
        let plain = "https://tiles.example/{z}/{x}/{y}"
        #expect(throws: MapTiles.Fault.self) { try Self.tiles(plain, subdomains: "a") }
        #expect { try Self.tiles(plain, "") } throws: { ($0 as? MapTiles.Fault)?.setting == "map.attribution" }
    }
}
