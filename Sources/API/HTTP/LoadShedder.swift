internal import CoreMetrics
internal import HTTPTypes
internal import Meters
internal import NIOCore

/// Sheds load: refuses requests right after their heads, when more wait for an event loop than can be answered in time.
///
/// Once a small request has reached its route, refusing it costs hardly less than answering it.
struct LoadShedder: Sendable {
    /// The delay of a refusal, equal to its `Retry-After`.
    ///
    /// A client that retries at once would otherwise keep a core busy.
    static let refusalDelay = TimeAmount.seconds(1)

    private let vital: Set<String>
    private let origins: AllowedOrigins
    private let shed: [RequestClass: Counter]
    private let refused: RouteMeters

    /// Creates a shedder that always admits the paths in `vital`, and adds CORS headers for `origins` to refusals.
    init(vital: Set<String>, _ origins: AllowedOrigins, _ meters: Meters) {
        self.vital = vital
        self.origins = origins
        shed = [RequestClass.read, .write].reduce(into: [:]) { $0[$1] = meters.counter(.shed, $1.rawValue) }
        refused = RouteMeters(meters, "any", "none")
    }

    /// Whether a request is always admitted, and answered before others.
    func isVital(_ head: HTTPRequest) -> Bool {
        guard let path = head.path?.utf8.prefix(while: { $0 != UInt8(ascii: "?") }) else { return false }
        return vital.contains(String(Substring(path)))
    }

    /// Returns the refusal of a request, and counts it.
    func refusal(of head: HTTPRequest) -> (head: HTTPResponse, body: ByteBuffer) {
        shed[[.get, .head, .options].contains(head.method) ? .read : .write]?.increment()
        refused.note(.serviceUnavailable, after: .zero)
        let id = RequestID.next()
        let body = ByteBuffer(bytes: Problem.overloaded.body(instance: id))
        var fields = Problem.overloaded.headers
        fields[.contentType] = Problem.contentType
        fields[.contentLength] = "\(body.readableBytes)"
        fields[.cacheControl] = "no-store"
        if let field = RequestID.field { fields[field] = id }
        origins.addHeaders(&fields, answering: head.headerFields)
        return (HTTPResponse(status: .serviceUnavailable, headerFields: fields), body)
    }
}
