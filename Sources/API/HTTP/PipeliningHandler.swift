internal import Foundation
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Handles pipelined requests one at a time: the next waits until the current one is read and answered.
///
/// The rest of a body that the handler did not read is discarded for a while; if it is long, the connection closes
/// after the answer.
final class PipeliningHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The event that sends `100 Continue` to a client that waits for it.
    struct Invitation: Sendable {}

    /// The longest rest of a body, in bytes, that is discarded rather than closing the connection.
    private static let shortRest = 64 << 10

    /// The current request.
    private struct Turn {
        /// Whether it is a `HEAD`.
        var isHead: Bool
        /// Whether the client expects `100 Continue`, which was not sent.
        var asks: Bool
        /// Whether its answer is the last of the connection.
        var isLast: Bool
        /// Whether it was shed, and never passed on.
        var isRefused = false
        var isRead = false
        var isAnswered = false
    }

    private var turn: Turn?
    /// The parts of pipelined requests that wait.
    private var held: CircularBuffer<HTTPRequestPart> = []
    private var isTakingHeld = false
    /// Whether the client closed its side after the current request and the held parts.
    private var isEnded = false
    private var backpressure: BackpressureHandler?
    private let loadShedder: LoadShedder

    init(loadShedder: LoadShedder) { self.loadShedder = loadShedder }

    func handlerAdded(context: ChannelHandlerContext) {
        backpressure = try? context.pipeline.syncOperations.handler(type: BackpressureHandler.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { backpressure = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if !held.isEmpty || turn?.isRead ?? false { held.append(part) } else { take(part, context) }
    }

    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            turn = Turn(
                isHead: head.method == .head, asks: head.headerFields[.expect] != nil, isLast: Self.isLast(head))
            let isVital = loadShedder.isVital(head)
            backpressure?.executor.begin(isVital: isVital)
            backpressure?.enter(.body(Self.bodyLength(of: head)))
            if !isVital, backpressure?.executor.isCrowded ?? false { refuse(head, context) }
        case .body(let bytes): backpressure?.took(bytes.readableBytes)
        case .end:
            turn?.isRead = true
            backpressure?.enter(.answer)
        }
        if turn?.isRefused != true { context.fireChannelRead(wrapInboundOut(part)) }
        if let turn, turn.isRead, turn.isAnswered { endTurn(turn, context) }
    }

    /// Refuses a request after a delay, and discards its body.
    private func refuse(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        turn?.isRefused = true
        let refusal = loadShedder.refusal(of: head)
        context.eventLoop.assumeIsolated().scheduleTask(in: LoadShedder.refusalDelay) {
            // Unless the connection has closed.
            guard self.backpressure != nil else { return }
            let parts: [HTTPResponsePart] =
                head.method == .head ? [.head(refusal.head)] : [.head(refusal.head), .body(refusal.body)]
            for part in parts { self.write(context: context, data: self.wrapOutboundOut(part), promise: nil) }
            self.write(context: context, data: self.wrapOutboundOut(.end(nil)), promise: nil)
            context.flush()
        }
    }

    /// The length of the body in bytes; nil for a chunked body.
    private static func bodyLength(of head: HTTPRequest) -> Int? {
        if head.headerFields[.transferEncoding] != nil { return nil }
        return head.headerFields[.contentLength].map { Int($0) } ?? 0
    }

    /// Whether no other request can follow: the client closes (RFC 9112, 9.6), or changes the protocol, where the
    /// parser stops.
    private static func isLast(_ head: HTTPRequest) -> Bool {
        let options = (head.headerFields[.connection] ?? "").lowercased().listItems
        return options.contains { $0.trimmingCharacters(in: .whitespaces) == "close" }
            || head.headerFields[.upgrade] != nil || head.method == .connect
    }

    private func endTurn(_ last: Turn, _ context: ChannelHandlerContext) {
        if last.isLast { return endInput(context) }
        turn = nil
        if held.isEmpty { backpressure?.enter(.idle) } else { takeHeld(context) }
        backpressure?.proceed()
        passEnd(context)
    }

    /// Processes the next requests, unless an answer waits to be read by the client.
    ///
    /// A request that is answered at once ends during this loop, and more is read then.
    private func takeHeld(_ context: ChannelHandlerContext) {
        guard !isTakingHeld, turn == nil, !held.isEmpty, context.channel.isWritable else { return }
        isTakingHeld = true
        while turn?.isRead != true, turn != nil || context.channel.isWritable, let part = held.popFirst() {
            take(part, context)
        }
        isTakingHeld = false
        context.fireChannelReadComplete()
    }

    /// Passes on the end of input once everything before it is answered; the service then closes its side.
    private func passEnd(_ context: ChannelHandlerContext) {
        guard isEnded, turn == nil, held.isEmpty else { return }
        isEnded = false
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        takeHeld(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case RequestTimeout.head: refuseLateHead(context)
        case RequestTimeout.body: context.fireErrorCaught(RequestTimeout.body)
        case ChannelEvent.inputClosed where !held.isEmpty || turn?.isRead ?? false: isEnded = true
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func refuseLateHead(_ context: ChannelHandlerContext) {
        var head = HTTPResponse(status: .requestTimeout, headerFields: [.connection: "close", .contentLength: "0"])
        if let field = RequestID.field { head.headerFields[field] = RequestID.next() }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        endInput(context)
    }

    /// Signals the end of input to the service, which then closes its side.
    private func endInput(_ context: ChannelHandlerContext) {
        backpressure?.enter(.answer)
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        switch part {
        case .head(var head):
            if isLast {
                turn?.isLast = true
                head.headerFields[.connection] = "close"
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            }
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            // NIO takes an answer to `HEAD` of unknown length for a chunked one, and would write the last chunk. The
            // promise waits for the preceding writes.
            let isHead = turn?.isHead ?? false
            context.write(isHead ? wrapOutboundOut(.body(ByteBuffer())) : data, promise: promise)
            endAnswer(context)
        }
    }

    /// Sends `100 Continue` (RFC 9110, 10.1.1) to a client that waits for it, because its body is read now.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Invitation else { return context.triggerUserOutboundEvent(event, promise: promise) }
        turn?.asks = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: promise)
    }

    /// Whether no other request can follow, or too much of the body remains to be discarded.
    private var isLast: Bool {
        guard let turn else { return false }
        guard !turn.isLast, !turn.isRead else { return turn.isLast }
        guard !turn.asks, case .body(let rest?)? = backpressure?.phase else { return true }
        return rest > Self.shortRest
    }

    private func endAnswer(_ context: ChannelHandlerContext) {
        guard var turn else { return }
        turn.isAnswered = true
        self.turn = turn
        if turn.isRead {
            endTurn(turn, context)
        } else if case .body(let rest)? = backpressure?.phase {
            backpressure?.enter(.rest(rest))
            backpressure?.proceed()
        } else {
            // The body came too slowly.
            endInput(context)
        }
    }
}
