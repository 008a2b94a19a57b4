internal import HTTPTypes
internal import Hummingbird

/// What a route answers.
struct Answer {
    var status: HTTPResponse.Status = .ok
    var headers: HTTPFields = [:]
    var body: [UInt8] = []

    /// An answer without a body.
    static let nothing = Answer(status: .noContent)

    /// A JSON document.
    static func json(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Answer {
        var json = JSONWriter()
        write(&json)
        return Answer(status: status, headers: [.contentType: "application/json"], body: json.bytes)
    }

    /// Whatever names a person's place may be kept by nobody on the way.
    var unstored: Answer {
        var answer = self
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    func tagged(_ revision: Int64) -> Answer {
        var answer = self
        answer.headers[.eTag] = EntityTag(revision).text
        return answer
    }

    var response: Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// A revision of a document as HTTP writes it (RFC 9110, 8.8.3).
struct EntityTag {
    let text: String

    init(_ revision: Int64) { text = "\"\(String(revision, radix: 36))\"" }

    /// The revisions of a header such as `If-Match`; nil for `*`.
    static func revisions(_ header: String) -> [Int64]? {
        if header.trimmingPrefix(while: \.isWhitespace) == "*" { return nil }
        return header.split(separator: ",").compactMap { tag in
            let bare = tag.replacing("W/", with: "").filter { !$0.isWhitespace && $0 != "\"" }
            return Int64(bare, radix: 36)
        }
    }
}
