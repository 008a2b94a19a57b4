import API
import Discovery
import Foundation
import NIOHTTP1
import Storage
import Testing

/// The metrics at `/metrics`.
@Suite struct MetricTests {
    /// The value of a series, or nil if it is not exported.
    private func value(_ series: String, _ server: TestServer, token: String? = nil) async throws -> Double? {
        let reply = try await server.send(
            "GET /metrics", headers: token.map { ["authorization": "Bearer \($0)"] } ?? [:])
        #expect(reply.headers["content-type"] == ["text/plain; version=0.0.4; charset=utf-8"])
        let line = reply.body.split(separator: "\n").first { $0.hasPrefix("\(series) ") }
        return line.flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    @Test("Requests are counted by the template of their route") func requestCounts() async throws {
        try await withServer { server in
            for line in ["GET /v1/people/luis", "GET /v1/people/eva", "PUT /v1/people/luis", "GET /v1/nothing/luis"] {
                try await server.send(line, line.hasPrefix("PUT") ? "{}" : nil)
            }
            let requests = "cerca_http_requests_total"
            for (series, count) in [
                (#"\#(requests){method="GET",route="/v1/people/{id}",status="4xx"}"#, 2.0),
                (#"\#(requests){method="PUT",route="/v1/people/{id}",status="2xx"}"#, 1),
                (#"\#(requests){method="any",route="none",status="4xx"}"#, 1),
                (#"cerca_http_request_duration_seconds_count{method="GET",route="/v1/people/{id}"}"#, 2),
                (#"cerca_http_request_duration_seconds_bucket{method="any",route="none",le="+Inf"}"#, 1),
            ] { #expect(try await value(series, server) == count, "\(series)") }
            let text = try await server.send("GET /metrics").body
            #expect(!text.contains("luis") && !text.contains("eva"))
        }
    }

    @Test("Positions are counted by verdict, and commits by their items") func pingsAndCommits() async throws {
        try await withServer { server in
            try await server.add(["ana"])
            for _ in 0..<2 { try await server.send("POST /v1/pings", #"{"person":"ana","lat":39.5,"lon":-0.4}"#) }
            try await server.send("POST /v1/pings", #"{"person":"nobody","lat":39.5,"lon":-0.4}"#)
            #expect(try await value(#"cerca_pings_total{verdict="stored"}"#, server) == 1)
            #expect(try await value(#"cerca_pings_total{verdict="duplicate"}"#, server) == 1)
            #expect(try await value(#"cerca_pings_total{verdict="unknown_person"}"#, server) == 1)
            #expect(try await value(#"cerca_pings_total{verdict="future"}"#, server) == 0)
            #expect(try await value("cerca_commit_items_sum", server) == 4)
            let commits = try await value("cerca_commit_items_count", server)
            #expect(try await value("cerca_commit_duration_seconds_count", server) == commits)
            #expect(try await value("cerca_commit_sync_seconds_count", server) == commits)
            #expect(try await value("cerca_publish_wait_seconds_count", server) ?? 0 > 0)
            #expect(try await value(#"cerca_entities{kind="people"}"#, server) == 1)
            try await server.send("PUT /v1/places/sol", #"{"kind":"topic","name":"Sol","lat":39.5,"lon":-0.4}"#)
            try await server.send("GET /v1/places/nearest?lat=39.5&lon=-0.4")
            #expect(try await value("cerca_compaction_backlog_pings", server) == 1)
            #expect(try await value("cerca_wal_bytes", server) ?? 0 > 0)
            try await server.engine.compact()
            #expect(try await value("cerca_compaction_backlog_pings", server) == 0)
            for series in [
                "cerca_longest_reading_steps", "cerca_longest_turn_steps", "cerca_http_connections",
                "process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds", "process_max_fds",
                "process_start_time_seconds",
            ] { #expect(try await value(series, server) ?? 0 > 0, "\(series)") }
        }
    }

    @Test("Failed commits are counted") func failedCommits() async throws {
        try await withServer { server in
            try await server.add(["ana"])
            try server.store.close()
            #expect(try await server.send("PUT /v1/people/luis", "{}").status >= 500)
            #expect(try await value("cerca_commit_failures_total", server) ?? 0 > 0)
        }
    }

    @Test("Rate refusals are counted by the kind of caller") func rateRefusals() async throws {
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer(
            { $0.rates.person = Rate(perSecond: 1, saved: .zero) }, keys: try await keys.ring()
        ) { server in
            for _ in 0..<3 { try await server.send("GET /v1/cities?q=a", token: keys.person("ana")) }
            let series = #"cerca_http_rate_refusals_total{caller="person"}"#
            #expect(try await value(series, server, token: keys.service) == 2)
        }
    }

    @Test("Cut-off scans are counted", arguments: ["/v1/places?attr.floors=9", "/v1/places/facets?facet=kind"])
    func cutOffScans(address: String) async throws {
        try await withServer({ $0.limits.scan = 100 }) { server in
            let rows = (0..<300).map {
                #"{"id":"t\#($0)","kind":"topic","name":"T","lat":39.47,"lon":-0.376,"floors":1}"#
            }
            try await server.send("POST /v1/imports/places", rows.joined(separator: "\n"), type: "application/x-ndjson")
            let reply = try await server.send("GET \(address)")
            #expect(reply.body.contains(#""truncated":true"#), "\(reply.text.prefix(300))")
            let route = address.prefix { $0 != "?" }
            #expect(try await value(#"cerca_http_scans_cut_off_total{route="\#(route)"}"#, server) == 1)
        }
    }
}
