import API
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Raster tiles of a file: images, types, caches and the page.
@Suite struct MapFileTests {
    private static let images: [String: Data] = [
        "1/0/1": Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]), "1/1/1": Data([0xff, 0xd8, 0xff, 0xe0]),
        "2/3/0": Data("RIFF0000WEBPVP8 ".utf8), "2/0/0": Data("<svg/>".utf8),
    ]

    private static func file(_ attribution: String = "Maps Ltd") -> MapFile {
        MapFile(attribution: attribution, zooms: 1...2, bounds: [-180, -60, 180, 60]) { zoom, x, y in
            Self.images["\(zoom)/\(x)/\(y)"]
        }
    }

    private func withFile(_ file: MapFile = Self.file(), _ body: (TestServer) async throws -> Void) async throws {
        try await withServer({ ($0.mapFile, $0.tiles) = (file, file.tiles) }, body)
    }

    @Test(
        "Images have the type of their content",
        arguments: [("1/0/1", "image/png"), ("1/1/1", "image/jpeg"), ("2/3/0", "image/webp")])
    func types(_ tile: String, _ type: String) async throws {
        try await withFile { server in
            let reply = try await server.send("GET /tiles/base/\(tile)")
            #expect(reply.status == 200 && reply.headers["content-type"] == [type])
            #expect(reply.headers["x-content-type-options"] == ["nosniff"])
            #expect(reply.headers["content-length"] == ["\(Self.images[tile]?.count ?? 0)"])
            let tag = try #require(reply.headers["etag"].first)
            let again = try await server.send("GET /tiles/base/\(tile)", headers: ["if-none-match": tag])
            #expect(again.text == "304 ")
        }
    }

    @Test(
        "Tiles that do not exist are refused",
        arguments: [
            ("1/0/0", 404, "The map has no tile 1/0/0."),
            ("2/0/0", 404, "The tile 2/0/0 of the map is not a PNG, JPEG or WebP image."),
            ("1/2/0", 400, "'{x}' in the path is '2'; must be a whole number from 0 to 1 at zoom 1."),
            ("31/0/0", 400, "'{z}' in the path is '31'; must be a whole number from 0 to 30."),
            ("30/1073741824/0", 400, "'{x}' in the path is '1073741824'"),
            ("1/0/..%2f1", 400, "'{y}' in the path is '../1'"),
        ])
    func refused(_ tile: String, _ status: Int, _ detail: String) async throws {
        try await withFile { server in
            let reply = try await server.send("GET /tiles/base/\(tile)")
            #expect(reply.status == status && reply.body.contains(detail), "\(reply.text)")
        }
    }

    @Test("The page shows the tiles as its own, also the pages of links, and sends no referrer") func page()
        async throws
    {
        try await withFile { server in
            let map = try await server.send("GET /page/map.json")
            #expect(
                map.body == """
                    {"tiles":"/tiles/base/{z}/{x}/{y}","attribution":"Maps Ltd","on_links":true,"min_zoom":1,\
                    "max_zoom":2,"bounds":[-180,-60,180,60]}
                    """)
            let page = try await server.send("GET /")
            #expect(page.headers["referrer-policy"] == ["no-referrer"])
            #expect(page.headers["content-security-policy"].first?.contains("img-src 'self' data:;") ?? false)
            let style = try await server.send("GET /v1/tiles/store/style.json")
            #expect(style.body.contains(#""tiles":["\#(server.base)/tiles/base/{z}/{x}/{y}"]"#))
        }
        try await withServer { server in
            let status = try await server.send("GET /tiles/base/1/0/1").status
            #expect(status == 404)
        }
    }

    @Test("The credit is shown as text") func credit() async throws {
        let html = #"<a href="https://osm.example/?a&amp;b">&copy; OSM</a> &amp; <b>friends</b>"#
        try await withFile(Self.file(html)) { server in
            let map = try await server.send("GET /page/map.json").body
            #expect(map.contains(#""attribution":"© OSM & friends""#))
        }
    }

    @Test("A browser may load many tiles at once without a token") func unlimited() async throws {
        let keys = try TestKeys()
        defer { keys.remove() }
        let file = Self.file()
        try await withServer(
            {
                ($0.mapFile, $0.tiles) = (file, file.tiles)
                $0.rates.address.perSecond = 0.1
            }, keys: try await keys.ring()
        ) { server in
            for _ in 0..<20 {
                for path in ["/tiles/base/1/0/1", "/page/map.json"] {
                    #expect(try await server.send("GET \(path)").status == 200)
                }
            }
            let (first, second) = (try await server.send("GET /livez"), try await server.send("GET /livez"))
            #expect(first.status == 200 && second.status == 429)
        }
    }
}
