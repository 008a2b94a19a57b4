internal import NIOCore

/// The part of a request for which a client took too long.
enum RequestTimeout: Error {
    /// A head that began.
    case head
    case body
}

/// A handler between socket and parser that applies backpressure and the connection's timeouts.
///
/// It passes bytes to the parser in small pieces on demand. While a request is answered nothing is parsed or read, so
/// data that the client pipelines stays with the client, apart from one buffer of bytes.
///
/// ``PipeliningHandler``, behind the parser, sets the phase.
final class BackpressureHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The part of an exchange that the connection waits for.
    enum Phase: Equatable {
        /// A request of which nothing has arrived yet.
        case idle
        case head
        /// The remaining bytes of a body; nil if their number is unknown.
        case body(Int?)
        /// The remaining bytes of a body to discard, because its request is answered; nil if their number is unknown.
        case rest(Int?)
        /// The service's answer.
        case answer
        /// The client's close after the last answer (lingering close).
        case lingeringClose
    }

    /// The bytes the parser gets at once where a request may end among them; it parses all requests in them.
    private static let headPiece = 512
    private static let chunkedPiece = 4096
    /// The bytes that are kept of requests to come; there can be more only when the client closes its side.
    private static let maxPipelined = 256 << 10

    let executor: LoopExecutor
    private let timeouts: ConnectionTimeouts
    private let places: ConnectionSlots
    private var context: ChannelHandlerContext?
    private(set) var phase = Phase.idle
    /// Bytes that were read from the socket and not passed to the parser yet.
    private(set) var waiting = ByteBuffer()
    /// Whether the parser's side has requested a read.
    private var isWanted = false
    private var isFeeding = false
    /// Whether the client closed its side, and the parser's side has not been notified yet.
    private var isEnded = false

    private var bodyRate: BodyRate
    /// When the phase times out, and when a stalled write does.
    private var phaseEnd: NIODeadline?
    private var stallEnd: NIODeadline?
    private var timer: (end: NIODeadline, task: Scheduled<Void>)?
    /// The bytes written, and how many of them had left the channel's buffer at the last check.
    private var (written, sent) = (0, 0)

    init(pace: ConnectionTimeouts, places: ConnectionSlots, executor: LoopExecutor) {
        (timeouts, bodyRate, self.places, self.executor) = (pace, BodyRate(pace), places, executor)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        wait(timeouts.head)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
        timer = nil
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if !places.take(for: context.channel) { context.close(promise: nil) }
    }

    /// Passes on the part of a body that arrived before the client hung up.
    func channelInactive(context: ChannelHandlerContext) {
        if case .body = phase, waiting.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(waiting))
            context.fireChannelReadComplete()
        }
        waiting = ByteBuffer()
        timer?.task.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    // MARK: - Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        switch phase {
        case .lingeringClose: return
        case .idle: enter(.head)
        case .body:
            if bodyRate.endWait(received: bytes.readableBytes) { phaseEnd = nil }
        case .head, .rest, .answer: break
        }
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
        if case .answer = phase, waiting.readableBytes > Self.maxPipelined { context.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if phase == .lingeringClose { context.read() } else { feed() }
    }

    func read(context: ChannelHandlerContext) {
        isWanted = true
        feed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        if phase == .lingeringClose { return context.close(promise: nil) }
        if phase == .answer { executor.abandon(after: timeouts.abandonment, on: context.eventLoop) }
        isEnded = true
        feed()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.fireChannelWritabilityChanged()
        // Until now an answer was waiting to be read.
        if context.channel.isWritable, phase == .idle || phase == .head { enter(phase) }
        feed()
    }

    /// Passes buffered bytes to the parser as long as it wants more, and then reads more from the socket.
    private func feed() {
        guard !isFeeding else { return }
        isFeeding = true
        defer { isFeeding = false }
        while isWanted, let context, let piece = nextPiece(context) {
            isWanted = false
            context.fireChannelRead(wrapInboundOut(piece))
            context.fireChannelReadComplete()
            // As the channel itself does after a read.
            context.channel.read()
        }
        guard let context, waiting.readableBytes == 0 else { return }
        if isEnded {
            isEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else if isWanted, mayFeed(context) {
            if case .body = phase, let lag = bodyRate.beginWait() { wait(for: lag) }
            context.read()
        }
    }

    private func mayFeed(_ context: ChannelHandlerContext) -> Bool {
        switch phase {
        // An answer that the client does not read is not followed by another.
        case .idle, .head: context.channel.isWritable
        case .body, .rest: true
        case .answer, .lingeringClose: false
        }
    }

    private func nextPiece(_ context: ChannelHandlerContext) -> ByteBuffer? {
        guard waiting.readableBytes > 0, mayFeed(context) else { return nil }
        let most =
            switch phase {
            case .body(let rest?), .rest(let rest?): max(rest, 1)
            case .body(nil), .rest(nil): Self.chunkedPiece
            case .idle, .head, .answer, .lingeringClose: Self.headPiece
            }
        let piece = waiting.readSlice(length: min(most, waiting.readableBytes))
        if waiting.readableBytes == 0 { waiting = ByteBuffer() }
        return piece
    }

    // MARK: - Timeouts

    /// Begins a phase.
    func enter(_ phase: Phase) {
        switch phase {
        case .idle where waiting.readableBytes > 0: return enter(.head)
        case .idle: wait(timeouts.idle)
        case .head: wait(timeouts.head)
        case .body:
            bodyRate = BodyRate(timeouts)
            wait(nil)
        case .rest, .lingeringClose: wait(timeouts.lingeringClose)
        case .answer: wait(nil)
        }
        self.phase = phase
    }

    /// Records that bytes of the body were parsed.
    func took(_ count: Int) {
        switch phase {
        case .body(let rest?): phase = .body(rest - count)
        case .rest(let rest?): phase = .rest(rest - count)
        case .idle, .head, .body(nil), .rest(nil), .answer, .lingeringClose: break
        }
    }

    /// Continues with bytes that were held back.
    func proceed() { feed() }

    private func wait(_ time: Duration?) {
        if let time { wait(for: TimeAmount(time)) } else { phaseEnd = nil }
    }

    private func wait(for time: TimeAmount) {
        phaseEnd = .now() + time
        arm()
    }

    private func arm() {
        guard let context, let end = [phaseEnd, stallEnd].compactMap(\.self).min() else { return }
        if let timer {
            guard end < timer.end else { return }
            timer.task.cancel()
        }
        timer = (end, context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { self.checkTimeouts() })
    }

    /// Checks whether a timeout has expired.
    private func checkTimeouts() {
        timer = nil
        let now = NIODeadline.now()
        if let end = phaseEnd, end <= now {
            phaseEnd = nil
            expirePhase()
        }
        if let end = stallEnd, end <= now { checkStall() }
        arm()
    }

    private func expirePhase() {
        guard let context else { return }
        switch phase {
        // A client with an answer to read is bounded by ``ConnectionTimeouts/stallTimeout`` instead.
        case .idle where unsent > 0, .head where unsent > 0: enter(phase)
        case .head:
            enter(.answer)
            context.fireUserInboundEventTriggered(RequestTimeout.head)
        case .body:
            enter(.answer)
            context.fireUserInboundEventTriggered(RequestTimeout.body)
        case .idle, .rest, .lingeringClose: context.close(promise: nil)
        case .answer: break
        }
    }

    // MARK: - Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if stallEnd == nil { watchForStall() }
    }

    /// Closes the connection gracefully: after the last answer the client has a while to read it (lingering close).
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        phase = .lingeringClose
        wait(nil)
        waiting = ByteBuffer()
        let closed = promise ?? context.eventLoop.makePromise(of: Void.self)
        closed.futureResult.assumeIsolated().whenComplete { [weak self] _ in
            guard let self, let context = self.context else { return }
            enter(.lingeringClose)
            context.read()
        }
        context.close(mode: mode, promise: closed)
    }

    /// The bytes that wait to be sent.
    private var unsent: Int { (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    private func watchForStall() {
        let unsent = unsent
        stallEnd = unsent > 0 ? .now() + TimeAmount(timeouts.stallTimeout) : nil
        sent = written - unsent
        arm()
    }

    private func checkStall() {
        let unsent = unsent
        if unsent == 0 || written - unsent > sent { return watchForStall() }
        stallEnd = nil
        context?.close(promise: nil)
    }
}
