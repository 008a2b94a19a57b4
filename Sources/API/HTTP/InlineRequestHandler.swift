internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes

/// Answers a request that arrived whole right where it was read, in the pipeline.
///
/// Its task begins at once, on the thread of the loop (SE-0472). Most routes never suspend, so the answer is written in
/// one flush before anything else is read. A route that suspends continues on the loop's job queue. A request that
/// arrives in pieces, expects `100 Continue`, or follows something is passed on to the connection's own task.
final class InlineRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// The longest body that is taken whole, in bytes, which is also the most that is read at once.
    private static let longestBody = 64 << 10

    private let responder: RouteTable.Responder
    private let backpressure: BackpressureHandler
    private let date: DateHeader
    private let logger: Logger
    private var head: HTTPRequest?
    private var body = ByteBuffer()

    init(_ responder: RouteTable.Responder, _ backpressure: BackpressureHandler, _ date: DateHeader, _ logger: Logger) {
        (self.responder, self.backpressure, self.date, self.logger) = (responder, backpressure, date, logger)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), head) {
        case (.head(let new), _) where Self.mayBeWhole(new): head = new
        case (.body(var bytes), .some): body.writeBuffer(&bytes)
        case (.end, let head?):
            let body = takeBody()
            self.head = nil
            answer(Request(head: head, body: RequestBody(buffer: body)), context)
        default: context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The rest has not arrived yet.
        if let head, backpressure.waiting.readableBytes == 0 {
            let body = takeBody()
            self.head = nil
            context.fireChannelRead(wrapInboundOut(.head(head)))
            if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
        }
        context.fireChannelReadComplete()
    }

    private func takeBody() -> ByteBuffer {
        defer { body = ByteBuffer() }
        return body
    }

    private static func mayBeWhole(_ head: HTTPRequest) -> Bool {
        let fields = head.headerFields
        guard fields[.transferEncoding] == nil, fields[.expect] == nil, fields[.upgrade] == nil, head.method != .connect
        else { return false }
        let length = fields[.contentLength].map { Int($0) ?? .max } ?? 0
        return length <= longestBody && !EventStream.isWanted(by: fields)
    }

    private func answer(_ request: Request, _ context: ChannelHandlerContext) {
        let executor = backpressure.executor
        let outlet = Outlet(context)
        let work: @Sendable () async -> Void = { [responder, date, logger] in
            await LoopExecutor.$current.withValue(executor) {
                let source = ApplicationRequestContextSource(channel: outlet.channel, logger: logger)
                var response = await responder.respond(to: request, context: CercaContext(source: source))
                response.headers[.date] = date.text
                await outlet.send(response)
            }
        }
        if executor.mayBegin {
            Task.immediate(executorPreference: executor, operation: work)
        } else {
            Task(executorPreference: executor, operation: work)
        }
    }
}

/// Writes the answers to a connection's requests.
private struct Outlet: Sendable {
    let channel: any Channel
    private let context: NIOLoopBound<ChannelHandlerContext>

    init(_ context: ChannelHandlerContext) {
        channel = context.channel
        self.context = NIOLoopBound(context, eventLoop: context.eventLoop)
    }

    /// Sends a response; a streamed one waits for the client to read it.
    func send(_ response: Response) async {
        do {
            if response.body.contentLength != nil {
                let body = Collected()
                try await response.body.write(body)
                let bytes = body.bytes
                onLoop { write([.head(response.head)] + (bytes.readableBytes > 0 ? [.body(bytes)] : []) + [.end(nil)]) }
            } else {
                try await flush(.head(response.head))
                try await response.body.write(Streamed(outlet: self))
            }
        } catch {
            // A client must not take a part for the whole.
            channel.close(promise: nil)
        }
    }

    private func write(_ parts: [HTTPResponsePart]) {
        let context = context.value
        for part in parts { context.write(NIOAny(part), promise: nil) }
        context.flush()
    }

    private func onLoop(_ body: @escaping @Sendable () -> Void) {
        if channel.eventLoop.inEventLoop { body() } else { channel.eventLoop.execute(body) }
    }

    func flush(_ part: HTTPResponsePart) async throws {
        try await channel.eventLoop.flatSubmit { context.value.writeAndFlush(NIOAny(part)) }.get()
    }
}

/// Collects the body of a response whose length is known when its head is sent.
private final class Collected: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) {
        if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) {}
}

/// Sends a body while it is produced.
private struct Streamed: ResponseBodyWriter {
    let outlet: Outlet

    func write(_ buffer: ByteBuffer) async throws { try await outlet.flush(.body(buffer)) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await outlet.flush(.end(trailingHeaders)) }
}
