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

/// The HTTP interface as a service: it answers from the live picture until it is told to stop.
public struct Server: Service, CustomStringConvertible {
    /// Where and for whom the server listens.
    public struct Configuration: Sendable {
        /// The address to listen on.
        public var host: String
        /// The port to listen on; 0 for any free one.
        public var port: Int
        /// Further names by which the server is reached.
        public var hosts: Set<String> = []
        /// The origins of other web pages that may call.
        public var origins = AllowedOrigins()
        /// What one request may ask at most, and how many may ask.
        public var limits = Limits()
        /// How long is waited for clients.
        public var pace = Pace()
        /// How many requests callers may send.
        public var rates = Rates()
        /// The proxies that are believed when they say where requests come from.
        public var proxies = TrustedProxies()
        /// What the server proves itself with; nil to speak without TLS.
        public var certificate: Certificate?
        /// The port of 127.0.0.1 at which whoever asks is told the metrics, beside services at ``port``; 0 for none.
        public var metricsPort = 0
        /// An answer that takes longer to begin is in the log at `warning`.
        public var patience = Duration.seconds(1)
        /// The folder with the files of Leaflet, which the page at `/` draws its map with.
        public var leaflet = URL(fileURLWithPath: "/usr/share/javascript/leaflet", isDirectory: true)
        /// What webhooks may reach.
        public var webhooks = WebhookRules()
        /// For how long what is known may be old before the server says that it is not ready, where a log is followed.
        public var longestLag = Duration.seconds(5)
        /// The words that imports are normalised with.
        public var lexicon = Lexicon()

        /// Where to listen, with the standard limits and no further names.
        public init(host: String = "127.0.0.1", port: Int = 8080) {
            self.host = host
            self.port = port
        }

        fileprivate var hostCheck: HostCheck {
            HostCheck(names: hosts, others: origins, address: host, isSecure: certificate != nil)
        }

        /// Whether only this machine can reach the address: `localhost`, `::1`, or an IPv4 address in 127.0.0.0/8.
        public var isLoopback: Bool {
            host == "localhost" || host == "::1" || !host.contains(":") && IPAddress(host)?.bytes.first == 127
        }
    }

    private let configuration: Configuration
    private let live: Live
    private let post: WebhookPost
    private let seal: CursorSeal
    private let ids: KeyedIDs
    private let responder: RouteTable.Responder
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let isListening: @Sendable (_ port: Int) -> Void

    /// - Parameters:
    ///   - live: what is asked and changed.
    ///   - keys: what callers' tokens are verified with; nil takes every caller for a trusted service.
    ///   - cursorSecret: 32 bytes that seal cursors and positions in a log, and key ids.
    ///   - configuration: where to listen, and the limits.
    ///   - logger: told of requests, starts, stops and failures.
    ///   - now: the clock, which is read once for each request.
    ///   - isListening: told the port when the server can be reached.
    public init(
        live: Live, keys: KeyRing?, cursorSecret: [UInt8], configuration: Configuration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp, isListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) {
        (self.live, self.configuration, self.logger, self.now) = (live, configuration, logger, now)
        (self.isListening, ids) = (isListening, KeyedIDs(secret: cursorSecret))
        post = WebhookPost(live: live, rules: configuration.webhooks, logger: logger, now: now)
        seal = CursorSeal(secret: cursorSecret, isSealed: live.defences.sealsCursors)
        let rateLimits = RateLimits(rates: configuration.rates, meters: live.meters, gauge: live.gauge)
        let authenticator = Authenticator(
            keys: keys, live: live, rateLimits: rateLimits, proxies: configuration.proxies)
        var routes = RouteTable(
            hostCheck: configuration.hostCheck, authenticator: authenticator, seal: seal, ids: ids,
            limits: configuration.limits, meters: live.meters, logger: logger, patience: configuration.patience,
            now: now)
        HealthRoutes(live: live, longestLag: configuration.longestLag).add(to: &routes)
        MetricRoutes(live: live).add(to: &routes)
        PingRoutes(live: live, seal: seal).add(to: &routes)
        PhoneRoutes(live: live, logger: logger).add(to: &routes)
        HistoryRoutes(live: live, seal: seal).add(to: &routes)
        PeopleRoutes(live: live).add(to: &routes)
        PeopleSearchRoutes(live: live, seal: seal).add(to: &routes)
        NearestPeopleRoutes(live: live, seal: seal).add(to: &routes)
        DeviceRoutes(live: live).add(to: &routes)
        GroupRoutes(live: live, seal: seal).add(to: &routes)
        PersonExportRoutes(live: live).add(to: &routes)
        FriendRoutes(live: live, seal: seal).add(to: &routes)
        TimeTravelRoutes(live: live, seal: seal).add(to: &routes)
        StrangerRoutes(live: live, seal: seal).add(to: &routes)
        PlaceRoutes(live: live, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        PlaceListRoutes(live: live, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        CommentRoutes(live: live, seal: seal).add(to: &routes)
        FavouriteRoutes(live: live, seal: seal).add(to: &routes)
        ProductRoutes(live: live, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        StoreRoutes(live: live, seal: seal, lexicon: configuration.lexicon).add(to: &routes)
        CityRoutes(live: live).add(to: &routes)
        ImportRoutes(live: live, lexicon: configuration.lexicon, now: now).add(to: &routes)
        TrackRoutes(live: live, now: now).add(to: &routes)
        ExportRoutes(live: live).add(to: &routes)
        FenceRoutes(live: live, seal: seal).add(to: &routes)
        ShareRoutes(live: live, hosts: configuration.hosts, now: now).add(to: &routes)
        EventRoutes(live: live, rateLimits: rateLimits, tickets: authenticator.tickets, now: now).add(to: &routes)
        WebhookRoutes(live: live, seal: seal, rules: configuration.webhooks, post: post).add(to: &routes)
        QueryRoutes(live: live, rateLimits: rateLimits, questions: routes.questions).add(to: &routes)
        PageRoutes(live: live, leaflet: configuration.leaflet).add(to: &routes)
        OpenAPIRoutes(of: routes.endpoints).add(to: &routes)
        CopyRoutes(live: live).add(to: &routes)
        (responder, endpoints) = (routes.responder, routes.endpoints)
    }

    /// Answers what asks for metrics, and nothing else, to everybody on this machine.
    private var metricsResponder: RouteTable.Responder {
        var routes = RouteTable(
            hostCheck: HostCheck(names: [], others: AllowedOrigins(), address: Self.loopback, isSecure: false),
            authenticator: Authenticator(
                keys: nil, live: live,
                rateLimits: RateLimits(rates: Rates(), meters: live.meters, gauge: live.gauge),
                proxies: TrustedProxies()),
            seal: seal, ids: ids, limits: configuration.limits, meters: live.meters, logger: logger,
            patience: configuration.patience, now: now)
        MetricRoutes(live: live).add(to: &routes)
        return routes.responder
    }

    private static let loopback = "127.0.0.1"

    /// All that can be asked for, in the order in which it was added.
    public let endpoints: [Endpoint]

    /// What they take and answer, as a document in JSON (OpenAPI 3.1).
    public var openAPI: String { String(decoding: OpenAPI(endpoints: endpoints).bytes, as: UTF8.self) }

    /// What messages call it: who starts it would name all that is in it otherwise, which takes longer than the start.
    public var description: String { "server" }

    /// Serves until graceful shutdown, which lets requests under way finish.
    public func run() async throws {
        let limits = configuration.limits
        let plain = paced(responder, AddressPlaces(limits.connectionsOfAddress, proxies: configuration.proxies))
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
            group.addTask { await cancelWhenGracefulShutdown { await live.herald() } }
            group.addTask { await cancelWhenGracefulShutdown { await post.run() } }
            if configuration.metricsPort > 0 { group.addTask { try await metrics.run() } }
            for try await _ in group {}
        }
    }

    private var metrics: some ApplicationProtocol {
        let responder = metricsResponder
        return Application(
            responder: responder, server: paced(responder, AddressPlaces(0, proxies: TrustedProxies())),
            configuration: ApplicationConfiguration(
                address: .hostname(Self.loopback, port: configuration.metricsPort),
                availableConnectionsDelegate: .maximum(Self.metricsConnections, logger: quiet)),
            onServerRunning: { [logger, configuration] _ in
                logger.info("metrics on http://\(Self.loopback):\(configuration.metricsPort)/metrics")
            },
            logger: quiet)
    }

    /// The connections that wait to be accepted; one more is tried again after a second.
    ///
    /// The system may allow fewer.
    private static let backlog = 4096

    /// The connections to the port of metrics that are open at the same time.
    private static let metricsConnections = 10

    private func paced(_ prompt: RouteTable.Responder, _ places: AddressPlaces) -> HTTPServerBuilder {
        let vital = Set(endpoints.filter { $0.description.work == .vital }.map(\.path))
        let door = Door(vital: vital, configuration.origins, live.meters)
        let limits = configuration.limits
        let jobs = AllLoopJobs(most: limits.waitingAtLoop, patience: limits.reads.patience)
        return HTTPServerBuilder {
            [pace = configuration.pace, connections = live.meters.gauge(.connections)] responder in
            PacedChannel(
                responder: responder, prompt: prompt, pace: pace, places: places, connections: connections, jobs: jobs,
                door: door)
        }
    }

    /// What the framework tells beside faults is for whoever looks for some.
    private var quiet: Logger {
        var quiet = logger
        if logger.logLevel > .debug { quiet.logLevel = max(logger.logLevel, .warning) }
        return quiet
    }
}
