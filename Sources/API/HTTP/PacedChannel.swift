internal import CoreMetrics
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import Synchronization

/// A connection of HTTP/1.1 that holds little and waits for nobody for ever.
struct PacedChannel: HTTPChannelHandler {
    /// A connection, and what runs its tasks.
    struct Value: ServerChildChannelValue {
        let base: HTTP1Channel.Value
        let executor: LoopExecutor
        var channel: any Channel { base.channel }
    }

    private let base: HTTP1Channel
    private let jobs: AllLoopJobs
    private let pace: Pace
    private let places: AddressPlaces
    private let connections: Meter
    private let prompt: RouteTable.Responder
    private let date = DateHeader()

    /// Makes connections.
    ///
    /// - Parameters:
    ///   - responder: answers what does not come whole.
    ///   - prompt: answers what comes whole.
    ///   - pace: how long is waited for clients.
    ///   - places: how many connections an address may have.
    ///   - connections: counts the open ones.
    ///   - jobs: what the loops have to do.
    ///   - door: where requests are refused.
    init(
        responder: @escaping Responder, prompt: RouteTable.Responder, pace: Pace, places: AddressPlaces,
        connections: Meter, jobs: AllLoopJobs, door: Door
    ) {
        self.prompt = prompt
        // How long is waited for what is the business of ``Inflow``.
        base = HTTP1Channel(
            responder: Sequel.after(responder),
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [Turns(door: door)], idleTimeout: nil))
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
            // Each connection keeps one buffer, which is made larger while requests are.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 65536))
            try channel.pipeline.syncOperations.addHandler(Inflow(pace: pace, places: places, executor: executor))
        }.flatMap { base.setup(channel: channel, logger: logger) }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(ParserHandler(), position: .after(parser))
            let states = try pipeline.handler(type: HTTPConnectionStateHandler.self)
            let inflow = try pipeline.handler(type: Inflow.self)
            try pipeline.addHandler(PromptHandler(prompt, inflow, date, logger), position: .after(states))
            // A connection that comes while the server stops is handled by nobody, and NIO traps if it is forgotten while open.
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

/// How many connections an address may have open at the same time.
///
/// Trusted proxies may have any number: whoever comes through them comes from their address.
final class AddressPlaces: Sendable {
    private let most: Int
    private let proxies: TrustedProxies
    private let taken = Mutex<[[UInt8]: Int]>([:])

    /// - Parameters:
    ///   - most: 0 for any number.
    ///   - proxies: who may have any number.
    init(_ most: Int, proxies: TrustedProxies) {
        self.most = most
        self.proxies = proxies
    }

    /// Takes a place until the connection is closed.
    ///
    /// - Returns: whether there was one.
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
