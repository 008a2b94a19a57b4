import AsyncHTTPClient
import Foundation
import NIOCore
import Testing

/// Debian's Prometheus with the service, its alert rules, and its dashboard; `tools/test` installs it.
@Suite(.timeLimit(.minutes(60))) struct MetricsTests {
    private static let packaging = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../packaging"
    ).standardizedFileURL

    private func promtool(_ arguments: String...) throws -> Program.Result {
        try Program.runAll(arguments, of: URL(filePath: "/usr/bin/promtool"))
    }

    @Test("promtool accepts the metrics") func exportFormat() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            defer { service.kill() }
            try await service.send("PUT /v1/people/ana", "{}")
            try await service.send("POST /v1/pings", #"{"person":"ana","lat":39.5,"lon":-0.4}"#)
            let file = folder.appending(path: "metrics")
            try Data(try await service.send("GET /metrics").body.utf8).write(to: file)
            let checked = try Program.runAll(
                ["-c", "exec promtool check metrics <'\(file.path)'"], of: URL(filePath: "/bin/sh"))
            #expect(checked.code == 0 && checked.output.isEmpty && checked.errors.isEmpty, "\(checked)")
        }
    }

    @Test("Prometheus scrapes the metrics port without a token") func scraping() async throws {
        try await withFolder { folder in
            let (port, ownPort) = (try freePort(), try freePort())
            let service = try await Service(
                data: folder.appending(path: "data"), environment: ["CERCA_METRICS_PORT": "\(port)"])
            defer { service.kill() }
            try await service.send("PUT /v1/people/ana", "{}")
            try await service.logs("metrics on http://127.0.0.1:\(port)/metrics")
            let settings = folder.appending(path: "prometheus.yml")
            try """
            scrape_configs:
              - {job_name: cerca, scrape_interval: 1s, static_configs: [{targets: ["127.0.0.1:\(port)"]}]}
            """.write(to: settings, atomically: true, encoding: .utf8)
            let prometheus = Process()
            prometheus.executableURL = URL(filePath: "/usr/bin/prometheus")
            prometheus.arguments = [
                "--config.file=\(settings.path)", "--storage.tsdb.path=\(folder.appending(path: "series").path)",
                "--web.listen-address=127.0.0.1:\(ownPort)",
            ]
            prometheus.standardError = FileHandle.nullDevice
            prometheus.standardOutput = FileHandle.nullDevice
            try prometheus.run()
            defer { prometheus.kill() }
            let query = "http://127.0.0.1:\(ownPort)/api/v1/query?query=cerca_entities%7Bkind%3D%22people%22%7D"
            #expect(try await answer(of: query, containing: "cerca_entities").contains(#","1"]"#))
        }
    }

    /// Requests an address until its answer contains a text, and returns that answer.
    private func answer(of address: String, containing text: String) async throws -> String {
        var answer = ""
        try await wait(
            until: {
                let request = HTTPClientRequest(url: address)
                let response = try? await testClient.execute(request, timeout: TimeAmount(hangLimit))
                let body = try? await response?.body.collect(upTo: 1 << 20)
                answer = body.map { String(buffer: $0) } ?? ""
                return answer.contains(text)
            }, { "\(address) never answered '\(text)'" })
        return answer
    }

    @Test("The alert rules are valid and pass their tests") func alertRules() throws {
        let checked = try promtool("check", "rules", Self.packaging.appending(path: "prometheus/cerca.rules.yml").path)
        #expect(checked.code == 0, "\(checked)")
        let tested = try promtool("test", "rules", Self.packaging.appending(path: "prometheus/cerca.test.yml").path)
        #expect(tested.code == 0, "\(tested)")
    }

    @Test(
        "Alert rules and dashboard use exported metrics only",
        arguments: ["prometheus/cerca.rules.yml", "prometheus/cerca.test.yml", "grafana/cerca.json"])
    func usedMetrics(file: String) throws {
        let names = try Set(
            Program.run("reference", "metrics").output.matches(of: #/`((?:cerca|process)_\w+)`/#).map { String($0.1) })
        let text = try String(contentsOf: Self.packaging.appending(path: file), encoding: .utf8)
        let used = Set(text.matches(of: #/\b(?:cerca|process)_\w+/#).map { String($0.0) })
        #expect(used.count > 5)
        for name in used.subtracting(names) {
            let base = name.replacing(#/_(?:bucket|sum|count)$/#, with: "")
            #expect(names.contains(base), "\(name)")
        }
    }

    @Test("The dashboard has the format of Grafana") func dashboardFormat() throws {
        let data = try Data(contentsOf: Self.packaging.appending(path: "grafana/cerca.json"))
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        #expect(dashboard["title"] as? String == "Cerca")
        #expect(panels.count > 8)
        for panel in panels {
            #expect(panel["title"] is String && panel["type"] is String && panel["gridPos"] is [String: Any])
            #expect(!(panel["targets"] as? [[String: Any]] ?? []).isEmpty)
        }
        let ids = panels.compactMap { $0["id"] as? Int }
        #expect(Set(ids).count == panels.count)
    }
}
