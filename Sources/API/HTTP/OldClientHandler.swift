internal import NIOCore
internal import NIOHTTP1

/// Answers whoever speaks HTTP/1.0 so that they understand it: once, without chunks, and up to the end of the connection.
///
/// It stands behind the parser, for further on nobody knows the version. That the answer is the last is what ``Turns`` makes of
/// the request.
final class OldClientHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isOld = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        isOld = true
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Answers before the last one are to other requests.
        guard isOld, case .head(var head) = unwrapOutboundIn(data), head.headers["connection"] == ["close"] else {
            return context.write(data, promise: promise)
        }
        head.version = .http1_0
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
