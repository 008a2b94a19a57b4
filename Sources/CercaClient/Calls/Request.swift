internal import Foundation

extension CercaClient {
    /// What is sent to the service.
    public struct Request: Hashable, Sendable {
        /// What is done.
        public enum Method: String, Sendable {
            /// Asks.
            case GET
            /// Writes the whole of something.
            case PUT
            /// Sends something.
            case POST
            /// Changes members of a document.
            case PATCH
            /// Deletes.
            case DELETE
        }

        /// What is done.
        public var method: Method
        /// The path and its query, percent-encoded, from `/v1` on.
        public var path: String
        /// What is sent, if anything.
        public var body: String?
        /// The media type of the body.
        public var type = "application/json"
        /// Further headers.
        public var headers: [String: String] = [:]
        /// Whether sending it twice does what sending it once does; `POST` and `PATCH` do not, unless this is set.
        public var mayBeRepeated: Bool

        /// A request whose path is percent-encoded.
        public init(_ method: Method, _ path: String, _ body: String? = nil) {
            self.method = method
            self.path = path
            self.body = body
            mayBeRepeated = method != .POST && method != .PATCH
        }

        init(_ method: Method, _ path: Path, _ query: Query = Query(), _ body: String? = nil) {
            self.init(method, path.text + query.text, body)
        }

        /// Without its query, which may tell where people are: for errors.
        var name: String { "\(method) \(path.prefix { $0 != "?" })" }

        /// The request for the page after a cursor.
        func after(_ cursor: String) -> Request {
            var request = self
            request.path += (path.contains("?") ? "&" : "?") + "cursor=\(cursor.percentEncoded)"
            return request
        }
    }
}

/// A path in which what is interpolated is percent-encoded.
struct Path: ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}
        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ id: String) { text += id.percentEncoded }
    }
}

/// The query of a request: parameters without a value are left out.
struct Query {
    private var pairs: [String] = []

    var text: String { pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&") }

    mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        if let value { pairs.append("\(name.percentEncoded)=\(value.description.percentEncoded)") }
    }

    mutating func add(_ name: String, _ time: Date?) { add(name, time.map(Instant.text)) }

    mutating func add(_ name: String, anyOf values: [String]) {
        for value in values { add(name, value) }
    }
}

extension String {
    private static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

    fileprivate var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? self }
}
