internal import HTTPTypes
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
    private var fault: HTTPParserError?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        isOld = true
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = error as? HTTPParserError
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
        let problem = Problem(.malformedRequest, detail: Self.detail(fault))
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
