internal import NIOCore
internal import NIOHTTP1

/// Closes a connection when too many bytes arrive after the last request was written.
///
/// It precedes the parser, which accepts endless status lines, interim responses and chunk extensions.
final class AnswerLimit: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The limit was exceeded, and the connection was closed.
    struct Exceeded: Error {}

    /// The most bytes of an answer, including its head, body and framing.
    static let most = 64 << 10

    private var left = AnswerLimit.most
    private var isOver = false

    /// Adds the limit to a connection of the HTTP client.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(AnswerLimit(), position: .before(parser))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var bytes = unwrapInboundIn(data)
        guard bytes.readableBytes > left else {
            left -= bytes.readableBytes
            return context.fireChannelRead(data)
        }
        isOver = true
        // The status of a long answer is in its first bytes.
        if let first = bytes.readSlice(length: left), first.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(first))
        }
        context.fireErrorCaught(Exceeded())
        context.close(promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        left = Self.most
        context.write(data, promise: promise)
    }
}
