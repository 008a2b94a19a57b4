internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Model

/// What the log and the metrics tell of one request: method, route, status, time until the answer began, and the id that a problem
/// names it by.
///
/// Of the address only the route is told, such as `/v1/people/{id}`: who asked for whom, and where, is nobody's business.
struct RequestLog {
    private let request: Request
    private let context: CercaContext
    private let logger: Logger
    /// So long an answer may take until everybody is told that it did.
    private let patience: Duration
    /// What counts requests that have no route.
    private let unrouted: RouteMeters
    private let start = ContinuousClock.now

    /// The log of a request that begins now.
    init(
        _ request: Request, _ context: CercaContext, _ logger: Logger, _ patience: Duration, _ unrouted: RouteMeters
    ) {
        self.request = request
        self.context = context
        self.logger = logger
        self.patience = patience
        self.unrouted = unrouted
    }

    /// Tells of an answer that begins.
    func note(_ status: HTTPResponse.Status) { note(status, isFault: status.kind == .serverError, [:]) }

    /// Tells of a problem, and of its cause if that is a fault of the service.
    func note(_ problem: Problem, _ error: any Error) {
        let isFault = problem.isFault
        if isFault {
            logger.error("\(problem.code.rawValue)", metadata: ["error": "\(error)", "request": "\(context.id)"])
        }
        note(problem.status, isFault: isFault, ["code": "\(problem.code.rawValue)"])
    }

    private func note(_ status: HTTPResponse.Status, isFault: Bool, _ more: Logger.Metadata) {
        let elapsed = ContinuousClock.now - start
        (context.route.meters ?? unrouted).note(status, after: elapsed)
        let told: Logger.Metadata = ["milliseconds": "\(elapsed.milliseconds)", "request": "\(context.id)"]
        logger.log(
            level: isFault || elapsed > patience ? .info : .debug,
            "\(request.method.rawValue) \(context.coreContext.endpointPath.value ?? "-") \(status.code)",
            metadata: told.merging(more) { own, _ in own })
    }
}

extension Problem {
    /// Whether the service is at fault, rather than the caller, the connection or somebody who stops the service.
    fileprivate var isFault: Bool {
        switch code {
        case .malformedRequest, .stopping, .tooManyRequests: false
        default: status.kind == .serverError
        }
    }
}
