internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Says what is wrong with what is no HTTP, where Hummingbird answers with an empty body.
///
/// It stands behind the parser, which is the only one to know.
final class MalformedHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var fault: HTTPParserError?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = error as? HTTPParserError
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Answers before that one are to other requests.
        guard let fault, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headers["content-length"] == ["0"], head.headers["connection"] == ["close"]
        else { return context.write(data, promise: promise) }
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
            "The address has a character that has to be percent-encoded, as 'ñ' is '%C3%B1' and a space '%20'."
        case .headerOverflow: "The headers are longer than is read."
        default: "This is no request of HTTP/1.1 (\(fault))."
        }
    }
}
