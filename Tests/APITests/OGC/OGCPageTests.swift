import Foundation
import NIOHTTP1
import Testing

/// The pages of OGC API - Features, whose texts other people have written.
@Suite struct OGCPageTests {
    private static let attack = #"<script>alert(1)</script>"'&javascript:alert(2)"#
    private static let escaped = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;javascript:alert(2)"

    @Test("Every text of a place and a person is escaped") func texts() async throws {
        try await OGCWorld.run { world in
            let text = String(decoding: try JSONEncoder().encode(Self.attack), as: UTF8.self)
            let id = "javascript:'<b>"
            let path = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let place =
                #"{"kind":\#(text),"name":\#(text),"lat":1,"lon":2,"address":\#(text),"category":\#(text),"#
                + #""tags":[\#(text)],"attributes":{\#(text):\#(text),"href":"\#(world.server.base)/v1","rel":"x","type":"y"}}"#
            let person = #"{"name":\#(text),"surname":\#(text),"city":\#(text)}"#
            let ping = #"{"person":"\#(id)","lat":1,"lon":2,"t":"2026-11-20T09:00:00Z","device":\#(text)}"#
            for (line, body) in [
                ("PUT /v1/places/\(path)", place), ("PUT /v1/people/\(path)", person), ("POST /v1/pings", ping),
            ] {
                #expect([200, 201].contains(try await world.server.send(line, body, token: world.keys.service).status))
            }
            let kind = try #require(
                ("places_" + Self.attack.lowercased()).addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            for (resource, count) in [
                ("", 2), ("/\(kind)", 1), ("/\(kind)/items", 7), ("/\(kind)/items/\(path)", 7), ("/people/items", 3),
                ("/people/items/\(path)", 3), ("/history/items", 0),
            ] {
                let reply = try await world.get("/ogc/collections\(resource)?f=html")
                #expect(reply.status == 200)
                let markup = try #require(reply.body.firstRange(of: "<h1>"))
                let body = reply.body[markup.lowerBound...]
                #expect(!body.lowercased().contains("<script") && !body.contains("<b>"), "\(resource)")
                #expect(
                    !body.contains("/v1\">") && !body.contains("href=\"javascript") && !body.contains("'"),
                    "\(resource)")
                #expect(body.lowercased().ranges(of: Self.escaped).count >= count, "\(resource): \(body)")
            }
        }
    }

    @Test("A page loads and runs nothing, and sends no referrer") func policy() async throws {
        try await OGCWorld.run { world in
            for path in ["/ogc", "/ogc/collections", "/ogc/collections/places_shop/items"] {
                let reply = try await world.get("\(path)?f=html")
                #expect(
                    reply.headers["content-security-policy"] == [
                        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                    ])
                #expect(reply.headers["x-content-type-options"] == ["nosniff"])
                #expect(reply.headers["referrer-policy"] == ["no-referrer"])
                for tag in ["<script", "<style", "<img", "<link", "style="] {
                    #expect(!reply.body.contains(tag), "\(tag)")
                }
            }
        }
    }

    @Test("The links of pages lead from the landing page to each feature") func navigation() async throws {
        try await OGCWorld.run { world in
            var (seen, waiting): (Set<String>, [String]) = (["/ogc?f=html"], ["/ogc?f=html"])
            while let path = waiting.popLast() {
                let reply = try await world.get(path, accept: "text/html,*/*;q=0.8")
                #expect(reply.status == 200, "\(path)")
                for match in reply.body.matches(of: #/<a href="([^"]+)"/#) {
                    let next = try world.path(String(match.1).replacing("&amp;", with: "&"))
                    if next.hasPrefix("/ogc"), seen.insert(next).inserted { waiting.append(next) }
                }
            }
            for feature in ["places_shop/items/zoo", "people/items/ana", "history/items/ana:1795168200000:0"] {
                #expect(seen.contains("/ogc/collections/\(feature)?f=html"), "\(feature)")
            }
        }
    }
}
