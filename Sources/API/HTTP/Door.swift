internal import CoreMetrics
internal import HTTPTypes
internal import Meters
internal import NIOCore

/// Where requests are refused before anything is done for them, when more wait for an event loop than are answered in time.
///
/// What is small costs hardly less to refuse than to answer, once it came as far as its route. So it is refused by what read its head.
struct Door: Sendable {
    /// How long who is refused waits to be told: as long as it is told to wait.
    ///
    /// Who asks again at once would keep a core busy with that.
    static let breath = TimeAmount.seconds(1)

    private let vital: Set<String>
    private let origins: AllowedOrigins
    private let shed: [Work: Counter]
    private let refused: RouteMeters

    /// A door that the paths of `vital` pass always, and that tells pages of `origins` what it refuses.
    init(vital: Set<String>, _ origins: AllowedOrigins, _ meters: Meters) {
        self.vital = vital
        self.origins = origins
        shed = [Work.read, .write].reduce(into: [:]) { $0[$1] = meters.counter(.shed, $1.rawValue) }
        refused = RouteMeters(meters, "any", "none")
    }

    /// Whether a request is let in always, and answered before others.
    func isVital(_ head: HTTPRequest) -> Bool {
        guard let path = head.path?.utf8.prefix(while: { $0 != UInt8(ascii: "?") }) else { return false }
        return vital.contains(String(Substring(path)))
    }

    /// The refusal of a request, which is counted.
    func refusal(of head: HTTPRequest) -> (head: HTTPResponse, body: ByteBuffer) {
        shed[[.get, .head, .options].contains(head.method) ? .read : .write]?.increment()
        refused.note(.serviceUnavailable, after: .zero)
        let id = RequestID.next()
        let body = ByteBuffer(bytes: Problem.crowded.body(instance: id))
        var fields = Problem.crowded.headers
        fields[.contentType] = Problem.contentType
        fields[.contentLength] = "\(body.readableBytes)"
        fields[.cacheControl] = "no-store"
        if let field = RequestID.field { fields[field] = id }
        origins.tell(&fields, answering: head.headerFields)
        return (HTTPResponse(status: .serviceUnavailable, headerFields: fields), body)
    }
}
