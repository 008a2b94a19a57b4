internal import CoreMetrics
internal import Meters

struct WriterMeters: Sendable {
    let seconds, syncSeconds: CoreMetrics.Timer
    let items: Recorder
    let failures: Counter

    init(_ meters: Meters) {
        seconds = meters.timer(.commitSeconds)
        syncSeconds = meters.timer(.syncSeconds)
        items = meters.recorder(.commitItems)
        failures = meters.counter(.commitFailures)
    }
}
