internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import Interchange
internal import Model
internal import NIOCore

/// A request as a route sees it: its query checked, its path decoded, its body not read yet.
struct Call: Sendable {
    private(set) var request: Request
    private(set) var query: Parameters
    /// Who calls; nil for somebody unknown, on routes for anyone.
    let claim: Claim?
    private(set) var received: Timestamp
    /// Whether the items of a list are wanted one by one.
    private(set) var wantsItems = false
    /// Whether it is one of several that are answered together.
    private var isPart = false
    /// Whether it takes no place among the requests of its kind.
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
                throw Problem(.invalidParameter, detail: "The path is not percent encoding of UTF-8.")
            }
            path[String(name)] = decoded
        }
        self.path = path
    }

    /// The `GET` of an address, on behalf of the same caller and at the same time.
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

    /// Whether the answer is one of its own, in which nothing is told of how it was found.
    var isWhole: Bool { !isPart && query.text(Explanation.parameter.name) != "true" }

    /// The same call at another time, of whose answer the items are wanted one by one.
    func askingItems(at time: Timestamp) -> Call {
        var call = self
        (call.received, call.wantsItems, call.isAway) = (time, true, true)
        return call
    }

    /// The id at a place of the path.
    ///
    /// - Throws: ``Problem`` for text that is no id.
    func id<Thing>(_ name: String) throws(Problem) -> ID<Thing> {
        do { return try ID(path[name] ?? "") } catch {
            throw Problem(
                .invalidParameter,
                detail:
                    "'{\(name)}' of the path is no id: 1 to \(ID<Thing>.longest) printable ASCII characters, no space.")
        }
    }

    func word(_ name: String) -> String { path[name] ?? "" }

    /// Names the request in problems and in the log.
    var instance: String { context.id }

    /// The kind that the path names; `detail` says of another word there, in quotes, that it is none.
    func kind<Kind: RawRepresentable<String>>(_ detail: (_ word: String) -> String) throws(Problem) -> Kind {
        guard let kind = Kind(rawValue: word("kind")) else {
            throw Problem(.notFound, detail: detail("'\(word("kind"))'"))
        }
        return kind
    }

    var limits: Limits { route.common.limits }

    /// What is counted of the route.
    var meters: RouteMeters { route.meters }

    /// As whom the call is answered; nil for somebody unknown, on routes for anyone.
    var principal: Principal? { claim?.principal }

    /// On whose behalf the rules are asked.
    ///
    /// - Precondition: the route is not for anyone.
    var caller: Caller {
        guard let principal else { preconditionFailure("a route that asks on behalf of its caller is for somebody") }
        return principal.caller
    }

    /// Whether the body is, or may be, so large that reading it takes long.
    var isLarge: Bool {
        request.headers[.transferEncoding] != nil || request.headers[.contentEncoding] != nil
            || (request.headers[.contentLength].flatMap { Int($0) } ?? 0) > Self.large
    }

    /// In bytes: that of about a hundred pings and more.
    private static let large = 16 << 10

    /// The body, whole.
    ///
    /// - Throws: ``Problem``: it is too large, or is of no type that `types` has.
    func body(_ types: Set<String> = Self.jsonTypes) async throws -> Data {
        try expect(types)
        let limit =
            principal == .service || contentType == Self.lines ? limits.body : min(limits.body, limits.bodyOfPerson)
        var body = Data()
        try await readBody(upTo: limit) { body.append(contentsOf: $0.readableBytesView) }
        return body
    }

    /// Gives `take` the pieces of the body as they arrive, and lets a client send it that waits to be told so.
    ///
    /// - Throws: ``Problem``: it has more than `limit` bytes; ``BrokenBody``; what `take` throws.
    func readBody(upTo limit: Int, _ take: (ByteBuffer) async throws -> Void) async throws {
        guard (request.headers[.contentLength].flatMap { Int($0) } ?? 0) <= limit else { throw tooLarge(limit) }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            // Whether it could be told shows when the body is read.
            try? await context.channel.triggerUserOutboundEvent(Turns.Invitation()).get()
        }
        var pieces = request.body.makeAsyncIterator()
        var size = 0
        while let piece = try await next(&pieces) {
            let start = size
            size += piece.readableBytes
            Effort.count(bytes: start..<size, ofStep: RateLimits.bytesReadInStep)
            guard size <= limit else { throw tooLarge(limit) }
            try await take(piece)
        }
    }

    var isGzip: Bool { coding.map(["gzip", "x-gzip"].contains) ?? false }

    /// How the body is compressed; nil if it is not.
    private var coding: String? {
        request.headers[.contentEncoding].map { $0.lowercased() }.flatMap { ["", "identity"].contains($0) ? nil : $0 }
    }

    /// Gives up the place among the requests of its kind while `body` does something.
    func away<Result>(_ body: (Call) async throws -> Result) async throws -> Result {
        guard !isAway, let admission = route.admission else { return try await body(self) }
        var call = self
        call.isAway = true
        return try await admission.away { try await body(call) }
    }

    /// Whether the client is still there.
    var isConnected: Bool { context.channel.isActive }

    /// The next piece of the body; whatever goes wrong with it but a stop of the service is the connection's fault.
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

    /// The values of a body of a trusted service, such as a batch of queries with polygons.
    private static let mostValuesOfService = 1_000_000

    func tooLarge(_ limit: Int) -> Problem {
        Problem(.bodyTooLarge, detail: "A body has at most \(limit) bytes here.")
    }

    static let jsonTypes: Set<String> = ["application/json"]
    /// The type of bodies with a JSON value on each line.
    static let lines = "application/x-ndjson"

    /// The media type of the body, without parameters.
    var contentType: String? {
        request.headers[.contentType].map { header in
            header.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }

    /// - Throws: ``Problem`` when the body is of another type, or compressed in another way than gzip for a file.
    func expect(_ types: Set<String>, isFile: Bool = false) throws(Problem) {
        if let coding, !(isFile && isGzip) {
            let must = isFile ? "may be compressed by gzip, and not otherwise" : "must not be compressed"
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
    }

    /// What `If-Match` and `If-None-Match` demand of the document that is written (RFC 9110, 13.1).
    var condition: Condition {
        get throws(Problem) {
            let absent = request.headers[.ifNoneMatch]
            guard absent.map({ EntityTag.revisions($0) == nil }) ?? true else {
                throw Problem(.invalidParameter, detail: "A write understands only 'If-None-Match: *'.")
            }
            if let header = request.headers[.ifMatch] {
                return EntityTag.revisions(header).map { .isRevision($0) } ?? .exists
            }
            return absent == nil ? .always : .isAbsent
        }
    }

    /// Whether the caller has this revision already.
    func knows(_ revision: Int64) -> Bool {
        guard let header = request.headers[.ifNoneMatch] else { return false }
        return EntityTag.revisions(header, weakly: true)?.contains(revision) ?? true
    }

    /// Refuses conditions on what has no revision.
    func refuseConditions(of kind: String) throws(Problem) {
        guard request.headers[.ifMatch] == nil, request.headers[.ifNoneMatch] == nil else {
            throw Problem(
                .invalidParameter,
                detail: "\(kind) has no revision: 'If-Match' and 'If-None-Match' cannot be kept here.")
        }
    }

    /// What a cursor of this list is good for: the path, and all parameters but those that choose a page, columns or an explanation.
    var list: [UInt8] {
        request.uri.path.utf8 + [0xFF] + query.canonical(without: ["cursor", "limit", "fields", "explain"])
    }

    /// The address of the next page: this request's, with the cursor.
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

    /// Whether a form of the answer is asked for by name.
    func wants(_ type: String) -> Bool { request.headers[.accept]?.contains(type) ?? false }

    /// Whether the answer is to be followed.
    var wantsEvents: Bool { EventStream.isWanted(by: request.headers) }

    var wantsGeoJSON: Bool { wants("application/geo+json") }
}

/// A body that does not come to its end: it is not framed as HTTP says, or the client hung up.
struct BrokenBody: Error {
    let cause: any Error
}
