internal import Discovery
internal import HTTPTypes
internal import Meters

/// The service's own metrics, for Prometheus.
struct MetricRoutes {
    let engine: Engine
    private let process: ProcessMeters

    init(engine: Engine) {
        self.engine = engine
        process = ProcessMeters(engine.meters)
    }

    func add(to routes: inout RouteTable) {
        routes.chapter = "Health"
        routes.on(
            .get, "/metrics", for: .service,
            .init(
                "Returns the metrics of the service for Prometheus", as: "getMetrics",
                answers: .content(["text/plain": .text()]), work: .vital), metrics)
    }

    @Sendable private func metrics(_ call: Call) -> Answer {
        engine.measure()
        process.measure()
        return Answer(
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: Array(engine.meters.text.utf8))
    }
}
