internal import NIOCore
internal import NIOHTTP1

/// Closes a connection when too many bytes come over it since the last request was written.
///
/// It stands before the parser, which takes status lines, interim responses and extensions of chunks without end.
final class AnswerLimit: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The connection was closed.
    struct Exceeded: Error {}

    /// The bytes of an answer at most, with its head, its body and all around them.
    static let most = 64 << 10

    private var left = AnswerLimit.most
    private var isOver = false

    /// Adds a limit to a connection of the HTTP client.
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
        // The status of a long answer is among its first bytes.
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
