import CoreMetrics
import Foundation
import Meters
import Testing

/// The metrics that Prometheus reads.
@Suite struct MetersTests {
    /// The lines of a metric, without its help.
    private func lines(_ metric: Metric, _ meters: Meters) -> [String] {
        meters.text.split(separator: "\n").filter { $0.hasPrefix(metric.rawValue) }.map(String.init)
    }

    @Test("Every metric is exported with its help and type") func helpAndType() {
        let text = Meters().text
        for metric in Metric.allCases {
            let (name, declaration) = (metric.rawValue, metric.declaration)
            let head = "# HELP \(name) \(declaration.help).\n# TYPE \(name) \(declaration.kind.rawValue)\n"
            #expect(text.contains(head))
        }
    }

    @Test("Equal labels count into one series") func series() {
        let meters = Meters()
        meters.counter(.pings, "stored").increment()
        meters.counter(.pings, "stored").increment(by: 2)
        meters.counter(.pings, "future").increment()
        #expect(
            lines(.pings, meters) == [
                #"cerca_pings_total{verdict="stored"} 3"#, #"cerca_pings_total{verdict="future"} 1"#,
            ])
    }

    @Test("A histogram's buckets count the values up to their bounds") func buckets() {
        let meters = Meters()
        let items = meters.recorder(.commitItems)
        for value in [1, 2, 3, 5000] { items.record(value) }
        let lines = lines(.commitItems, meters)
        #expect(lines.prefix(3).map { $0.split(separator: " ")[1] } == ["1", "2", "3"])
        #expect(lines[2] == #"cerca_commit_items_bucket{le="4.0"} 3"#)
        #expect(
            lines.suffix(4) == [
                #"cerca_commit_items_bucket{le="4096.0"} 3"#, #"cerca_commit_items_bucket{le="+Inf"} 4"#,
                "cerca_commit_items_sum 5006.0", "cerca_commit_items_count 4",
            ])
    }

    @Test("Durations are exported in seconds") func durations() {
        let meters = Meters()
        meters.timer(.syncSeconds).record(.milliseconds(1500))
        let lines = lines(.syncSeconds, meters)
        #expect(lines.contains("cerca_commit_sync_seconds_sum 1.5"))
        #expect(lines.contains(#"cerca_commit_sync_seconds_bucket{le="1.0"} 0"#))
        #expect(lines.contains(#"cerca_commit_sync_seconds_bucket{le="2.5"} 1"#))
    }

    @Test("A process reports when it started") func startTime() throws {
        let meters = Meters()
        ProcessMeters(meters).measure()
        let line = try #require(lines(.startTime, meters).last)
        let (start, now) = (try #require(line.split(separator: " ").last.flatMap { Double($0) }), Date.now)
        #expect((now.timeIntervalSince1970 - 7 * 86_400...now.timeIntervalSince1970 + 1).contains(start))
    }

    @Test("A route is exported only after its first request") func unusedRoutes() {
        let meters = Meters()
        let asked = meters.counter(.requests, "GET", "/v1/people/{id}", "2xx")
        _ = meters.counter(.requests, "GET", "/v1/people/{id}", "5xx")
        #expect(lines(.requests, meters).isEmpty)
        asked.increment()
        #expect(
            lines(.requests, meters) == [
                #"cerca_http_requests_total{method="GET",route="/v1/people/{id}",status="2xx"} 1"#
            ])
    }

    @Test("Label values are escaped") func escaping() {
        let meters = Meters()
        meters.counter(.pings, "a\"b\\c\nd").increment()
        #expect(lines(.pings, meters) == [#"cerca_pings_total{verdict="a\"b\\c\nd"} 1"#])
    }

    @Test("Concurrent increments are all counted") func concurrency() async {
        let meters = Meters()
        let (count, level, items) = (
            meters.counter(.commitFailures), meters.gauge(.streams), meters.recorder(.commitItems)
        )
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 {
                        count.increment()
                        level.increment()
                        items.record(1)
                    }
                }
            }
        }
        #expect(lines(.commitFailures, meters) == ["cerca_commit_failures_total 80000"])
        #expect(lines(.streams, meters) == ["cerca_http_streams 80000"])
        #expect(lines(.commitItems, meters).last == "cerca_commit_items_count 80000")
    }
}
