internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Interchange
internal import Model

/// The answer of a route.
struct Answer {
    var status: HTTPResponse.Status = .ok
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    /// The items of a followed list, each as JSON, in place of ``body``.
    var items: [[UInt8]] = []
    /// Produces the body while it is sent, in place of ``body``.
    var stream: BodyMaker?
    /// Whether ``stream`` continues for as long as the client follows it.
    var isFollowed = false
    /// The client, if it follows a shared link.
    var follower: LinkFollower?
    /// Whether a long body may be compressed although it answers a `POST`.
    var isCompressible = false

    static let nothing = Answer(status: .noContent)

    static func json(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Answer {
        var json = JSONWriter()
        write(&json)
        return Answer(status: status, headers: [.contentType: "application/json"], body: json.bytes)
    }

    static func object(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Answer {
        json(status) { $0.object(write) }
    }

    /// Returns the answer with a header set, or removed if the value is nil.
    func with(_ name: HTTPField.Name, _ value: String?) -> Answer {
        var answer = self
        answer.headers[name] = value
        return answer
    }

    /// Forbids caches to store the answer, because it names a person's position.
    var unstored: Answer { with(.cacheControl, "no-store") }

    /// Marks the answer as one whose format was chosen by `Accept`.
    var negotiated: Answer {
        var answer = self
        answer.headers.vary(on: "Accept")
        return answer
    }

    /// Appends a member to the JSON object of the body.
    func with(member name: String, _ write: (inout JSONWriter) -> Void) -> Answer {
        guard body.last == UInt8(ascii: "}") else { return self }
        var answer = self
        let member = JSONWriter.object { $0.member(name, write) }
        answer.body.removeLast()
        if answer.body.last != UInt8(ascii: "{") { answer.body.append(UInt8(ascii: ",")) }
        answer.body += member.dropFirst()
        return answer
    }

    /// Refuses a page, or another answer to a query, that exceeds the limit on answers.
    func refuseTooLong(_ limits: Limits) throws(Problem) {
        guard body.count > limits.answers else { return }
        throw Problem(
            .answerTooLarge,
            detail:
                "The answer has \(body.count) bytes; the maximum is \(limits.answers): request fewer items or fields.")
    }

    func leading(to next: String?) -> Answer {
        guard let next, let link = Self.link else { return self }
        return with(link, "<\(next)>; rel=\"next\"")
    }

    private static let link = HTTPField.Name("Link")

    /// Adds the path of a created resource, from its segments after the version.
    func locating(_ segments: String...) -> Answer {
        with(.location, (["/v1"] + segments.map(\.pathSegment)).joined(separator: "/"))
    }

    /// A number for an entity tag that depends on the body alone.
    var digest: Int64 { SHA256.hash(data: body).prefix(8).reduce(0) { $0 << 8 | Int64($1) } & .max }

    func tagged(_ revision: Int64) -> Answer { with(.eTag, EntityTag(revision).text) }

    /// Adds a weak entity tag, which does not identify each byte.
    func tagged(weakly number: Int64) -> Answer { with(.eTag, "W/\(EntityTag(number).text)") }

    /// A streamed body, which caches must not store because all streams name people or their positions.
    static func streamed(_ mediaType: String, _ stream: @escaping BodyMaker) -> Answer {
        Answer(headers: [.contentType: mediaType], stream: stream).unstored
    }

    /// The response to a request; `begin` prepares ``stream`` to run unless the request is a `HEAD`.
    func response(to request: Request, _ begin: (@escaping BodyMaker) throws(Problem) -> BodyStream) throws(Problem)
        -> Response
    {
        guard let stream else {
            let response = response(to: request)
            return request.method == .head ? response.createHeadResponse() : response
        }
        var headers = headers
        if !isFollowed { headers.vary(on: "Accept-Encoding") }
        // A followed stream must arrive piece by piece.
        let isCompressed = !isFollowed && Gzip.isAccepted(by: request.headers[.acceptEncoding] ?? "")
        if isCompressed { headers[.contentEncoding] = "gzip" }
        guard request.method != .head else {
            // The length is not known yet.
            return Response(status: status, headers: headers, body: ResponseBody { try await $0.finish(nil) })
        }
        let body = try begin(isCompressed ? Gzip.compressing(stream) : stream)
        return Response(status: status, headers: headers, body: body.body)
    }

    /// The response with a body known in advance, compressed if it is long, was read, and the caller accepts gzip.
    ///
    /// A document with a strong entity tag is not compressed, because the tag names its bytes. Neither are verdicts on
    /// a batch: equal ones compress so well that a client may suspect an attack.
    private func response(to request: Request) -> Response {
        var (headers, body) = (headers, body)
        let isRead = isCompressible || [.get, .head].contains(request.method)
        if body.count >= Gzip.shortest, headers[.eTag]?.hasPrefix("W/") ?? true, isRead {
            headers.vary(on: "Accept-Encoding")
            if Gzip.isAccepted(by: request.headers[.acceptEncoding] ?? ""), let compressed = Gzip.compressed(body) {
                headers[.contentEncoding] = "gzip"
                body = compressed
            }
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension String {
    /// The text as one path segment (RFC 3986, 3.3).
    var pathSegment: String {
        addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(CharacterSet(charactersIn: "/")))
            ?? self
    }
}

extension HTTPFields {
    /// Adds a name to `Vary`, the request headers on which the answer depends (RFC 9110, 12.5.5).
    mutating func vary(on name: String) {
        if let index = firstIndex(where: { $0.name == .vary }) {
            self[index].value += ", \(name)"
        } else {
            append(HTTPField(name: .vary, value: name))
        }
    }
}

/// The revision of a document as an entity tag (RFC 9110, 8.8.3).
struct EntityTag {
    let text: String

    init(_ revision: Int64) { text = "\"\(String(revision, radix: 36))\"" }

    /// The revisions in a header such as `If-Match`; nil for `*`.
    ///
    /// Tags that are not revisions are ignored, and so are weak tags unless the comparison is weak.
    static func revisions(_ header: String, weakly: Bool = false) -> Set<Int64>? {
        let tags = header.listItems.map { $0.trimmingCharacters(in: .whitespaces) }
        if tags == ["*"] { return nil }
        return Set(
            tags.compactMap { tag in
                let strong = weakly && tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
                guard let revision = Int64(strong.dropFirst().dropLast(), radix: 36) else { return nil }
                return EntityTag(revision).text == strong ? revision : nil
            })
    }
}
