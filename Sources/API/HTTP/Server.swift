internal import CoreMetrics
public import Discovery
public import Foundation
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
public import Logging
internal import Meters
public import Model
internal import NIOCore
public import Normaliser
public import ServiceLifecycle
public import Webhooks

/// The HTTP interface as a service, which answers from the engine until it is stopped.
public struct Server: Service, CustomStringConvertible {
    /// The server's address, clients, and limits.
    public struct Configuration: Sendable {
        /// The address to listen on.
        public var host: String
        /// The port to listen on; 0 for any free one.
        public var port: Int
        /// Further names by which the server is reached.
        public var hosts: Set<String> = []
        /// The URL at which others reach the server; nil for the name by which each request reached it.
        public var publicURL: PublicURL?
        /// The origins of other web pages that may call.
        public var origins = AllowedOrigins()
        /// The limits on requests and concurrency.
        public var limits = Limits()
        /// The timeouts of clients.
        public var pace = ConnectionTimeouts()
        /// The rate limits of callers.
        public var rates = Rates()
        /// The proxies whose forwarded client addresses are trusted.
        public var proxies = TrustedProxies()
        /// The TLS certificate; nil to serve without TLS.
        public var certificate: Certificate?
        /// The port of 127.0.0.1 that serves metrics without authentication, besides ``port`` for services; 0 for none.
        public var metricsPort = 0
        /// An answer that takes longer to begin is logged at `warning`.
        public var slowThreshold = Duration.seconds(1)
        /// The folder with the files of Leaflet, which draws the map of the page at `/`.
        public var leaflet = URL(fileURLWithPath: "/usr/share/javascript/leaflet", isDirectory: true)
        /// The folder with `qrcode.js` of qrcode-generator, which draws the codes that set up phones.
        public var qrcode = URL(fileURLWithPath: "/usr/share/javascript/qrcode-generator", isDirectory: true)
        /// The tiles on the map of the page; nil for none.
        public var tiles: MapTiles?
        /// The servers from which the page loads photos.
        public var photos = PhotoServers()
        /// The file with ``tiles``; nil if another server sends them.
        public var mapFile: MapFile?
        /// The addresses that webhooks may reach.
        public var webhooks = WebhookRules()
        /// The longest replication lag at which the server is still ready, if a log is followed.
        public var longestLag = Duration.seconds(5)
        /// The vocabulary that imports are normalized with.
        public var lexicon = Lexicon()
        /// Examines the installation, which may take seconds; nil to report nothing about it.
        public var examine: (@Sendable () async -> Installation)?

        /// Creates a configuration with the default limits and no further names.
        public init(host: String = "127.0.0.1", port: Int = 8080) {
            self.host = host
            self.port = port
        }

        fileprivate var hostCheck: HostCheck {
            HostCheck(names: hosts, others: origins, address: host, isSecure: certificate != nil)
        }

        fileprivate var tileDocuments: TileDocuments { TileDocuments(addresses: addresses, base: tiles) }
        /// The absolute addresses in answers.
        fileprivate var addresses: Addresses { Addresses(publicURL: publicURL, isSecure: certificate != nil) }

        /// Whether only this machine can reach the address: `localhost`, `::1`, or an IPv4 address in 127.0.0.0/8.
        public var isLoopback: Bool {
            host == "localhost" || host == "::1" || !host.contains(":") && IPAddress(host)?.bytes.first == 127
        }
    }

    private let configuration: Configuration
    private let engine: Engine
    private let webhooks: WebhookDispatcher
    private let seal: CursorSeal
    private let ids: KeyedIDs
    private let unread = UnreadMessages()
    private let responder: RouteTable.Responder
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let isListening: @Sendable (_ port: Int) -> Void

    /// - Parameters:
    ///   - engine: The engine that is queried and changed.
    ///   - keys: The keys that verify callers' tokens; nil treats every caller as a trusted service.
    ///   - cursorSecret: 32 bytes that seal cursors and log positions, and key ids.
    ///   - configuration: The address and the limits.
    ///   - logger: Logs requests, starts, stops and failures.
    ///   - now: The clock, which is read once per request.
    ///   - isListening: Called with the port when the server can be reached.
    public init(
        engine: Engine, keys: KeyRing?, cursorSecret: [UInt8], configuration: Configuration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp, isListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) {
        (self.engine, self.configuration, self.logger, self.now) = (engine, configuration, logger, now)
        (self.isListening, ids) = (isListening, KeyedIDs(secret: cursorSecret))
        webhooks = WebhookDispatcher(engine: engine, rules: configuration.webhooks, logger: logger, now: now)
        seal = CursorSeal(secret: cursorSecret, isSealed: engine.defences.sealsCursors)
        let rateLimits = RateLimits(rates: configuration.rates, meters: engine.meters, monitor: engine.monitor)
        let authenticator = Authenticator(
            keys: keys, engine: engine, rateLimits: rateLimits, proxies: configuration.proxies)
        var routes = RouteTable(
            hostCheck: configuration.hostCheck, authenticator: authenticator, seal: seal, ids: ids,
            limits: configuration.limits, meters: engine.meters, logger: logger,
            slowThreshold: configuration.slowThreshold,
            now: now)
        HealthRoutes(engine: engine, configuration: configuration, started: now()).add(to: &routes)
        MetricRoutes(engine: engine).add(to: &routes)
        PingRoutes(engine: engine, seal: seal).add(to: &routes)
        PhoneRoutes(engine: engine, logger: logger, unread: unread).add(to: &routes)
        HistoryRoutes(engine: engine, seal: seal).add(to: &routes)
        PeopleRoutes(engine: engine).add(to: &routes)
        PeopleSearchRoutes(engine: engine, seal: seal).add(to: &routes)
        NearestPeopleRoutes(engine: engine, seal: seal).add(to: &routes)
        DeviceRoutes(engine: engine, unread: unread).add(to: &routes)
        GroupRoutes(engine: engine, seal: seal).add(to: &routes)
        PersonExportRoutes(engine: engine).add(to: &routes)
        FriendRoutes(engine: engine, seal: seal).add(to: &routes)
        TimeTravelRoutes(engine: engine, seal: seal).add(to: &routes)
        StrangerRoutes(engine: engine, seal: seal).add(to: &routes)
        PlaceRoutes(engine: engine, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        PlaceListRoutes(engine: engine, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        CommentRoutes(engine: engine, seal: seal).add(to: &routes)
        FavouriteRoutes(engine: engine, seal: seal).add(to: &routes)
        ProductRoutes(engine: engine, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        StoreRoutes(engine: engine, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        CityRoutes(engine: engine).add(to: &routes)
        TileRoutes(engine: engine, documents: configuration.tileDocuments).add(to: &routes)
        ImportRoutes(engine: engine, lexicon: configuration.lexicon, now: now).add(to: &routes)
        TrackRoutes(engine: engine, now: now).add(to: &routes)
        ExportRoutes(engine: engine).add(to: &routes)
        FenceRoutes(engine: engine, seal: seal).add(to: &routes)
        ShareRoutes(
            engine: engine, hosts: configuration.hosts, addresses: configuration.addresses, tiles: configuration.tiles,
            now: now
        ).add(to: &routes)
        OGCRoutes(
            engine: engine, seal: seal, lexicon: configuration.lexicon, addresses: configuration.addresses,
            isOpen: keys == nil
        ).add(to: &routes)
        EventRoutes(engine: engine, rateLimits: rateLimits, tickets: authenticator.tickets, now: now).add(to: &routes)
        WebhookRoutes(engine: engine, seal: seal, rules: configuration.webhooks, dispatcher: webhooks).add(to: &routes)
        QueryRoutes(engine: engine, rateLimits: rateLimits, queryRoutes: routes.queryRoutes).add(to: &routes)
        PageRoutes(engine: engine, configuration: configuration).add(to: &routes)
        configuration.mapFile?.add(to: &routes)
        OpenAPIRoutes(of: routes.endpoints, isOpen: keys == nil).add(to: &routes)
        DatabaseCopyRoutes(engine: engine).add(to: &routes)
        (responder, endpoints) = (routes.responder, routes.endpoints)
    }

    /// Serves metrics and nothing else, without authentication, to clients on this machine.
    private var metricsResponder: RouteTable.Responder {
        var routes = RouteTable(
            hostCheck: HostCheck(names: [], others: AllowedOrigins(), address: Self.loopback, isSecure: false),
            authenticator: Authenticator(
                keys: nil, engine: engine,
                rateLimits: RateLimits(rates: Rates(), meters: engine.meters, monitor: engine.monitor),
                proxies: TrustedProxies()),
            seal: seal, ids: ids, limits: configuration.limits, meters: engine.meters, logger: logger,
            slowThreshold: configuration.slowThreshold, now: now)
        MetricRoutes(engine: engine).add(to: &routes)
        return routes.responder
    }

    private static let loopback = "127.0.0.1"

    /// All endpoints, in the order in which they were added.
    public let endpoints: [Endpoint]

    /// The description of the endpoints as JSON (OpenAPI 3.1).
    public var openAPI: String { String(decoding: OpenAPI(endpoints: endpoints).bytes, as: UTF8.self) }

    /// The name in log messages, because the default would dump all properties and take longer than the start.
    public var description: String { "server" }

    /// Serves until graceful shutdown, which lets requests in progress finish.
    public func run() async throws {
        let limits = configuration.limits
        let plain = paced(responder, ConnectionSlots(limits.connectionsOfAddress, proxies: configuration.proxies))
        let application = Application(
            responder: responder,
            server: try configuration.certificate.map { try .tls(plain, tlsConfiguration: $0.configuration) } ?? plain,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), backlog: Self.backlog,
                availableConnectionsDelegate: .maximum(limits.connections, logger: quiet)),
            onServerRunning: { channel in isListening(channel.localAddress?.port ?? configuration.port) },
            logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask { await cancelWhenGracefulShutdown { await engine.publishEvents() } }
            group.addTask { await cancelWhenGracefulShutdown { await webhooks.run() } }
            if configuration.metricsPort > 0 { group.addTask { try await serveMetrics() } }
            for try await _ in group {}
        }
    }

    /// Another program listens at the metrics port.
    public struct MetricsPortTaken: Error {}

    private func serveMetrics() async throws {
        do { try await metrics.run() } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw MetricsPortTaken()
        }
    }

    private var metrics: some ApplicationProtocol {
        let responder = metricsResponder
        return Application(
            responder: responder, server: paced(responder, ConnectionSlots(0, proxies: TrustedProxies())),
            configuration: ApplicationConfiguration(
                address: .hostname(Self.loopback, port: configuration.metricsPort),
                availableConnectionsDelegate: .maximum(Self.metricsConnections, logger: quiet)),
            onServerRunning: { [logger, configuration] _ in
                logger.info("metrics on http://\(Self.loopback):\(configuration.metricsPort)/metrics")
            },
            logger: quiet)
    }

    /// The length of the listen queue; a client beyond it retries after a second.
    ///
    /// The system may allow fewer.
    private static let backlog = 4096

    /// The most open connections to the metrics port.
    private static let metricsConnections = 10

    private func paced(_ prompt: RouteTable.Responder, _ places: ConnectionSlots) -> HTTPServerBuilder {
        let vital = Set(endpoints.filter { $0.description.work == .vital }.map(\.path))
        let loadShedder = LoadShedder(vital: vital, configuration.origins, engine.meters)
        let limits = configuration.limits
        let jobs = AllLoopJobs(maxJobs: limits.waitingAtLoop, maxWait: limits.reads.maxWait)
        return HTTPServerBuilder {
            [pace = configuration.pace, connections = engine.meters.gauge(.connections)] responder in
            PacedChannel(
                responder: responder, prompt: prompt, pace: pace, places: places, connections: connections, jobs: jobs,
                loadShedder: loadShedder)
        }
    }

    /// The framework's logger, which logs below warnings only for debugging.
    private var quiet: Logger {
        var quiet = logger
        if logger.logLevel > .debug { quiet.logLevel = max(logger.logLevel, .warning) }
        return quiet
    }
}
