import API
import AsyncHTTPClient
import Cities
import Discovery
import Foundation
import Geo
import Logging
import Model
import NIOCore
import NIOHTTP1
import Storage
import Synchronization
import TestSupport
import Testing
import Webhooks

/// Ends a hang; no wait of a test takes longer, even on a machine with a tenth of the speed.
let hangLimit = TimeAmount.seconds(600)

/// The HTTP client of all tests, whose time limits only end hangs; a refused connection is an error at once.
let testClient: HTTPClient = {
    var configuration = HTTPClient.Configuration.singletonConfiguration
    configuration.timeout.connect = hangLimit
    configuration.timeout.read = hangLimit
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
}()

/// A real server on a real socket with its own database.
struct TestServer: Sendable {
    let base: String
    let folder: URL
    let store: Store
    let engine: Engine
    /// The names of all endpoints.
    let endpoints: [String]
    /// The parameters of the queries of endpoints, by the endpoints' names.
    let parameters: [String: [String]]
    /// The description of the answers.
    let described: Described

    struct Reply: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: String

        /// ``text`` of a report without the summary of columns, which dry runs have.
        var withoutColumns: String { text.replacing(#/"columns":\[.*?\],(?="(?:refused|pruned)":)/#, with: "") }

        /// Status and body without parts that differ between runs.
        var text: String {
            "\(status) \(body)".replacing(#/"instance":"urn:cerca:request:[0-9a-f]+"/#, with: #""instance":"…""#)
                .replacing(#/"cursor":"[-_A-Za-z0-9]+"/#, with: #""cursor":"…""#)
                .replacing(#/"id":"[-_A-Za-z0-9]{22}"/#, with: #""id":"…""#)
                .replacing(#/"id":\d+,"type"/#, with: #""id":…,"type""#)
                .replacing(#/http:\/\/127\.0\.0\.1:\d+\/v1\/tiles/#, with: "http://…/v1/tiles")
                .replacing(#/"ticket":"[-_A-Za-z0-9]{43}"/#, with: #""ticket":"…""#)
                .replacing(#/http:\/\/127\.0\.0\.1:\d+(?=\/(?:ogc|docs)\b)/#, with: "…")
                .replacing(#/"url":"\/s\/[-_A-Za-z0-9]{43}"/#, with: #""url":"/s/…""#)
                .replacing(#/"token":"cercadevice[-_.A-Za-z0-9]+"/#, with: #""token":"…""#)
        }
    }

    /// Sends a request such as `GET /livez`.
    @discardableResult
    func send(
        _ line: String, _ body: String? = nil, type: String = "application/json", headers: [String: String] = [:]
    ) async throws -> Reply {
        try await send(line, bytes: body.map { Data($0.utf8) }, type: type, headers: headers)
    }

    /// Sends a request with a binary body.
    func send(
        _ line: String, bytes body: Data?, type: String = "application/json", headers: [String: String] = [:]
    ) async throws -> Reply {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        var request = HTTPClientRequest(url: base + parts[1])
        request.method = HTTPMethod(rawValue: parts[0])
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let body {
            request.body = .bytes(ByteBuffer(bytes: body))
            if headers["content-type"] == nil, !type.isEmpty { request.headers.add(name: "content-type", value: type) }
        }
        let response = try await testClient.execute(request, timeout: hangLimit)
        let body = String(buffer: try await response.body.collect(upTo: 64 << 20))
        // Answers without a defense are not described.
        if engine.defences.hidesBlocks,
            let fault = described.fault(
                parts[0], parts[1], Int(response.status.code),
                body.isEmpty ? nil : response.headers.first(name: "content-type"), body)
        {
            Issue.record("\(fault)")
        }
        return Reply(status: Int(response.status.code), headers: response.headers, body: body)
    }

    /// Makes discoverable adults who show friends their exact places, at a time.
    func add(_ names: [String], at time: Timestamp = morning) async throws {
        let persons = try names.map { name in
            var person = Person(id: try ID(name))
            person.name = name.capitalized
            person.born = CalendarDate(year: 1996, month: 5, day: 1)
            person.isDiscoverable = true
            person.sharing = Sharing(.exact)
            return Write(person)
        }
        try await engine.perform(PutPeople(persons), by: .service, at: time)
    }

    /// Makes such people with their positions.
    func add(_ people: [(String, Coordinate?)]) async throws {
        try await add(people.map(\.0))
        let pings = try people.compactMap { name, place in
            try place.map { PingReport(person: try ID(name), time: morning - .seconds(600), place: $0) }
        }
        try await engine.perform(Record(pings), by: .service, at: morning)
    }
}

extension FriendAttribute {
    /// All attributes, each with a valid text.
    static let samples = allCases.map { (name: $0.rawValue, text: $0.words?.last?.rawValue ?? "z\($0.rawValue)") }
}

/// A logger that reports only failures.
let quietLogger: Logger = {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
}()

func withServer(
    _ configure: (inout Server.Configuration) -> Void = { _ in }, keys: KeyRing? = nil, logger: Logger = quietLogger,
    rules: PingRules = PingRules(),
    monitor: WorkMonitor? = nil, log: (any ActionLog)? = nil, secret: UInt8? = nil,
    now: @escaping @Sendable () -> Timestamp = { morning },
    _ body: (TestServer) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try migrate(folder, secret: secret)
    let store = try Store(folder: folder, maxReadDuration: .seconds(600), monitor: monitor)
    let engine = try Engine(store: store, gazetteer: gazetteer, rules: rules, log: log)
    var configuration = Server.Configuration(port: 0)
    // No time limit of the service is reached on a slow machine. Tests of limits set their own.
    configuration.pace.head = .seconds(600)
    configuration.pace.idle = .seconds(600)
    configuration.pace.bodyLag = .seconds(600)
    configuration.pace.stallTimeout = .seconds(600)
    configuration.slowThreshold = .seconds(600)
    configuration.limits.reads.maxWait = .seconds(600)
    configuration.limits.writes.maxWait = .seconds(600)
    configuration.limits.long.maxWait = .seconds(600)
    configuration.limits.words.maxWait = .seconds(600)
    configuration.limits.listPause = .milliseconds(100)
    configuration.webhooks.timeout = .seconds(600)
    configure(&configuration)
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let server = Server(
        engine: engine, keys: keys, cursorSecret: try store.secret(.cursor), configuration: configuration,
        logger: logger,
        now: now, isListening: { listening.yield($0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run() }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        do {
            try await body(
                TestServer(
                    base: "http://127.0.0.1:\(port)", folder: folder, store: store, engine: engine,
                    endpoints: server.endpoints.map(\.name),
                    parameters: Dictionary(server.endpoints.map { ($0.name, $0.parameters) }) { one, _ in one },
                    described: .read { server.openAPI }))
        } catch {
            group.cancelAll()
            throw error
        }
        group.cancelAll()
    }
    try store.close()
}

/// A row of a table of requests and the answers expected.
struct Exchange: Sendable {
    var request: String
    var body: String?
    var answer: String

    init(_ request: String, _ body: String? = nil, _ answer: String) {
        self.request = request
        self.body = body
        self.answer = answer
    }
}

/// Sends the requests one after the other and compares each answer exactly.
func expect(_ exchanges: [Exchange], of server: TestServer, sourceLocation: SourceLocation = #_sourceLocation)
    async throws
{
    for exchange in exchanges {
        let reply = try await server.send(exchange.request, exchange.body)
        #expect(reply.text == exchange.answer, "\(exchange.request)", sourceLocation: sourceLocation)
    }
}
