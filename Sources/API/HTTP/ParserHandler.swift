internal import HTTPTypes
internal import Model
internal import NIOCore
internal import NIOHTTP1

/// Handles what only the parser before it knows: an HTTP/1.0 client, and the fault of a malformed request.
///
/// An HTTP/1.0 client gets one answer, without chunks, and the connection closes; ``PipeliningHandler`` makes the answer the last.
/// A malformed request is answered with a ``Problem``, where Hummingbird's answer is empty.
final class ParserHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isOld = false
    /// The fault of a malformed request, as a sentence.
    private var fault: String?
    /// Whether a head was refused; whatever follows it is dropped.
    private var isRefused = false

    /// The maximum number of bytes of the names and values of all headers.
    private static let mostHeaderBytes = 16 << 10
    /// The maximum number of bytes of a path; each of its segments costs the search for a route.
    private static let mostPathBytes = 4 << 10

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if let fault = Self.fault(of: head) {
            (isRefused, self.fault) = (true, fault)
            return context.fireErrorCaught(HTTPParserError.headerOverflow)
        }
        guard head.version == .http1_0 else { return context.fireChannelRead(data) }
        isOld = true
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The fault of a head that is too long, or whose texts would be slow to compare (``Swift/String/isStreamSafe``).
    private static func fault(of head: HTTPRequestHead) -> String? {
        var bytes = 0
        for (name, value) in head.headers {
            bytes += name.utf8.count + value.utf8.count
            guard bytes <= mostHeaderBytes else { return "The headers have more than \(mostHeaderBytes) bytes." }
            guard value.isStreamSafe else { return marks("A header") }
        }
        guard head.uri.utf8.prefix(mostPathBytes + 1).prefix(while: { $0 != UInt8(ascii: "?") }).count <= mostPathBytes
        else { return "The path has more than \(mostPathBytes) bytes." }
        guard head.uri.utf8.contains(UInt8(ascii: "%")) else { return nil }
        return PercentEncoding.lenient(head.uri.utf8).isStreamSafe ? nil : marks("The address")
    }

    private static func marks(_ text: String) -> String {
        "\(text) has more than \(String.mostMarks) combining marks in a row."
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = (error as? HTTPParserError).map(Self.detail)
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Answers before the last one belong to other requests.
        guard isOld || fault != nil, case .head(var head) = unwrapOutboundIn(data),
            head.headers["connection"] == ["close"]
        else { return context.write(data, promise: promise) }
        if isOld { head.version = .http1_0 }
        guard let fault, head.status == .badRequest, head.headers["content-length"] == ["0"] else {
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        let problem = Problem(.malformedRequest, detail: fault)
        let id = RequestID.next()
        let body = problem.body(instance: id)
        head.headers.replaceOrAdd(name: RequestID.header, value: id)
        head.headers.replaceOrAdd(name: "content-type", value: Problem.contentType)
        head.headers.replaceOrAdd(name: "content-length", value: "\(body.count)")
        head.headers.replaceOrAdd(name: "cache-control", value: "no-store")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: promise)
    }

    private static func detail(_ fault: HTTPParserError) -> String {
        switch fault {
        case .invalidURL:
            "The address has a character that must be percent-encoded, as 'ñ' is '%C3%B1' and a space '%20'."
        case .headerOverflow: "The headers are too long."
        default: "This is not an HTTP/1.1 request (\(fault))."
        }
    }
}
