import API
import NIOHTTP1
import TestSupport
import Testing

/// Photos of people and products, which come from servers that their owners choose.
@Suite struct PhotoTests {
    private static func policy(_ images: String) -> String {
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:\(images); connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """
    }

    @Test(
        "Only the page at / admits photos, and only of these servers",
        arguments: [
            ("", ""), ("https://photos.example", " https://photos.example"),
            (
                "https://photos.example,https://cdn.example:8443,http://127.0.0.1:9000,http://[::1]",
                " https://photos.example https://cdn.example:8443 http://127.0.0.1:9000 http://[::1]"
            ),
        ]) func admitted(_ list: String, _ images: String) async throws
    {
        let photos = try PhotoServers(list)
        try await withServer({ $0.photos = photos }) { server in
            let page = try await server.send("GET /")
            #expect(page.headers["content-security-policy"] == [Self.policy(images)])
            #expect(page.headers["referrer-policy"] == ["no-referrer"])
            for path in ["/docs", "/page/main.js", "/s/none", "/p/none"] {
                let other = try await server.send("GET \(path)", headers: ["accept": "text/html"])
                #expect(other.headers["content-security-policy"] == [Self.policy("")], "\(path)")
            }
            let origins = images.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
            let map = try await server.send("GET /page/map.json").body
            #expect(map == (list.isEmpty ? "{}" : "{\"photos\":[\(origins)]}"))
        }
    }

    @Test("Photos and tiles of other servers are admitted side by side") func tilesAndPhotos() async throws {
        let photos = try PhotoServers("https://photos.example")
        let tiles = try MapTiles("osm", attribution: "", subdomains: "", isOnLinks: true)
        try await withServer({ ($0.photos, $0.tiles) = (photos, tiles) }) { server in
            for (path, images) in [
                ("/", " https://tile.openstreetmap.org https://photos.example"),
                ("/p/none", " https://tile.openstreetmap.org"),
            ] {
                let page = try await server.send("GET \(path)", headers: ["accept": "text/html"])
                #expect(page.headers["content-security-policy"] == [Self.policy(images)], "\(path)")
            }
        }
    }

    @Test(
        "A list that could admit more than its servers is refused by the name of the setting",
        arguments: [
            "photos.example", "http://photos.example", "ftp://photos.example", "https://me:secret@photos.example",
            "https://*.example", "https://", "https://photos.example/", "https://photos.example/people",
            "https://photos.example?x", "https://photos.example; script-src *", "https://a.example,",
            "https://a.example, https://b.example", "https://a.example,,https://b.example", "https://a.example\n",
            "https://photos.example:", "https://photos.example:65536", "https://{s}.photos.example", "data:", "'self'",
            "*", "https:", "http://127.0.0.1.photos.example", "https://photos.example\\@other.example",
        ]) func refused(_ list: String)
    {
        #expect { try PhotoServers(list) } throws: { ($0 as? MapTiles.Fault)?.setting == "map.photos" }
    }
}
