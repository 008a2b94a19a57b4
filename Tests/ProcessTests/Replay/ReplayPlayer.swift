import API
import AsyncHTTPClient
import Foundation
import GRDB
import Model
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Sends the requests of recordings, one after the other, to a program that starts with an empty folder.
///
/// The program's clock shows the times of the recording, and its secrets are always the same.
struct ReplayPlayer {
    /// Headers that depend on the run or the transport.
    private static let omittedHeaders: Set = [
        "date", "content-length", "connection", "transfer-encoding", "keep-alive", "x-request-id",
    ]

    private let folder: URL
    private let program: URL
    private let clock: StillClock
    private let http: HTTPClient
    /// Values from answers for later requests, by their names there.
    private var known: [String: String] = [:]
    private var tokens: [String: String] = [:]

    private init(program: URL, folder: URL, clock: StillClock, http: HTTPClient) throws {
        self.program = program
        self.folder = folder
        self.clock = clock
        self.http = http
        let result = try Program.runAll(["token", "--new-key", keys.path], of: program)
        guard result.code == 0 else { throw Service.Failure("no key: \(result.errors)") }
    }

    private var data: URL { folder.appending(path: "data") }
    private var keys: URL { folder.appending(path: "keys.json") }

    /// Sends all requests of a recording to a program.
    ///
    /// - Returns: the answers, without the parts that differ from run to run.
    static func answers(to recording: ReplayRecording, of program: URL) async throws -> [String] {
        var configuration = HTTPClient.Configuration()
        configuration.decompression = .enabled(limit: .none)
        var answers: [String] = []
        try await withDiskFolder { disk in
            try await withFolder { folder in
                let clock = try StillClock(compiledIn: disk, keptIn: folder)
                answers = try await HTTPClient.withHTTPClient(configuration: configuration) { http in
                    var player = try ReplayPlayer(program: program, folder: folder, clock: clock, http: http)
                    return try await player.play(recording)
                }
            }
        }
        return answers
    }

    private mutating func play(_ recording: ReplayRecording) async throws -> [String] {
        var answers: [String] = []
        for (number, session) in recording.sessions.enumerated() {
            try clock.set(session.start)
            if number == 0 {
                let service = try await start()
                try stop(service)
                try fixSecrets()
            }
            let service = try await start()
            do {
                for (number, exchange) in session.exchanges.enumerated() {
                    try clock.set(session.start + ReplaySession.step * (number + 1))
                    answers.append(try await answer(to: exchange.request, of: service.base, at: session.start))
                }
            } catch {
                service.kill()
                throw error
            }
            try stop(service)
        }
        return answers
    }

    // MARK: - The service

    private func start() async throws -> Service {
        var environment = clock.environment
        environment["CERCA_KEY_FILE"] = keys.path
        for caller in ["PERSON", "SERVICE", "ADDRESS"] { environment["CERCA_LIMITS_\(caller)_RATE"] = "0" }
        // The shell runs this program instead of the one that was built with the tests.
        environment["REPLAYED_PROGRAM"] = program.path
        let service = try await Service(
            data: data, environment: environment, after: #"exec "$REPLAYED_PROGRAM" "$@""#)
        // The loader only warns if it cannot load the clock.
        guard !service.logText.contains("LD_PRELOAD") else {
            service.kill()
            throw Service.Failure(service.logText)
        }
        return service
    }

    private func stop(_ service: Service) throws {
        let code = service.stop()
        guard code == 0 else { throw Service.Failure("the service ended with \(code): \(service.logText)") }
    }

    /// Replaces the random secrets of the database.
    ///
    /// The order of strangers and the positions of zones depend on them.
    private func fixSecrets() throws {
        let database = try openDatabase(data.appending(path: "cerca.sqlite"))
        try database.write { db in
            try db.execute(sql: "UPDATE secrets SET value = CAST(substr(name || hex(zeroblob(32)), 1, 32) AS BLOB)")
        }
        try database.close()
    }

    // MARK: - Requests

    private mutating func answer(to text: String, of base: String, at start: Timestamp) async throws -> String {
        let message = try ReplayMessage(complete(text))
        var request = HTTPClientRequest(url: base + message.path)
        request.method = HTTPMethod(rawValue: message.method)
        for (name, value) in message.headers + (try await credentials(of: message.caller, at: start)) {
            request.headers.add(name: name, value: value)
        }
        if let body = message.body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await http.execute(request, timeout: TimeAmount(hangLimit))
        let body = String(buffer: try await response.body.collect(upTo: 256 << 20))
        learn(response, body, from: message)
        let head = response.headers.filter { !Self.omittedHeaders.contains($0.name.lowercased()) }
            .map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        return masked((["\(response.status.code)"] + head + (body.isEmpty ? [] : ["", body])).joined(separator: "\n"))
    }

    /// Replaces the names in braces whose values differ from run to run.
    private func complete(_ request: String) throws -> String {
        var text = request
        for name in ["cursor", "etag", "made"] { text = text.replacing("{\(name)}", with: known[name] ?? "none") }
        for (caller, token) in tokens where caller.hasPrefix("phone:") {
            let person = caller.dropFirst("phone:".count)
            text = text.replacing("{token:\(person)}", with: token)
                .replacing("{basic:\(person)}", with: Data("\(person):\(token)".utf8).base64EncodedString())
        }
        return text
    }

    /// The headers that authenticate a caller.
    private mutating func credentials(
        of caller: String, at start: Timestamp
    ) async throws -> [(name: String, value: String)] {
        let parts = caller.split(separator: ":").map(String.init)
        switch parts[0] {
        case "nobody": return []
        case "nonsense": return [("authorization", "Bearer nonsense")]
        case "phone": return [("authorization", "Bearer \(tokens[caller] ?? "none")")]
        default:
            let scope = parts[0] == "service" ? Scope.service : .person
            if tokens[parts[0]] == nil {
                tokens[parts[0]] = try await SigningKey(path: keys.path).token(
                    for: PersonID(parts[0]), scope, from: start, for: .seconds(30 * 86_400))
            }
            return [("authorization", "Bearer \(tokens[parts[0]] ?? "")")]
                + (parts.count > 1 ? [("cerca-acting-as", parts[1])] : [])
        }
    }

    /// Records values of an answer for later requests.
    private mutating func learn(_ response: HTTPClientResponse, _ body: String, from request: ReplayMessage) {
        if let tag = response.headers.first(name: "etag") { known["etag"] = tag }
        known["cursor"] = body.firstMatch(of: #/"cursor":"([^"]+)"/#).map { String($0.1) }
        guard request.method == "POST" else { return }
        if let id = body.prefixMatch(of: #/\{"id":"([-_A-Za-z0-9]{22})"/#)?.1 { known["made"] = String(id) }
        if let made = body.prefixMatch(of: #/\{"id":"phone","token":"([^"]+)"/#)?.1,
            let person = request.path.split(separator: "/").dropFirst(2).first
        {
            tokens["phone:\(person)"] = String(made)
        }
    }

    /// Removes the parts that differ from run to run, and no others.
    ///
    /// Cursors are sealed with a nonce. Absolute links have the port. Requests, tokens and things without a given id have random ids. Each person has
    /// other numbers of events.
    private func masked(_ text: String) -> String {
        let text = text.replacing(#/"instance":"urn:cerca:request:[0-9a-f]+"/#, with: #""instance":"…""#)
            .replacing(#/"cursor":"[-_A-Za-z0-9]+"/#, with: #""cursor":"…""#)
            .replacing(#/cursor=[-_A-Za-z0-9]+(?=[>"])/#, with: "cursor=…")
            .replacing(#/http:\/\/127\.0\.0\.1:\d+/#, with: "…")
            .replacing(#/"id":"[-_A-Za-z0-9]{22}"/#, with: #""id":"…""#)
            .replacing(#/"id":\d+,"type"/#, with: #""id":…,"type""#)
            .replacing(#/"secret":"whsec_[^"]+"/#, with: #""secret":"…""#)
            .replacing(#/"token":"cercadevice[-_.A-Za-z0-9]+"/#, with: #""token":"…""#)
        return known["made"].map { text.replacing($0, with: "…") } ?? text
    }
}
