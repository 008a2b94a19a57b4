package import CoreMetrics
internal import Synchronization

/// The metrics registry: swift-metrics handles for code that measures, and Prometheus text for the scraper.
///
/// A handle is created once, with its labels. A measurement costs a few atomic additions and never blocks.
package final class Meters: Sendable {
    private let series = Mutex<[Metric: [(labels: [String], series: any Series)]]>([:])

    /// Creates a registry without series.
    package init() {}

    /// The handle of a counter with label values; equal values share a series.
    package func counter(_ metric: Metric, _ values: String...) -> Counter {
        Counter(label: metric.rawValue, dimensions: metric.dimensions(values), factory: self)
    }

    /// The handle of a gauge with label values.
    package func gauge(_ metric: Metric, _ values: String...) -> Meter {
        Meter(label: metric.rawValue, dimensions: metric.dimensions(values), factory: self)
    }

    /// The handle of a histogram of durations.
    package func timer(_ metric: Metric, _ values: String...) -> CoreMetrics.Timer {
        CoreMetrics.Timer(label: metric.rawValue, dimensions: metric.dimensions(values), factory: self)
    }

    /// The handle of a histogram of other quantities.
    package func recorder(_ metric: Metric, _ values: String...) -> Recorder {
        Recorder(label: metric.rawValue, dimensions: metric.dimensions(values), aggregate: true, factory: self)
    }

    /// All series in Prometheus' text format 0.0.4.
    ///
    /// - Complexity: O(series).
    package var text: String {
        let all = series.withLock { $0 }
        var text = ""
        for metric in Metric.allCases {
            let (name, declaration) = (metric.rawValue, metric.declaration)
            text += "# HELP \(name) \(declaration.help).\n# TYPE \(name) \(declaration.kind.rawValue)\n"
            for (values, series) in all[metric] ?? [] where !(declaration.isSparse && series.isEmpty) {
                let labels = zip(declaration.labels, values).map { "\($0)=\"\(Self.escaped($1))\"" }
                series.write(name, labels.joined(separator: ","), to: &text)
            }
        }
        return text
    }

    /// Escapes a label value for the text format.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// The series of a metric with these labels, created if missing; nil for an undeclared name.
    private func find<One: Series>(
        _ label: String, _ dimensions: [(String, String)], _ make: (Metric.Declaration) -> One
    ) -> One? {
        guard let metric = Metric(rawValue: label) else { return nil }
        let values = dimensions.map(\.1)
        return series.withLock { series in
            if let known = series[metric]?.first(where: { $0.labels == values })?.series as? One { return known }
            let new = make(metric.declaration)
            series[metric, default: []].append((values, new))
            return new
        }
    }
}

extension Metric {
    fileprivate func dimensions(_ values: [String]) -> [(String, String)] { Array(zip(declaration.labels, values)) }
}

extension Meters: MetricsFactory {
    /// Returns a no-op handler for an undeclared metric.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions) { _ in Count() } ?? NOOPMetricsHandler.instance
    }

    /// Returns a no-op handler, because no metric counts fractions.
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { NOOPMetricsHandler.instance }

    /// Returns a no-op handler for an undeclared metric.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions) { _ in Level() } ?? NOOPMetricsHandler.instance
    }

    /// Returns a no-op handler for an undeclared metric.
    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        find(label, dimensions) { Histogram(bounds: $0.bounds, scale: 1) } ?? NOOPMetricsHandler.instance
    }

    /// Returns a no-op handler for an undeclared metric.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions) { Histogram(bounds: $0.bounds, scale: 1e9) } ?? NOOPMetricsHandler.instance
    }

    /// Does nothing, because series last as long as the process, as Prometheus expects.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing, like ``destroyCounter(_:)``.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing, like ``destroyCounter(_:)``.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing, like ``destroyCounter(_:)``.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing, like ``destroyCounter(_:)``.
    package func destroyTimer(_ handler: any TimerHandler) {}
}
