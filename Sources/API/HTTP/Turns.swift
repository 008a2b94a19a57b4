internal import Foundation
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// One request of a connection at a time: those behind it wait until it is read and answered.
///
/// The rest of a body that nobody read to its end is passed over for a while; if it is long, the answer to it is the last of the
/// connection.
final class Turns: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The event by which a client is asked for a body that it kept back.
    struct Invitation: Sendable {}

    /// The bytes of a body that are passed over rather than to close the connection.
    private static let shortRest = 64 << 10

    /// The request whose turn it is.
    private struct Turn {
        /// Whether it asks for a head only.
        var isHead: Bool
        /// Whether the client asked whether to send the body, and was not told to.
        var asks: Bool
        /// Whether its answer is the last one.
        var isLast: Bool
        /// Whether nobody else knows of it.
        var isRefused = false
        var isRead = false
        var isAnswered = false
    }

    private var turn: Turn?
    /// Of the requests whose turn is to come.
    private var held: CircularBuffer<HTTPRequestPart> = []
    private var isTakingHeld = false
    /// Whether the client ended its side, and what is held comes before that.
    private var isEnded = false
    private var inflow: Inflow?
    private let door: Door

    /// - Parameter door: where requests are refused.
    init(door: Door) { self.door = door }

    func handlerAdded(context: ChannelHandlerContext) {
        inflow = try? context.pipeline.syncOperations.handler(type: Inflow.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { inflow = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if !held.isEmpty || turn?.isRead ?? false { held.append(part) } else { take(part, context) }
    }

    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            turn = Turn(
                isHead: head.method == .head, asks: head.headerFields[.expect] != nil, isLast: Self.isLast(head))
            let isVital = door.isVital(head)
            inflow?.executor.begin(isVital: isVital)
            inflow?.enter(.body(Self.bodyLength(of: head)))
            if !isVital, inflow?.executor.isCrowded ?? false { refuse(head, context) }
        case .body(let bytes): inflow?.took(bytes.readableBytes)
        case .end:
            turn?.isRead = true
            inflow?.enter(.answer)
        }
        if turn?.isRefused != true { context.fireChannelRead(wrapInboundOut(part)) }
        if let turn, turn.isRead, turn.isAnswered { endTurn(turn, context) }
    }

    /// Refuses a request after a while, and passes over its body.
    private func refuse(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        turn?.isRefused = true
        let refusal = door.refusal(of: head)
        context.eventLoop.assumeIsolated().scheduleTask(in: Door.breath) {
            // Unless the connection is gone.
            guard self.inflow != nil else { return }
            let parts: [HTTPResponsePart] =
                head.method == .head ? [.head(refusal.head)] : [.head(refusal.head), .body(refusal.body)]
            for part in parts { self.write(context: context, data: self.wrapOutboundOut(part), promise: nil) }
            self.write(context: context, data: self.wrapOutboundOut(.end(nil)), promise: nil)
            context.flush()
        }
    }

    /// The bytes of the body; nil when only its end will tell.
    private static func bodyLength(of head: HTTPRequest) -> Int? {
        if head.headerFields[.transferEncoding] != nil { return nil }
        return head.headerFields[.contentLength].map { Int($0) } ?? 0
    }

    /// Whether no other request can follow: the client says so (RFC 9112, 9.6), or speaks of another protocol, before which the
    /// parser stops.
    private static func isLast(_ head: HTTPRequest) -> Bool {
        let options = (head.headerFields[.connection] ?? "").lowercased().split(separator: ",")
        return options.contains { $0.trimmingCharacters(in: .whitespaces) == "close" }
            || head.headerFields[.upgrade] != nil || head.method == .connect
    }

    private func endTurn(_ last: Turn, _ context: ChannelHandlerContext) {
        if last.isLast { return endInput(context) }
        turn = nil
        if held.isEmpty { inflow?.enter(.idle) } else { takeHeld(context) }
        inflow?.proceed()
    }

    /// Lets the next requests have their turns, unless an answer waits to be taken.
    ///
    /// A request that is answered at once ends its turn while this goes on, and more is read then.
    private func takeHeld(_ context: ChannelHandlerContext) {
        guard !isTakingHeld, turn == nil, !held.isEmpty, context.channel.isWritable else { return }
        isTakingHeld = true
        while turn?.isRead != true, turn != nil || context.channel.isWritable, let part = held.popFirst() {
            take(part, context)
        }
        isTakingHeld = false
        context.fireChannelReadComplete()
        if isEnded, held.isEmpty { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        takeHeld(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case Lateness.head: refuseLateHead(context)
        case Lateness.body: context.fireErrorCaught(Lateness.body)
        case ChannelEvent.inputClosed where !held.isEmpty: isEnded = true
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

    /// Tells the service that no more requests come, whereupon it ends its side.
    private func endInput(_ context: ChannelHandlerContext) {
        inflow?.enter(.answer)
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
            // NIO takes an answer to `HEAD` of no known length for one in chunks, and would write the last of them. What was
            // written before is what the promise is for.
            let isHead = turn?.isHead ?? false
            context.write(isHead ? wrapOutboundOut(.body(ByteBuffer())) : data, promise: promise)
            endAnswer(context)
        }
    }

    /// Invites a client that waits for `100 Continue` (RFC 9110, 10.1.1) to send its body, which is read now.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Invitation else { return context.triggerUserOutboundEvent(event, promise: promise) }
        turn?.asks = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: promise)
    }

    /// Whether no other request can follow, or too much of the body is left for that.
    private var isLast: Bool {
        guard let turn else { return false }
        guard !turn.isLast, !turn.isRead else { return turn.isLast }
        guard !turn.asks, case .body(let rest?)? = inflow?.phase else { return true }
        return rest > Self.shortRest
    }

    private func endAnswer(_ context: ChannelHandlerContext) {
        guard var turn else { return }
        turn.isAnswered = true
        self.turn = turn
        if turn.isRead {
            endTurn(turn, context)
        } else if case .body(let rest)? = inflow?.phase {
            inflow?.enter(.rest(rest))
            inflow?.proceed()
        } else {
            // It came too slowly.
            endInput(context)
        }
    }
}
