import Discovery
import Foundation
import GRDB
import Geo
import NIOHTTP1
import Storage
import Testing

/// Streamed histories: pages, compression, and the end of one that cannot be read.
@Suite(.timeLimit(.minutes(60))) struct HistoryStreamTests {
    @Test("The pages of every format equal the stream") func pages() async throws {
        try await withServer { server in
            let pings = try await server.addLongWalk(9_000)
            for (form, query) in [
                ("text/csv", "fields=t"), ("text/csv", "fields=t&simplify_m=40"),
                ("application/json", "fields=t&simplify_m=40"),
                ("application/json", "fields=t&bbox=0,-90,90,90"),
                ("text/csv", "fields=t&simplify_m=700&bbox=0,-90,90,90"),
            ] {
                let stream = try await server.history("text/csv", "?\(query)", of: "ana")
                let whole = stream.body.split(separator: "\n").dropFirst().map(String.init)
                var paged: [String] = []
                var next: String? = "/v1/people/ana/history?\(query)&limit=1500"
                while let path = next {
                    let page = try await server.send("GET \(path)", headers: ["accept": form])
                    if form == "text/csv" {
                        paged += page.body.split(separator: "\n").dropFirst().map(String.init)
                    } else {
                        paged += page.body.matches(of: /"t":"([^"]+)"/).map { String($0.1) }
                    }
                    next = page.headers.first(name: "link")?.split(separator: ">").first.map { String($0.dropFirst()) }
                }
                #expect(paged == whole, "\(form) \(query): \(paged.count) and \(whole.count)")
                #expect(whole.count == pings || query != "fields=t")
                #expect(
                    whole.count < pings * 9 / 10 && whole.count > 20 || query == "fields=t", "\(query): \(whole.count)")
            }
        }
    }

    @Test("A stream is compressed for callers that accept it") func compression() async throws {
        try await withServer { server in
            _ = try await server.addLongWalk(3_000)
            let plain = try await server.history("application/gpx+xml", "", of: "ana")
            let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "history.gpx")
            let curl = Process()
            curl.executableURL = URL(fileURLWithPath: "/bin/sh")
            curl.arguments = [
                "-c",
                "curl -sf -H 'accept-encoding: gzip' -H 'accept: application/gpx+xml' '\(server.base)/v1/people/ana/history' | gzip -d > \(file.path)",
            ]
            try curl.run()
            curl.waitUntilExit()
            #expect(try String(contentsOf: file, encoding: .utf8) == plain.body)
            let head = try await server.send(
                "HEAD /v1/people/ana/history",
                headers: ["accept": "application/gpx+xml", "accept-encoding": "identity"])
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers.first(name: "content-type") == "application/gpx+xml")
        }
    }

    @Test("A stream that cannot be completed is cut off") func brokenStream() async throws {
        try await withServer { server in
            _ = try await server.addLongWalk(6_000)
            try await server.engine.compact()
            try await damage(server, "ORDER BY time_ms DESC LIMIT 1")
            for path in ["/v1/people/ana/history", "/v1/exports/pings"] {
                await #expect(throws: (any Error).self, "\(path)") {
                    try await server.send("GET \(path)", headers: ["accept": "text/csv"])
                }
            }
            try await damage(server, "ORDER BY time_ms LIMIT 1")
            #expect(try await server.history("text/csv", "", of: "ana").status == 500, "nothing was sent yet")
            #expect(try await server.send("GET /livez").status == 200)
        }
    }

    /// Removes the place of a ping.
    private func damage(_ server: TestServer, _ which: String) async throws {
        try await DatabaseQueue(path: server.folder.appending(path: Store.fileName).path).write { db in
            try db.execute(
                sql: "UPDATE pings SET position = zeroblob(60) WHERE number = (SELECT number FROM pings \(which))")
        }
    }
}
