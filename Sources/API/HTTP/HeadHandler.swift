internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Leaves the end of a body out that is not sent: NIO takes an answer to `HEAD` of no known length for one in chunks, and would
/// write the last of them.
final class HeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Of the requests that are not answered yet, in their order, whether they ask for a head.
    private var asked = CircularBuffer<Bool>()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) { asked.append(request.method == .head) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), asked.popFirst() ?? false else {
            return context.write(data, promise: promise)
        }
        // What was written before is what the promise is for.
        context.write(wrapOutboundOut(.body(ByteBuffer())), promise: promise)
    }
}
