import API
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// The page as it is served; `tools/page` tests it in a browser.
@Suite struct PageTests {
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// The folder with our files.
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Sources/PageFiles/web")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: sources.appending(path: name), encoding: .utf8)
    }

    /// A server with a folder that has the files of Debian's packages of Leaflet and qrcode-generator.
    private func withPage(_ body: (TestServer) async throws -> Void) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in ["leaflet.min.js", "leaflet.css", "qrcode.js"] {
                try Data("the \(name)".utf8).write(to: folder.appending(path: name))
            }
            try await withServer({ ($0.leaflet, $0.qrcode) = (folder, folder) }) { try await body($0) }
        }
    }

    /// The addresses in a text that are on this server.
    private func addresses(_ text: String, of name: String) -> [String] {
        let named = text.matches(of: #/["'](\/page\/[^"']+)["']/#).map { String($0.1) }
        return named + text.matches(of: #/from "\.\/([^"]+)"/#).map { "/page/\($0.1)" }
    }

    @Test("A file of a package is read once") func readOnce() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "leaflet.css")
            try await withServer({ $0.leaflet = folder }) { server in
                #expect(try await server.send("GET /page/leaflet.css").status == 404, "it may be installed later")
                try Data("first".utf8).write(to: file)
                #expect(try await server.send("GET /page/leaflet.css").body == "first")
                try FileManager.default.removeItem(at: file)
                #expect(try await server.send("GET /page/leaflet.css").body == "first")
            }
        }
    }

    @Test("All files that the page names are served with their type and tag") func referencedFiles() async throws {
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8", "geojson": "application/geo+json", "json": "application/json",
        ]
        try await withPage { server in
            var (waiting, seen) = (["/", "/docs", "/page/share.html"], Set<String>())
            while let address = waiting.popLast() {
                guard seen.insert(address).inserted else { continue }
                let reply = try await server.send("GET \(address)")
                let kind = ["/", "/docs"].contains(address) ? "html" : String(address.split(separator: ".").last ?? "")
                #expect(reply.status == 200, "\(address)")
                #expect(reply.headers["content-type"] == [try #require(types[kind])], "\(address)")
                #expect(reply.headers["content-security-policy"] == [Self.policy], "\(address)")
                #expect(reply.headers["x-content-type-options"] == ["nosniff"], "\(address)")
                #expect(reply.headers["cache-control"] == ["no-cache"], "\(address)")
                let tag = try #require(reply.headers.first(name: "etag"), "\(address)")
                let again = try await server.send("GET \(address)", headers: ["If-None-Match": tag])
                #expect(again.text == "304 ", "\(address)")
                if kind == "html" || kind == "js", !address.contains("swagger") {
                    waiting += addresses(reply.body, of: address)
                }
            }
            let pages = ["index.html": "/", "docs.html": "/docs"]
            let ours = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
                .filter { $0 != "client.d.ts" }
            let loaded = [
                "leaflet.js", "leaflet.css", "qrcode.js", "swagger-ui.js", "swagger-ui.css", "land.json", "cities.json",
                "map.json",
            ]
            #expect(
                seen == Set((ours + loaded).map { pages[$0] ?? "/page/\($0)" }),
                "each file is named, and what is named is a file")
        }
    }

    @Test("The JavaScript client and its types are served as they are") func javaScriptClient() async throws {
        let types = [
            "client.js": "text/javascript; charset=utf-8", "client.d.ts": "application/typescript; charset=utf-8",
        ]
        let origins = try AllowedOrigins("https://app.example")
        try await withServer({ $0.origins = origins }) { server in
            for (name, type) in types {
                let reply = try await server.send("GET /\(name)", headers: ["origin": "https://app.example"])
                #expect(reply.status == 200, "\(name)")
                #expect(try reply.body == Self.text(name), "\(name)")
                #expect(reply.headers["content-type"] == [type], "\(name)")
                #expect(reply.headers["access-control-allow-origin"] == ["https://app.example"], "\(name)")
                let foreign = try await server.send("GET /\(name)", headers: ["origin": "https://other.example"])
                #expect(foreign.status == 403, "\(name)")
            }
        }
    }

    @Test("The page needs neither a token nor the files of other packages") func withoutTokenOrPackages() async throws {
        try await withKeys { server, _, _ in
            let page = try Self.text("index.html")
            #expect(try await server.send("GET /").body == page)
            #expect(try await server.send("HEAD /page/main.js").text == "200 ")
        }
        let nowhere = URL(filePath: "/nonexistent")
        try await withServer({ ($0.leaflet, $0.qrcode) = (nowhere, nowhere) }) { server in
            for (file, package) in [("leaflet.js", "libjs-leaflet"), ("qrcode.js", "node-qrcode-generator")] {
                let reply = try await server.send("GET /page/\(file)")
                #expect(reply.status == 404 && reply.body.contains("'\(package)' is not installed"))
            }
            for nothing in ["nothing.js", "..%2Fwords.js", "images"] {
                #expect(try await server.send("GET /page/\(nothing)").status == 404, "\(nothing)")
            }
            #expect(try await server.send("POST /").status == 405)
        }
    }

    @Test("No code is inline or from another site") func selfContained() throws {
        for page in ["index.html", "share.html"] {
            let html = try Self.text(page)
            #expect(!html.contains(#/ style=| on[a-z]+=|<style|<script(?! src="\/page\/)|https?:/#), "\(page)")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path) where name.hasSuffix(".js") {
            let text = try Self.text(name)
            #expect(!text.contains(#/innerHTML|insertAdjacentHTML|document\.write|eval\(/#), "\(name)")
            #expect(name == "tour.js" || !text.contains("localStorage"), "only the tour is remembered: \(name)")
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 300, "\(name)")
        }
    }

    @Test("Both languages have equal keys, and the page uses them") func keysOfLanguages() throws {
        let files = [["en.js", "office-en.js"], ["es.js", "office-es.js"]]
        let languages = try files.map { try $0.map(Self.text) }
        func keys(_ text: String) -> [String] { text.matches(of: #/\n  (\w+): "/#).map { String($0.1) } }
        let parts = languages[0].map(keys)
        #expect(parts.allSatisfy { $0.count > 100 })
        #expect(parts == languages[1].map(keys))
        for part in parts { #expect(part == part.sorted { $0.lowercased() < $1.lowercased() }, "in order") }
        let all = Set(parts.joined())
        #expect(all.count == parts.map(\.count).reduce(0, +), "no key is in two files")
        let places = languages.map { language in
            language.joined().split(separator: "\n").map { $0.matches(of: #/\{\w+\}/#).map { String($0.0) }.sorted() }
        }
        #expect(places[0] == places[1], "the same values go into both")
        var used: Set<String> = []
        var code = ""
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        where !files.joined().contains(name) {
            let text = try Self.text(name)
            used.formUnion(text.matches(of: #/(?:\bt\(|data-(?:t|label|title|hint)=)"(\w+)"/#).map { String($0.1) })
            code += text
        }
        #expect(used.subtracting(all).isEmpty, "a word for each key that is used")
        let named = Set(code.matches(of: #/\b\w+\b/#).map { String($0.0) })
        // Keys with such a beginning are composed from the service's answers.
        for key in all where !named.contains(key) {
            #expect(key.contains("_") && code.contains("`\(key.prefix { $0 != "_" })_${"), "\(key) is used")
        }
    }
}
