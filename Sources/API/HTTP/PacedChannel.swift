internal import CoreMetrics
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import Synchronization
internal import Webhooks

/// An HTTP/1.1 connection with bounded memory and timeouts.
struct PacedChannel: HTTPChannelHandler {
    /// A connection, and the executor of its tasks.
    struct Value: ServerChildChannelValue {
        let base: HTTP1Channel.Value
        let executor: LoopExecutor
        var channel: any Channel { base.channel }
    }

    private let base: HTTP1Channel
    private let jobs: AllLoopJobs
    private let pace: ConnectionTimeouts
    private let places: ConnectionSlots
    private let connections: Meter
    private let prompt: RouteTable.Responder
    private let date = DateHeader()

    /// Creates the handler of connections.
    ///
    /// - Parameters:
    ///   - responder: Answers requests that arrive in pieces.
    ///   - prompt: Answers requests that arrive whole.
    ///   - pace: The timeouts of clients.
    ///   - places: The limits on connections per address.
    ///   - connections: The gauge of open connections.
    ///   - jobs: The job queues of the event loops.
    ///   - loadShedder: The load shedder.
    init(
        responder: @escaping Responder, prompt: RouteTable.Responder, pace: ConnectionTimeouts, places: ConnectionSlots,
        connections: Meter, jobs: AllLoopJobs, loadShedder: LoadShedder
    ) {
        self.prompt = prompt
        // ``BackpressureHandler`` applies the timeouts.
        base = HTTP1Channel(
            responder: StreamedBody.after(responder),
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [PipeliningHandler(loadShedder: loadShedder)], idleTimeout: nil))
        self.pace = pace
        self.places = places
        self.connections = connections
        self.jobs = jobs
    }

    var responder: Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        connections.increment()
        channel.closeFuture.whenComplete { [connections] _ in connections.decrement() }
        let executor = LoopExecutor(jobs[channel.eventLoop])
        return channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            // Each connection keeps one buffer, which grows with its requests.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 65536))
            try channel.pipeline.syncOperations.addHandler(
                BackpressureHandler(pace: pace, places: places, executor: executor))
        }.flatMap { base.setup(channel: channel, logger: logger) }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(ParserHandler(), position: .after(parser))
            let states = try pipeline.handler(type: HTTPConnectionStateHandler.self)
            let backpressure = try pipeline.handler(type: BackpressureHandler.self)
            try pipeline.addHandler(InlineRequestHandler(prompt, backpressure, date, logger), position: .after(states))
            // NIO traps if a connection is released while open, as an unhandled one would be during a stop.
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
            return Value(base: value, executor: executor)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(value.executor) {
            await LoopExecutor.$current.withValue(value.executor) {
                await base.handle(value: value.base, logger: logger)
            }
        }
    }
}

/// Limits the connections that an address may have open at the same time.
///
/// Trusted proxies are exempt, because all their clients share one address.
final class ConnectionSlots: Sendable {
    private let most: Int
    private let proxies: TrustedProxies
    private let taken = Mutex<[[UInt8]: Int]>([:])

    /// - Parameters:
    ///   - most: The limit; 0 for none.
    ///   - proxies: The proxies that are exempt.
    init(_ most: Int, proxies: TrustedProxies) {
        self.most = most
        self.proxies = proxies
    }

    /// Counts a connection until it is closed.
    ///
    /// - Returns: Whether the address is within its limit.
    func take(for channel: any Channel) -> Bool {
        guard most > 0, let address = IPAddress(channel.remoteAddress), !proxies.trusts(address) else { return true }
        let network = address.network
        let isTaken = taken.withLock { taken in
            let count = taken[network] ?? 0
            guard count < most else { return false }
            taken[network] = count + 1
            return true
        }
        if isTaken { channel.closeFuture.whenComplete { [self] _ in release(network) } }
        return isTaken
    }

    private func release(_ network: [UInt8]) {
        taken.withLock { taken in
            guard let count = taken[network] else { return }
            taken[network] = count > 1 ? count - 1 : nil
        }
    }
}
