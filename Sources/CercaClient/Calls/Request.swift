internal import Foundation

extension CercaClient {
    /// A request to the service.
    public struct Request: Hashable, Sendable {
        /// The HTTP method.
        public enum Method: String, Sendable {
            /// Reads.
            case GET
            /// Creates or replaces a document.
            case PUT
            /// Performs an action.
            case POST
            /// Changes members of a document.
            case PATCH
            /// Deletes.
            case DELETE
        }

        /// The HTTP method.
        public var method: Method
        /// The percent-encoded path and query, from `/v1` on.
        public var path: String
        /// The body, if any.
        public var body: String?
        /// The media type of the body.
        public var type = "application/json"
        /// Additional headers.
        public var headers: [String: String] = [:]
        /// Whether the request is idempotent and may be retried; false for `POST` and `PATCH` by default.
        public var mayBeRepeated: Bool

        /// Creates a request with a percent-encoded path.
        public init(_ method: Method, _ path: String, _ body: String? = nil) {
            self.method = method
            self.path = path
            self.body = body
            mayBeRepeated = method != .POST && method != .PATCH
        }

        init(_ method: Method, _ path: Path, _ query: Query = Query(), _ body: String? = nil) {
            self.init(method, path.text + query.text, body)
        }

        /// The method and path for errors, without the query, which may reveal positions.
        var name: String { "\(method) \(path.prefix { $0 != "?" })" }

        /// The request for the page at a cursor.
        func after(_ cursor: String) -> Request {
            var request = self
            request.path += (path.contains("?") ? "&" : "?") + "cursor=\(cursor.percentEncoded)"
            return request
        }
    }
}

/// A path whose interpolated values are percent-encoded.
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

/// The query of a request, without parameters that have no value.
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
