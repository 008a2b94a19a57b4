internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import Interchange
internal import Model
internal import NIOCore
internal import Webhooks

/// A request as a route sees it: the query validated, the path decoded, the body not read yet.
struct Call: Sendable {
    private(set) var request: Request
    private(set) var query: Parameters
    /// The authenticated caller; nil for an anonymous one, on routes for anyone.
    let claim: Claim?
    private(set) var received: Timestamp
    /// Whether the items of a list are requested separately, not as one body.
    private(set) var wantsItems = false
    /// Whether the call is one query of a batch.
    private var isPart = false
    /// Whether the call has given up its slot among the requests of its class.
    private var isAway = false
    let route: Route
    private let context: CercaContext
    private var path: [String: String]

    init(
        _ request: Request, _ context: CercaContext, _ query: Parameters, from claim: Claim?,
        received: Timestamp, route: Route
    ) throws(Problem) {
        self.request = request
        self.query = query
        self.claim = claim
        self.received = received
        self.route = route
        self.context = context
        var path: [String: String] = [:]
        for (name, value) in context.parameters {
            guard let decoded = value.removingPercentEncoding else {
                throw Problem(.invalidParameter, detail: "The path is not UTF-8 in percent encoding.")
            }
            path[String(name)] = decoded
        }
        self.path = path
    }

    /// Returns a `GET` of an address, on behalf of the same caller and at the same time.
    func asking(_ address: String, path: [String: String], _ query: Parameters) -> Call {
        var call = self
        call.request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: address),
            body: RequestBody(buffer: ByteBuffer()))
        call.path = path
        call.query = query
        call.isPart = true
        return call
    }

    /// The network of the client's address; empty if the address is not known.
    var network: [UInt8] { route.common.authenticator.origin(of: request, context)?.network ?? [] }

    /// Whether the call has an answer of its own, without an explanation of the search.
    var isWhole: Bool { !isPart && query.text(Explanation.parameter.name) != "true" }

    /// Returns the call at another time, with the items of its answer requested separately.
    func askingItems(at time: Timestamp) -> Call {
        var call = self
        (call.received, call.wantsItems, call.isAway) = (time, true, true)
        return call
    }

    /// The id in a path parameter.
    ///
    /// - Throws: ``Problem`` for text that is not an id.
    func id<Thing>(_ name: String) throws(Problem) -> ID<Thing> {
        do { return try ID(path[name] ?? "") } catch {
            throw Problem(
                .invalidParameter,
                detail:
                    "'{\(name)}' in the path is not an id: 1 to \(ID<Thing>.longest) printable ASCII characters, no space, "
                    + "and not '.' or '..'."
            )
        }
    }

    func word(_ name: String) -> String { path[name] ?? "" }

    /// The id of the request in problems and in the log.
    var instance: String { context.id }

    /// The kind in the path; `detail` describes the problem for another word, which it receives in quotes.
    func kind<Kind: RawRepresentable<String>>(_ detail: (_ word: String) -> String) throws(Problem) -> Kind {
        guard let kind = Kind(rawValue: word("kind")) else {
            throw Problem(.notFound, detail: detail("'\(word("kind"))'"))
        }
        return kind
    }

    var limits: Limits { route.common.limits }

    var meters: RouteMeters { route.meters }

    /// The principal for whom the call is answered; nil for an anonymous caller, on routes for anyone.
    var principal: Principal? { claim?.principal }

    /// The caller for the access rules.
    ///
    /// - Precondition: The route requires authentication.
    var caller: Caller {
        guard let principal else { preconditionFailure("a route that asks on behalf of its caller has a caller") }
        return principal.caller
    }

    /// Whether the body is, or may be, so large that reading it takes long.
    var isLarge: Bool {
        request.headers[.transferEncoding] != nil || request.headers[.contentEncoding] != nil
            || (request.headers[.contentLength].flatMap { Int($0) } ?? 0) > Self.large
    }

    /// In bytes; a batch of about a hundred pings.
    private static let large = 16 << 10

    /// Reads the whole body.
    ///
    /// - Throws: ``Problem`` if it is too large, or its type is not in `types`.
    func body(_ types: Set<String> = Self.jsonTypes) async throws -> Data {
        try expect(types)
        let limit =
            principal == .service || contentType == Self.lines ? limits.body : min(limits.body, limits.bodyOfPerson)
        var body = Data()
        try await readBody(upTo: limit) { body.append(contentsOf: $0.readableBytesView) }
        return body
    }

    /// Passes the pieces of the body to `take` as they arrive, and sends `100 Continue` to a client that waits for it.
    ///
    /// - Throws: ``Problem`` if it has more than `limit` bytes; ``BrokenBody``; rethrows errors of `take`.
    func readBody(upTo limit: Int, _ take: (ByteBuffer) async throws -> Void) async throws {
        guard (request.headers[.contentLength].flatMap { Int($0) } ?? 0) <= limit else { throw tooLarge(limit) }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            // A failure to send it shows when the body is read.
            try? await context.channel.triggerUserOutboundEvent(PipeliningHandler.Invitation()).get()
        }
        var pieces = request.body.makeAsyncIterator()
        var (size, count) = (0, 0)
        while let piece = try await next(&pieces) {
            let start = size
            size += piece.readableBytes
            count += 1
            WorkBudget.count(bytes: start..<size, ofStep: RateLimits.bytesReadInStep)
            guard size <= limit else { throw tooLarge(limit) }
            // How a network cuts an ordinary body must not change its charge.
            if count > Self.freePieces + size / Self.sizeOfPiece {
                WorkBudget.count(RateLimits.stepsOfPiece)
                try refuseDebt()
            }
            try await take(piece)
        }
    }

    /// Refuses to continue if the work so far exceeds the debt that the caller may have.
    func refuseDebt() throws(Problem) {
        try route.common.authenticator.rateLimits.refuseDebt(of: claim?.bearer, at: route.common.now())
    }

    /// The number of pieces of a body that are not charged, and the bytes for each of which one more is not.
    private static let (freePieces, sizeOfPiece) = (16, 512)

    var isGzip: Bool { coding.map(["gzip", "x-gzip"].contains) ?? false }

    /// The content coding of the body; nil if it is not compressed.
    private var coding: String? {
        request.headers[.contentEncoding].map { $0.lowercased() }.flatMap { ["", "identity"].contains($0) ? nil : $0 }
    }

    /// Gives up the slot among the requests of its class while `body` runs.
    func away<Result>(_ body: (Call) async throws -> Result) async throws -> Result {
        guard !isAway, let admission = route.admission else { return try await body(self) }
        var call = self
        call.isAway = true
        return try await admission.away { try await body(call) }
    }

    /// - Throws: ``BrokenBody`` if the client has left, so that its work ends.
    func requireConnection() throws {
        guard context.channel.isActive else { throw BrokenBody(cause: ChannelError.ioOnClosedChannel) }
    }

    /// The next piece of the body; any error except a stop of the service is the connection's fault.
    private func next(_ pieces: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            guard !isAway, let admission = route.admission else { return try await pieces.next() }
            return try await admission.away { try await pieces.next() }
        } catch let error as CancellationError { throw error } catch {
            throw BrokenBody(cause: error)
        }
    }

    func json() async throws -> JSON {
        let isTrusted = principal == .service
        return try JSON(await body(), atMost: isTrusted ? Self.mostValuesOfService : JSONText.mostValues)
    }

    /// The most JSON values in a body of a trusted service, such as a batch of queries with polygons.
    private static let mostValuesOfService = 1_000_000

    func tooLarge(_ limit: Int) -> Problem {
        Problem(.bodyTooLarge, detail: "The body may have at most \(limit) bytes here.")
    }

    static let jsonTypes: Set<String> = ["application/json"]
    /// The type of bodies with one JSON value per line.
    static let lines = "application/x-ndjson"

    /// The media type of the body, without parameters.
    var contentType: String? {
        request.headers[.contentType].map { header in
            header.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }

    /// - Throws: ``Problem`` if the body has another type, is compressed, except a file by gzip, or is a file
    ///   in another charset.
    func expect(_ types: Set<String>, isFile: Bool = false) throws(Problem) {
        if let coding, !(isFile && isGzip) {
            let must = isFile ? "may be compressed only by gzip" : "must not be compressed"
            throw Problem(
                .unsupportedMediaType,
                detail: "The body \(must) here; its 'Content-Encoding' is '\(coding)'.",
                headers: [.acceptEncoding: isFile ? "gzip, identity" : "identity"])
        }
        guard let contentType, types.contains(contentType) else {
            let expected = types.sorted().joined(separator: " or ")
            throw Problem(
                .unsupportedMediaType,
                detail: "The body must be \(expected); it is \(contentType ?? "of no stated type").")
        }
        if isFile { try expectCharset() }
    }

    /// The precondition on the document that is written, from `If-Match` and `If-None-Match` (RFC 9110, 13.1).
    var condition: Condition {
        get throws(Problem) {
            let absent = request.headers[.ifNoneMatch]
            guard absent.map({ EntityTag.revisions($0) == nil }) ?? true else {
                throw Problem(.invalidParameter, detail: "A write supports only 'If-None-Match: *'.")
            }
            if let header = request.headers[.ifMatch] {
                return EntityTag.revisions(header).map { .isRevision($0) } ?? .exists
            }
            return absent == nil ? .always : .isAbsent
        }
    }

    /// Whether the caller already has this revision.
    func knows(_ revision: Int64) -> Bool {
        guard let header = request.headers[.ifNoneMatch] else { return false }
        return EntityTag.revisions(header, weakly: true)?.contains(revision) ?? true
    }

    /// Refuses preconditions on a resource without revisions.
    func refuseConditions(of kind: String) throws(Problem) {
        guard request.headers[.ifMatch] == nil, request.headers[.ifNoneMatch] == nil else {
            throw Problem(
                .invalidParameter,
                detail: "\(kind) has no revision: 'If-Match' and 'If-None-Match' cannot be used here.")
        }
    }

    /// The list's identity for its cursors: the path and the parameters that determine its items and their order.
    var list: [UInt8] {
        request.uri.path.utf8 + [0xFF] + query.canonical(without: ["cursor", "limit", "fields", "explain"])
    }

    /// The URL of the next page: the URL of this request, with the cursor.
    func next(_ cursor: String) -> String {
        var address = Array("\(request.uri.path)?".utf8)
        for pair in Array((request.uri.query ?? "").utf8).split(separator: UInt8(ascii: "&"))
        where !pair.starts(with: "cursor=".utf8) {
            address.append(contentsOf: pair)
            address.append(UInt8(ascii: "&"))
        }
        address.append(contentsOf: "cursor=\(cursor)".utf8)
        return String(decoding: address, as: UTF8.self)
    }

    /// Whether `Accept` names a media type.
    func wants(_ type: String) -> Bool { request.headers[.accept]?.contains(type) ?? false }

    /// Whether the client wants to follow the answer as a stream of events.
    var wantsEvents: Bool { EventStream.isWanted(by: request.headers) }

    var wantsGeoJSON: Bool { wants("application/geo+json") }
}

/// A body that ends early: it is not framed as HTTP requires, or the client hung up.
struct BrokenBody: Error {
    let cause: any Error
}
