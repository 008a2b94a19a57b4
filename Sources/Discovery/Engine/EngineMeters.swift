internal import CoreMetrics
internal import Geo
package import Meters
internal import Model
internal import Storage

/// Metrics of the state and of its writer.
struct LiveMeters: Sendable {
    let publishWait: CoreMetrics.Timer
    private let verdicts: [Verdict: Counter]
    private let people, places, products: Meter
    private let longestReading, longestTurn: Meter
    private let writerBacklog, compactionBacklog, compactionLag, walBytes, logPosition, logLag, logDiffers: Meter

    init(_ meters: Meters) {
        publishWait = meters.timer(.publishWait)
        verdicts = Dictionary(
            uniqueKeysWithValues: Verdict.allCases.map { ($0, meters.counter(.pings, $0.word)) })
        people = meters.gauge(.entities, "people")
        places = meters.gauge(.entities, "places")
        products = meters.gauge(.entities, "products")
        longestReading = meters.gauge(.longestReading)
        longestTurn = meters.gauge(.longestTurn)
        writerBacklog = meters.gauge(.writerBacklog)
        compactionBacklog = meters.gauge(.compactionBacklog)
        compactionLag = meters.gauge(.compactionLag)
        walBytes = meters.gauge(.walBytes)
        logPosition = meters.gauge(.logPosition)
        logLag = meters.gauge(.logLag)
        logDiffers = meters.gauge(.logDiffers)
    }

    func note(_ recorded: Recorded) { for verdict in recorded.judged { verdicts[verdict]?.increment() } }

    /// Updates the gauges that are sampled rather than counted.
    fileprivate func measure(_ engine: Engine) {
        let (counts, store) = (engine.read { $0.counts }, engine.store)
        people.set(counts.people)
        places.set(counts.places)
        products.set(counts.products)
        longestReading.set(store.monitor.longest(.reading))
        longestTurn.set(store.monitor.longest(.turn))
        writerBacklog.set(engine.backlog)
        compactionBacklog.set(store.uncompactedCount)
        compactionLag.set(store.sinceCompaction.seconds)
        walBytes.set(store.walSize)
        guard let progress = engine.logProgress else { return }
        logPosition.set(Double(progress.number))
        logLag.set(progress.lag?.seconds ?? -1)
        logDiffers.set(progress.difference == nil ? 0 : 1)
    }
}

extension Engine {
    /// Updates the sampled gauges, such as the writer's backlog.
    package func measure() { liveMeters.measure(self) }

    /// All metrics of this engine, its storage and its server.
    package var meters: Meters { store.meters }
}
