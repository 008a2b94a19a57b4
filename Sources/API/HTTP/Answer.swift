internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Interchange
internal import Model

/// What a route answers.
struct Answer {
    var status: HTTPResponse.Status = .ok
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    /// The items of a list that is followed, each as JSON, in place of ``body``.
    var items: [[UInt8]] = []
    /// Makes the body while it is sent, in place of ``body``.
    var stream: BodyMaker?
    /// Whether ``stream`` goes on for as long as the client follows it.
    var isFollowed = false
    /// The client that follows it by a link.
    var follower: LinkFollower?
    /// Whether it may be compressed like a list though it answers a `POST`.
    var answersQuestions = false

    static let nothing = Answer(status: .noContent)

    static func json(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Answer {
        var json = JSONWriter()
        write(&json)
        return Answer(status: status, headers: [.contentType: "application/json"], body: json.bytes)
    }

    static func object(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Answer {
        json(status) { $0.object(write) }
    }

    /// The same with another header, or without it.
    func with(_ name: HTTPField.Name, _ value: String?) -> Answer {
        var answer = self
        answer.headers[name] = value
        return answer
    }

    /// Whatever names a person's place may be kept by nobody on the way.
    var unstored: Answer { with(.cacheControl, "no-store") }

    /// The same of a form that `Accept` chose.
    var negotiated: Answer {
        var answer = self
        answer.headers.vary(on: "Accept")
        return answer
    }

    /// The same object with another member at its end.
    func with(member name: String, _ write: (inout JSONWriter) -> Void) -> Answer {
        guard body.last == UInt8(ascii: "}") else { return self }
        var answer = self
        let member = JSONWriter.object { $0.member(name, write) }
        answer.body.removeLast()
        if answer.body.last != UInt8(ascii: "{") { answer.body.append(UInt8(ascii: ",")) }
        answer.body += member.dropFirst()
        return answer
    }

    /// Refuses a page, or another answer to a question, that is longer than answers may be.
    func refuseTooLong(_ limits: Limits) throws(Problem) {
        guard body.count > limits.answers else { return }
        throw Problem(
            .answerTooLarge,
            detail: "The answer has \(body.count) bytes; the most is \(limits.answers): ask for fewer items or fields."
        )
    }

    func leading(to next: String?) -> Answer {
        guard let next, let link = Self.link else { return self }
        return with(link, "<\(next)>; rel=\"next\"")
    }

    private static let link = HTTPField.Name("Link")

    /// The same with the path of what was made, of these segments after the version.
    func locating(_ segments: String...) -> Answer {
        with(.location, (["/v1"] + segments.map(\.pathSegment)).joined(separator: "/"))
    }

    /// A number for a tag that follows from the body alone.
    var digest: Int64 { SHA256.hash(data: body).prefix(8).reduce(0) { $0 << 8 | Int64($1) } & .max }

    func tagged(_ revision: Int64) -> Answer { with(.eTag, EntityTag(revision).text) }

    /// With a tag that does not name each byte.
    func tagged(weakly number: Int64) -> Answer { with(.eTag, "W/\(EntityTag(number).text)") }

    /// A body of a type that is made while it is sent; whatever is streamed here names people or their places.
    static func streamed(_ mediaType: String, _ stream: @escaping BodyMaker) -> Answer {
        Answer(headers: [.contentType: mediaType], stream: stream).unstored
    }

    /// The response to ``stream``, which `begin` makes ready to run unless only the head is asked for.
    func response(to request: Request, _ begin: (@escaping BodyMaker) throws(Problem) -> BodyStream) throws(Problem)
        -> Response
    {
        guard let stream else {
            let response = response(to: request)
            return request.method == .head ? response.createHeadResponse() : response
        }
        var headers = headers
        if !isFollowed { headers.vary(on: "Accept-Encoding") }
        // What is followed has to arrive piece by piece.
        let isCompressed = !isFollowed && Gzip.isAccepted(by: request.headers[.acceptEncoding] ?? "")
        if isCompressed { headers[.contentEncoding] = "gzip" }
        guard request.method != .head else {
            // Of a length that nobody knows yet.
            return Response(status: status, headers: headers, body: ResponseBody { try await $0.finish(nil) })
        }
        let body = try begin(isCompressed ? Gzip.compressing(stream) : stream)
        return Response(status: status, headers: headers, body: body.body)
    }

    /// The response; what was read is compressed if it is long and the caller accepts it.
    ///
    /// A document with a strong tag goes as it is, for the tag names its bytes, and so do verdicts: a batch of equal ones is
    /// compressed so well that a client may take it for an attack.
    private func response(to request: Request) -> Response {
        var (headers, body) = (headers, body)
        let isRead = answersQuestions || [.get, .head].contains(request.method)
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
    /// The text as one segment of a path (RFC 3986, 3.3).
    fileprivate var pathSegment: String {
        addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(CharacterSet(charactersIn: "/")))
            ?? self
    }
}

extension HTTPFields {
    /// Adds a name to those of the request's headers on which the answer depends (RFC 9110, 12.5.5).
    mutating func vary(on name: String) {
        if let index = firstIndex(where: { $0.name == .vary }) {
            self[index].value += ", \(name)"
        } else {
            append(HTTPField(name: .vary, value: name))
        }
    }
}

/// A revision of a document as HTTP writes it (RFC 9110, 8.8.3).
struct EntityTag {
    let text: String

    init(_ revision: Int64) { text = "\"\(String(revision, radix: 36))\"" }

    /// The revisions of a header such as `If-Match`; nil for `*`.
    ///
    /// What is no tag of a revision is left out, and weak tags too unless the comparison is weak.
    static func revisions(_ header: String, weakly: Bool = false) -> Set<Int64>? {
        let tags = header.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        if tags == ["*"] { return nil }
        return Set(
            tags.compactMap { tag in
                let strong = weakly && tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
                guard let revision = Int64(strong.dropFirst().dropLast(), radix: 36) else { return nil }
                return EntityTag(revision).text == strong ? revision : nil
            })
    }
}
