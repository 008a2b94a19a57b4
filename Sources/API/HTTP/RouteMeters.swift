internal import CoreMetrics
internal import HTTPTypes
internal import Meters
internal import Synchronization

/// What is counted of the requests to a route, by the route's template: no id is a label.
struct RouteMeters: Sendable {
    private static let kinds = ["1xx", "2xx", "3xx", "4xx", "5xx"]

    /// The template, such as `/v1/people/{id}`.
    let name: String
    /// Answers by the first digit of their status.
    private let answers: [Counter]
    private let seconds: CoreMetrics.Timer
    /// Answers whose scan was cut off.
    let cutOff: Counter

    /// The handles of a route, made once for all its requests.
    init(_ meters: Meters, _ method: String, _ route: String) {
        name = route
        answers = Self.kinds.map { meters.counter(.requests, method, route, $0) }
        seconds = meters.timer(.requestSeconds, method, route)
        cutOff = meters.counter(.scansCutOff, route)
    }

    /// Counts an answer that begins so long after its request.
    func note(_ status: HTTPResponse.Status, after time: Duration) {
        answers[min(max(status.code / 100, 1), 5) - 1].increment()
        seconds.record(time)
    }
}

/// Which route a request takes, once that is known.
final class RouteTaken: Sendable {
    private let route = Mutex<RouteMeters?>(nil)
    private let caller = Mutex<Principal?>(nil)

    var meters: RouteMeters? {
        get { route.withLock { $0 } }
        set { route.withLock { $0 = newValue } }
    }

    /// The holder of the token; nil before it was verified, and without one.
    var bearer: Principal? {
        get { caller.withLock { $0 } }
        set { caller.withLock { $0 = newValue } }
    }
}
