package import CoreMetrics
internal import Synchronization

/// All that is measured, as handles of swift-metrics to those who measure, and as text to Prometheus.
///
/// A handle is made once, with its labels. Whoever measures pays for a few atomic additions, and waits for nobody.
package final class Meters: Sendable {
    private let series = Mutex<[Metric: [(labels: [String], series: any Series)]]>([:])

    /// With nothing measured yet.
    package init() {}

    /// The handle of a counter, with the values of its labels; the same values count into the same series.
    package func counter(_ metric: Metric, _ values: String...) -> Counter {
        Counter(label: metric.rawValue, dimensions: metric.dimensions(values), factory: self)
    }

    /// The handle of a value that is set to what it is.
    package func gauge(_ metric: Metric, _ values: String...) -> Meter {
        Meter(label: metric.rawValue, dimensions: metric.dimensions(values), factory: self)
    }

    /// The handle of a histogram of durations.
    package func timer(_ metric: Metric, _ values: String...) -> CoreMetrics.Timer {
        CoreMetrics.Timer(label: metric.rawValue, dimensions: metric.dimensions(values), factory: self)
    }

    /// The handle of a histogram of other things.
    package func recorder(_ metric: Metric, _ values: String...) -> Recorder {
        Recorder(label: metric.rawValue, dimensions: metric.dimensions(values), aggregate: true, factory: self)
    }

    /// What was measured until now, in Prometheus' text format 0.0.4.
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

    /// As the text format wants values of labels.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// The series of a metric with these labels, made now if there is none; nil for a name that is not declared.
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
    /// What is not declared counts into nothing.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions) { _ in Count() } ?? NOOPMetricsHandler.instance
    }

    /// Nothing counts fractions here.
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { NOOPMetricsHandler.instance }

    /// What is not declared is not told.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions) { _ in Level() } ?? NOOPMetricsHandler.instance
    }

    /// What is not declared is not told.
    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        find(label, dimensions) { Histogram(bounds: $0.bounds, scale: 1) } ?? NOOPMetricsHandler.instance
    }

    /// What is not declared is not told.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions) { Histogram(bounds: $0.bounds, scale: 1e9) } ?? NOOPMetricsHandler.instance
    }

    /// Series last as long as the process, as Prometheus expects.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// As ``destroyCounter(_:)``.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// As ``destroyCounter(_:)``.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// As ``destroyCounter(_:)``.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// As ``destroyCounter(_:)``.
    package func destroyTimer(_ handler: any TimerHandler) {}
}
