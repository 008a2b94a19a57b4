internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// Answers at the server's address while a large database is loaded: `/livez` as usual, everything else with 503 and
/// the progress.
///
/// It needs no thread of tasks, all of which the loading may occupy.
public final class StartupListener: Sendable {
    private struct State: Sendable {
        var hasBegun = false
        var progress = ""
        var listener: (any Channel)?
        /// The open connections.
        var connections: [ObjectIdentifier: any Channel] = [:]
    }

    /// The maximum number of open connections; further ones are closed at once.
    private static let mostConnections = 100

    private let configuration: Server.Configuration
    private let state = Mutex(State())

    /// Creates a listener for the address of a server.
    public init(_ configuration: Server.Configuration) { self.configuration = configuration }

    /// Records the progress of loading; the first call begins to listen.
    ///
    /// With port 0 it does not listen. If the address is taken, the server reports that after the loading.
    public func report(_ table: String, _ loaded: Int, of total: Int) {
        let isFirst = state.withLock { state in
            // Not the numbers, which are shown to services only.
            state.progress = "The service loads its data: \(100 * loaded / max(loaded, total, 1)) % of \(table)."
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst, configuration.port > 0, let listening = try? listening() else { return }
        let listener = try? listening.bind(host: configuration.host, port: configuration.port).wait()
        state.withLock { $0.listener = listener }
    }

    /// Stops listening, so that the server can listen at the address, and closes all connections.
    public func close() async {
        try? await state.withLock { $0.listener.take() }?.close()
        for connection in state.withLock({ $0.connections.values }) { connection.close(promise: nil) }
    }

    private func listening() throws -> ServerBootstrap {
        let tls = try configuration.certificate.map { try NIOSSLContext(configuration: $0.configuration) }
        return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard admit(channel) else { return channel.close(promise: nil) }
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandler(Responder(progress: state.withLock { $0.progress }))
                    channel.eventLoop.scheduleTask(in: .seconds(10)) { channel.close(promise: nil) }
                }
            }
    }

    /// Counts a connection until it closes; false if there are too many.
    private func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            guard state.connections.count < Self.mostConnections else { return false }
            state.connections[id] = channel
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { [self] _ in _ = state.withLock { $0.connections.removeValue(forKey: id) }
            }
        }
        return isAdmitted
    }

    /// Answers the first request of a connection and closes it.
    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let progress: String
        private var isAlive = false
        private var isHead = false

        init(progress: String) { self.progress = progress }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (isAlive, isHead) = (head.uri == "/livez", head.method == .HEAD)
            case .body: break
            case .end: answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            let problem = Problem(.storageUnavailable, detail: progress)
            let body = isAlive ? Array(#"{"status":"ok"}"#.utf8) : problem.body(instance: RequestID.next())
            var headers: HTTPHeaders = [
                "Content-Type": isAlive ? "application/json" : Problem.contentType,
                "Content-Length": "\(body.count)", "Cache-Control": "no-store", "Connection": "close",
            ]
            if !isAlive { headers.add(name: "Retry-After", value: "1") }
            let head = HTTPResponseHead(
                version: .http1_1, status: isAlive ? .ok : .serviceUnavailable, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
        }

        /// NIO has answered a malformed request.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
