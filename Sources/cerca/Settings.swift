internal import API
internal import Configuration
internal import Discovery
internal import Foundation
internal import Geo
internal import Interchange
internal import Logging
internal import SystemPackage

/// The configuration, from the command line, the environment and a file, in this order of precedence.
struct Settings {
    private let reader: ConfigReader

    /// - Parameters:
    ///   - file: a JSON file, or nil.
    ///   - flags: the values from the command line, by key.
    /// - Throws: ``SettingsError`` for a file that cannot be read or has an unknown key.
    init(file: String?, flags: [String: ConfigContent]) async throws {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "command line", values: Self.values(flags)),
            EnvironmentVariablesProvider().prefixKeys(with: "cerca"),
        ]
        if let file {
            try Self.checkNames(inFile: file)
            do { providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file))) } catch {
                throw SettingsError("\(file): \(error)")
            }
        }
        let standards = Dictionary(uniqueKeysWithValues: Self.keys.map { ($0.name, $0.standard) })
        providers.append(InMemoryProvider(name: "defaults", values: Self.values(standards)))
        reader = ConfigReader(providers: providers)
    }

    /// Environment variables that look like keys but are unknown, and are probably misspelled.
    static var unknownVariables: [String] {
        let known = Set(keys.map(\.variable) + [RunningService.tokenVariable])
        return ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("CERCA_") && !known.contains($0) }
            .sorted()
    }

    private static func values(_ contents: [String: ConfigContent]) -> [AbsoluteConfigKey: ConfigValue] {
        Dictionary(
            uniqueKeysWithValues: contents.map { name, content in
                (AbsoluteConfigKey(name.split(separator: ".").map(String.init)), ConfigValue(content, isSecret: false))
            })
    }

    /// Rejects unknown keys, which are probably misspelled.
    private static func checkNames(inFile file: String) throws {
        let known = Set(keys.map(\.name))
        func check(_ members: [String: JSON], _ prefix: String) throws {
            for (name, value) in members {
                if case .object(let inner) = value {
                    try check(inner, prefix + name + ".")
                } else if !known.contains(prefix + name) {
                    throw SettingsError("\(file): '\(prefix + name)' is not a key; see 'cerca serve --help'")
                }
            }
        }
        guard case .object(let members) = try json(ofFile: file) else {
            throw SettingsError("\(file): is not a JSON object")
        }
        try check(members, "")
    }

    private static func json(ofFile file: String) throws -> JSON {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            let isThere = FileManager.default.fileExists(atPath: file)
            throw SettingsError("\(file): \(isThere ? "cannot be read" : "does not exist")")
        }
        do throws(JSONText.Fault) { return try JSONText.value(of: bytes) } catch {
            throw SettingsError("\(file): is not JSON: it \(error.detail), in line \(error.line(in: bytes))")
        }
    }

    private func value<Value>(_ name: String, _ read: (ConfigKey) throws -> Value) throws -> Value {
        do { return try read(ConfigKey(name.split(separator: ".").map(String.init))) } catch {
            let key = Self.keys.first { $0.name == name }
            throw SettingsError(
                "\(name), or \(key?.variable ?? "") in the environment, is not \(key?.kind ?? "of its kind"): \(key?.help ?? "")"
            )
        }
    }

    func text(_ name: String) throws -> String { try value(name) { try reader.requiredString(forKey: $0) } }

    private func value<Number>(
        _ name: String, in range: ClosedRange<Number>, _ read: (ConfigKey) throws -> Number
    ) throws -> Number {
        let number = try value(name, read)
        guard range.contains(number) else {
            throw SettingsError("\(name): is \(number); must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func number(_ name: String, _ range: ClosedRange<Double>) throws -> Double {
        try value(name, in: range) { try reader.requiredDouble(forKey: $0) }
    }

    /// A length in meters; the maximum is beyond any distance on Earth.
    private func metres(_ name: String) throws -> Double { try number(name, 0...1e9) }

    func integer(_ name: String, _ range: ClosedRange<Int>) throws -> Int {
        try value(name, in: range) { try reader.requiredInt(forKey: $0) }
    }

    /// Maximum duration in seconds, a century.
    private static let longest = 3.2e9

    func seconds(_ name: String) throws -> Duration {
        .milliseconds(Int64((try number(name, 0...Self.longest) * 1000).rounded()))
    }

    var dataFolder: URL {
        get throws { URL(fileURLWithPath: try text("data"), isDirectory: true) }
    }

    var logLevel: Logger.Level {
        get throws {
            let name = try text("log_level")
            guard let level = Logger.Level(rawValue: name) else {
                throw SettingsError("log_level: '\(name)' is not a level")
            }
            return level
        }
    }

    var logFormat: LogFormat {
        get throws {
            let name = try text("log.format")
            guard let format = LogFormat(rawValue: name) else {
                throw SettingsError("log.format: '\(name)' is not auto, text or json")
            }
            return format
        }
    }

    var rules: PingRules {
        get throws {
            var rules = PingRules()
            rules.distance = try metres("throttle.distance_m")
            rules.interval = try seconds("throttle.interval_s")
            rules.stay = try seconds("throttle.stay_s")
            rules.liveDistance = try metres("live.beyond_m")
            rules.liveInterval = try seconds("live.interval_s")
            rules.minimumHintRadius = try metres("fences.floor_m")
            rules.minimumHintDuration = try seconds("fences.floor_s")
            rules.futureTolerance = try seconds("future_s")
            rules.maximumErrorRadius = try metres("accuracy_m")
            rules.coarseFixDelay = try seconds("patience_s")
            rules.maximumSpeed = try number("max_speed_mps", 1...1e9)
            rules.retention = try age("retention")
            if let kept = try age("events.retention") { rules.eventRetention = kept }
            rules.kindsOfPeople = PlaceKinds(try text("people_may_make"))
            rules.allowance.places = try integer("limits.person_places", 0...1_000_000)
            rules.allowance.comments = try integer("limits.person_comments", 0...1_000_000)
            rules.allowance.fenceCorners = try integer("limits.person_corners", 0...1_000_000)
            rules.allowance.events = try integer("limits.person_events", 0...1_000_000)
            return rules
        }
    }

    /// A duration as parsed by ``duration(_:)``; nil if it is not set.
    private func age(_ name: String) throws -> Duration? {
        let text = try text(name)
        guard !text.isEmpty else { return nil }
        guard let age = Self.duration(text) else {
            throw SettingsError("\(name): '\(text)' is not an age such as 90d, 12h or 30m, of up to a century")
        }
        return age
    }

    /// The interval of backups; nil for no backups.
    var backupInterval: Duration? {
        get throws { try age("backup.every") }
    }

    var keptBackups: Int {
        get throws { try integer("backup.keep", 1...10_000) }
    }

    var backupFolder: URL {
        get throws {
            let path = try text("backup.folder")
            return path.isEmpty
                ? try dataFolder.appending(path: "backups", directoryHint: .isDirectory)
                : URL(fileURLWithPath: path, isDirectory: true)
        }
    }

    /// A number with one of the units s, m, h, d, at most a century; nil for anything else.
    static func duration(_ text: String) -> Duration? {
        let seconds: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let scale = text.last.flatMap({ seconds[$0] }), let number = text.dropLast().decimalNumber, number > 0,
            number * scale <= longest
        else { return nil }
        return .milliseconds(Int64(number * scale * 1000))
    }

    /// Maximum size of the write-ahead log, in bytes.
    var longestLog: Int {
        get throws { try integer("limits.wal_bytes", 1 << 20...1 << 44) }
    }

    var server: Server.Configuration {
        get throws {
            var server = Server.Configuration(host: try text("host"), port: try integer("port", 0...65_535))
            server.hosts = try hosts
            server.publicURL = try publicURL
            server.origins = try origins
            server.limits.body = try integer("limits.body_bytes", 1024...1 << 32)
            server.limits.bodyOfPerson = try integer("limits.person_body_bytes", 1024...1 << 32)
            server.limits.importBody = try integer("limits.import_bytes", 1024...1 << 44)
            server.limits.batch = try integer("limits.batch", 1...1_000_000)
            server.limits.queries = try integer("limits.queries", 1...1_000_000)
            server.limits.answers = try integer("limits.answer_bytes", 1024...1 << 32)
            server.limits.vertices = try integer("limits.vertices", 4...10_000_000)
            server.limits.radius = try metres("limits.radius_m")
            server.rates = try rates
            server.limits.documentOfPerson = try integer("limits.document_bytes", 1024...1 << 30)
            server.certificate = try certificate
            server.proxies = try proxies
            server.webhooks = try webhooks
            server.limits.connections = try integer("limits.connections", 1...1_000_000)
            server.limits.connectionsOfAddress = try integer("limits.address_connections", 0...1_000_000)
            try setRooms(&server.limits)
            server.limits.streams = try integer("limits.streams", 1...100_000)
            server.limits.streamsOfPerson = try integer("limits.person_streams", 1...100_000)
            server.limits.readers = try integer("limits.readers", 1...100_000)
            server.limits.readersOfPerson = try integer("limits.person_readers", 1...100_000)
            server.longestLag = try seconds("cluster.lag_s")
            server.lexicon = try lexicon
            server.slowThreshold = .milliseconds(try integer("log.slow_ms", 1...86_400_000))
            server.metricsPort = try integer("metrics.port", 0...65_535)
            server.leaflet = URL(fileURLWithPath: try text("leaflet"), isDirectory: true)
            server.qrcode = URL(fileURLWithPath: try text("qrcode"), isDirectory: true)
            try setMap(&server)
            server.limits.scan = try integer("limits.scan", 100...Int(Int32.max))
            return server
        }
    }

    private var hosts: Set<String> {
        get throws {
            let names = try text("hosts").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            for name in names where !name.allSatisfy({ $0.isLetter || $0.isNumber || ".-_:".contains($0) }) {
                throw SettingsError("hosts: '\(name)' is not a name such as cerca.example")
            }
            return Set(names)
        }
    }

    private var publicURL: PublicURL? {
        get throws {
            let text = try text("public_url")
            guard !text.isEmpty else { return nil }
            guard let url = PublicURL(text) else {
                throw SettingsError("public_url: '\(text)' is not a URL such as https://cerca.example")
            }
            return url
        }
    }

    private func setRooms(_ limits: inout Limits) throws {
        let reads = try integer("limits.reads", 0...100_000)
        if reads > 0 { limits.reads.atOnce = reads }
        limits.writes.atOnce = try integer("limits.writes", 1...100_000)
        limits.long.atOnce = try integer("limits.long", 1...100_000)
        let waiting = try integer("limits.waiting", 0...1_000_000)
        let maxWait = Duration.milliseconds(try integer("limits.wait_ms", 1...60_000))
        for room in [\Limits.reads, \.writes, \.long] {
            limits[keyPath: room].waiting = waiting
            limits[keyPath: room].maxWait = maxWait
        }
        limits.long.maxWait = maxWait * 20
    }
}

struct SettingsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
