internal import API
internal import ArgumentParser
internal import Configuration
internal import Discovery
internal import Foundation
internal import Logging
import Model
internal import NIOCore
internal import ServiceLifecycle
internal import Storage
internal import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the service.", discussion: Settings.help)

    @OptionGroup var place: DataOptions
    @Option(help: "The address to listen on.") var host: String?
    @Option(help: "The port to listen on; 0 picks a free one and prints it.") var port: Int?

    @Option(help: "Addresses and networks of proxies that are trusted to name clients, separated by commas.")
    var trustedProxies: String?

    @Option(help: "Servers of the replicated log, separated by commas.") var cluster: String?

    func run() async throws {
        var flags = place.flags
        flags["host"] = host.map { .string($0) }
        flags["port"] = port.map { .int($0) }
        flags["cluster.servers"] = cluster.map { .string($0) }
        flags["trusted_proxies"] = trustedProxies.map { .string($0) }
        let settings = try await place.settings(flags)
        let (server, rules, folder, longestLog) = try await Exit.configured { try Self.checked(settings) }
        let keys = try await Self.keys(settings)
        let logger = try await logger(settings)
        for name in Settings.unknownVariables { logger.warning("\(name) is not a key; see 'cerca serve --help'") }
        _ = OpenFiles.allowAll()
        let signals = StartupSignals()
        let startup = StartupListener(server)
        let (engine, after, before) = try await openNode(settings, folder, rules, startup, logger)
        await startup.close()
        signals.end()
        // Must come before anything that depends on the clock.
        do throws(StorageError) { try await engine.observe(clock: Clock.now(), elapsed: Clock.elapsed()) } catch {
            throw Exit.failing(error, folder)
        }
        let backups = try await Exit.configured { try Backups(settings, of: engine, logger) }
        let maintenance = Maintenance(engine: engine, longestLog: longestLog, logger: logger)
        let upkeep: [any Service] = before + [maintenance] + [backups].compactMap(\.self)
        try await serve(engine, keys, server, (after, upkeep), logger)
        let left: Int
        do throws(StorageError) { left = try await engine.close(compactingFor: .seconds(1)) } catch {
            throw Exit.failing(error, folder)
        }
        logger.info("stopped after \(engine.tally.commits) commits of \(engine.tally.commands) commands")
        if left > 0 { logger.info("\(left) positions wait in the ping log for compaction at the next start") }
    }

    /// The configuration of a service.
    ///
    /// - Throws: ``SettingsError`` or ``KeyFileError`` for settings with which no service may start.
    static func checked(_ settings: Settings) throws -> (Server.Configuration, PingRules, URL, Int) {
        var server = try settings.server
        let beyond = "host: '\(server.host)' can be reached from other machines, which needs"
        if !server.isLoopback, try settings.keyFiles == nil {
            throw SettingsError("\(beyond) keys: key_file or jwks_file; see 'cerca token --help'")
        }
        if !server.isLoopback, server.certificate == nil, try !settings.allowsCleartext {
            throw SettingsError(
                "\(beyond) TLS: tls.certificate and tls.key, or cleartext=yes behind a proxy that provides it")
        }
        _ = (try settings.backupInterval, try settings.keptBackups)
        let folder = try settings.dataFolder
        server.examine = { await Installation(of: settings, folder) }
        return (server, try settings.rules, folder, try settings.longestLog)
    }

    private static func keys(_ settings: Settings) async throws -> KeyRing? {
        guard let files = try settings.keyFiles else { return nil }
        return try await Exit.configured { try await KeyRing(files) }
    }

    private func logger(_ settings: Settings) async throws -> Logger {
        let (level, format) = try await Exit.configured { (try settings.logLevel, try settings.logFormat) }
        LoggingSystem.bootstrap(format.handler)
        var logger = Logger(label: "cerca")
        logger.logLevel = level
        return logger
    }

    private func serve(
        _ engine: Engine, _ keys: KeyRing?, _ configuration: Server.Configuration,
        _ others: (after: [any Service], before: [any Service]),
        _ logger: Logger
    ) async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        var announcer = logger
        announcer.logLevel = min(logger.logLevel, .info)
        let supervisor = Supervisor(of: engine, environment: ProcessInfo.processInfo.environment)
        let counts = engine.read { $0.counts }
        let server = Server(
            engine: engine, keys: keys, cursorSecret: try engine.store.secret(.cursor), configuration: configuration,
            logger: logger, now: { engine.noticing(clock: Clock.now(), elapsed: Clock.elapsed()) }
        ) { [announcer] port in
            let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
            let status = "listening on \(configuration.certificate == nil ? "http" : "https")://\(host):\(port)"
            announcer.info("\(status)")
            supervisor?.notify("READY=1\nSTATUS=\(status)")
            if keys == nil {
                logger.warning(
                    "open to every program on this machine: there are no keys, and callers count as trusted services")
            }
            let files = OpenFiles.most
            if files < configuration.limits.connections {
                logger.warning("only \(files) files can be open, fewer than limits.connections: see 'ulimit -n'")
            }
            logger.info("\(counts.people) people, \(counts.places) places, \(counts.products) products")
        }
        var services: [any Service] = others.after + [server] + others.before
        if let supervisor { services.append(supervisor) }
        if keys != nil || configuration.certificate != nil {
            services.append(Reload(keys: keys, certificate: configuration.certificate, logger: logger))
        }
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        group.maximumGracefulShutdownDuration = Duration.seconds(3)
        do { try await ServiceGroup(configuration: group).run() } catch { throw Self.failure(error, configuration) }
    }

    private static func failure(_ error: any Error, _ configuration: Server.Configuration) -> any Error {
        if let code = error as? ExitCode { return code }
        let (host, port) = (configuration.host, configuration.port)
        let reason =
            switch error {
            case let error as IOError where error.errnoCode == EADDRINUSE:
                "port \(port) of \(host) is taken; choose another with --port or CERCA_PORT"
            case is Server.MetricsPortTaken:
                "port \(configuration.metricsPort) is taken; choose another with metrics.port or CERCA_METRICS_PORT"
            default: "cannot serve on \(host):\(port): \(error)"
            }
        return Exit.failing(reason, Exit.unavailable)
    }
}
