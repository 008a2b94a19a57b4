internal import CoreMetrics
internal import HTTPTypes
internal import Meters
internal import Synchronization

/// The metrics of the requests to a route, labeled by its template, never by ids.
struct RouteMeters: Sendable {
    private static let kinds = ["1xx", "2xx", "3xx", "4xx", "5xx"]

    /// The template, such as `/v1/people/{id}`.
    let name: String
    /// Answers by the first digit of their status.
    private let answers: [Counter]
    private let seconds: CoreMetrics.Timer
    /// Answers whose search was cut off by the scan limit.
    let cutOff: Counter

    /// Creates a route's handles, which all its requests share.
    init(_ meters: Meters, _ method: String, _ route: String) {
        name = route
        answers = Self.kinds.map { meters.counter(.requests, method, route, $0) }
        seconds = meters.timer(.requestSeconds, method, route)
        cutOff = meters.counter(.scansCutOff, route)
    }

    /// Records an answer that begins `time` after its request.
    func note(_ status: HTTPResponse.Status, after time: Duration) {
        answers[min(max(status.code / 100, 1), 5) - 1].increment()
        seconds.record(time)
    }
}

/// The route of a request and its bearer, once known.
final class RouteTaken: Sendable {
    private let route = Mutex<RouteMeters?>(nil)
    private let caller = Mutex<Principal?>(nil)

    var meters: RouteMeters? {
        get { route.withLock { $0 } }
        set { route.withLock { $0 = newValue } }
    }

    /// The holder of the token; nil without one, and before it is verified.
    var bearer: Principal? {
        get { caller.withLock { $0 } }
        set { caller.withLock { $0 = newValue } }
    }
}
