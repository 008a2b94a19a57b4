internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Model

/// The log entry and the metrics of one request: method, route, status, time until the answer began, and the request id
/// that problems and the answer's header also hold.
///
/// Only the route template of the URL is logged, such as `/v1/people/{id}`, because the path and the query are private.
struct RequestLog {
    private let request: Request
    private let context: CercaContext
    private let logger: Logger
    /// An answer that takes longer to begin is logged as a warning.
    private let slowThreshold: Duration
    /// The meters of requests without a route.
    private let unrouted: RouteMeters
    private let start = ContinuousClock.now - (LoopExecutor.current?.waited ?? .zero)

    /// Creates the log of a request that begins now.
    init(
        _ request: Request, _ context: CercaContext, _ logger: Logger, _ slowThreshold: Duration,
        _ unrouted: RouteMeters
    ) {
        self.request = request
        self.context = context
        self.logger = logger
        self.slowThreshold = slowThreshold
        self.unrouted = unrouted
    }

    /// Records an answer that begins.
    func note(_ status: HTTPResponse.Status) { note(status, isFault: status.kind == .serverError, code: nil) }

    /// Records a problem, with its cause if it is a fault of the service.
    func note(_ problem: Problem, _ error: any Error) {
        let isFault = problem.isFault
        if isFault {
            logger.error("\(problem.code.rawValue)", metadata: ["error": "\(error)", "request": "\(context.id)"])
        }
        note(problem.status, isFault: isFault, code: problem.code)
    }

    private func note(_ status: HTTPResponse.Status, isFault: Bool, code: Problem.Code?) {
        let elapsed = ContinuousClock.now - start
        let route = context.route.meters ?? unrouted
        route.note(status, after: elapsed)
        let isSlow = elapsed > slowThreshold
        let level: Logger.Level = isSlow ? .warning : isFault ? .info : .debug
        guard level >= logger.logLevel else { return }
        var metadata: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "route": "\(route.name)",
            "status": .stringConvertible(status.code), "milliseconds": .stringConvertible(elapsed.milliseconds),
            "request": "\(context.id)",
        ]
        metadata["code"] = code.map { "\($0.rawValue)" }
        metadata["trace"] = TraceParent(of: request.head).map { "\($0.trace)" }
        logger.log(level: level, isSlow ? "answered slowly" : "answered", metadata: metadata)
    }
}

extension Problem {
    /// Whether the service is at fault, rather than the caller, the connection, or an operator who stops the service.
    fileprivate var isFault: Bool {
        switch code {
        case .malformedRequest, .stopping, .tooManyRequests, .overloaded: false
        default: status.kind == .serverError
        }
    }
}
