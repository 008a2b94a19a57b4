internal import API
internal import AsyncHTTPClient
internal import CSpatiaLite
internal import Crypto
internal import Foundation
internal import Model
internal import NIOCore
internal import NIOHTTP1

/// Plays recordings: the real program on an empty folder, with a clock that shows what the recording says and secrets that are
/// always the same, gets one request after the other.
struct ReplayPlayer {
    /// The library that lies beside this program and lets another one see the time that a file says.
    private static let clock = RunningService.executable.deletingLastPathComponent().appending(path: "libStillClock.so")
    /// Headers that say nothing of an answer, or how it was sent.
    private static let unsaid: Set = [
        "date", "content-length", "connection", "transfer-encoding", "keep-alive", "x-request-id",
    ]

    private let folder: URL
    private let program: URL
    private let http: HTTPClient
    /// What is put into later requests, by its name there.
    private var known: [String: String] = [:]
    private var tokens: [String: String] = [:]

    /// A player of a program, which leaves everything in a folder.
    init(program: URL, folder: URL, http: HTTPClient) throws {
        guard FileManager.default.fileExists(atPath: Self.clock.path) else {
            throw MeasurementError("there is no \(Self.clock.path): swift build --product StillClock")
        }
        self.program = program
        self.folder = folder
        self.http = http
        _ = try RunningService.run("token", "--new-key", keys.path, program: program)
    }

    private var data: URL { folder.appending(path: "data") }
    private var keys: URL { folder.appending(path: "keys.json") }
    private var time: URL { folder.appending(path: "clock") }

    /// Sends all requests of a recording.
    ///
    /// - Returns: the answers, without what differs from run to run.
    mutating func play(_ recording: ReplayRecording) async throws -> [String] {
        var answers: [String] = []
        for (number, session) in recording.sessions.enumerated() {
            try set(session.start)
            if number == 0 {
                try start().stop()
                try fixSecrets()
            }
            let service = try start()
            for (number, exchange) in session.exchanges.enumerated() {
                try set(session.start + ReplaySession.step * (number + 1))
                answers.append(try await answer(to: exchange.request, of: service.base, at: session.start))
            }
            try service.stop()
        }
        return answers
    }

    // MARK: - The service

    private func start() throws -> RunningService {
        let rates = ["PERSON", "SERVICE", "ADDRESS"].map { ("CERCA_LIMITS_\($0)_RATE", "0") }
        let environment = [
            "CERCA_KEY_FILE": keys.path, "LD_PRELOAD": Self.clock.path, "STILL_CLOCK_FILE": time.path,
        ]
        return try RunningService(
            data: data, program: program, environment: environment.merging(rates) { $1 })
    }

    /// Lets the clock of the service show a time, by writing over what is in the file.
    private func set(_ now: Timestamp) throws {
        let bytes = withUnsafeBytes(of: now.milliseconds) { Data($0) }
        if !FileManager.default.fileExists(atPath: time.path) { try bytes.write(to: time) }
        let file = try FileHandle(forUpdating: time)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    /// Replaces what was drawn when the database was made: it decides the order of strangers and where zones lie.
    private func fixSecrets() throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        let sql = "UPDATE secrets SET value = CAST(substr(name || hex(zeroblob(32)), 1, 32) AS BLOB)"
        guard sqlite3_open(data.appending(path: "cerca.sqlite").path, &database) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else { throw MeasurementError("no secrets could be replaced: \(String(cString: sqlite3_errmsg(database)))") }
    }

    // MARK: - Requests

    private mutating func answer(to request: String, of base: String, at start: Timestamp) async throws -> String {
        let message = try ReplayMessage(complete(request))
        let headers = message.headers + (try await proof(of: message.caller, at: start))
        let (response, body) = try await http.send(
            HTTPMethod(rawValue: message.method), base + message.path, headers: headers,
            message.body.map { ByteBuffer(string: $0) }, patience: .seconds(60))
        learn(response, body, from: message)
        let head = response.headers.filter { !Self.unsaid.contains($0.name.lowercased()) }
            .map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        let text = (["\(response.status.code)"] + head + (body.isEmpty ? [] : ["", body])).joined(separator: "\n")
        return masked(text)
    }

    /// Puts in what stands in braces because it is another one each time.
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

    /// The headers by which somebody proves who they are.
    private mutating func proof(of caller: String, at start: Timestamp) async throws -> [(name: String, value: String)]
    {
        let parts = caller.split(separator: ":").map(String.init)
        switch parts[0] {
        case "nobody": return []
        case "nonsense": return [("authorization", "Bearer nonsense")]
        case "phone": return [("authorization", "Bearer \(tokens[caller] ?? "none")")]
        default:
            let scope = parts[0] == "service" ? Scope.service : .person
            if tokens[parts[0]] == nil {
                tokens[parts[0]] = try await SigningKey(path: keys.path).token(
                    for: try ID(parts[0]), scope, from: start, for: .seconds(30 * 86_400))
            }
            return [("authorization", "Bearer \(tokens[parts[0]] ?? "")")]
                + (parts.count > 1 ? [("cerca-acting-as", parts[1])] : [])
        }
    }

    /// Takes note of what an answer gives for later requests.
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

    /// Takes out what differs from run to run, and nothing else: cursors are sealed with a nonce, requests, tokens and what
    /// nobody named have ids that are drawn by chance, and people know events by numbers of their own.
    private func masked(_ text: String) -> String {
        let text = text.replacing(#/"instance":"urn:cerca:request:[0-9a-f]+"/#, with: #""instance":"…""#)
            .replacing(#/"cursor":"[-_A-Za-z0-9]+"/#, with: #""cursor":"…""#)
            .replacing(#/cursor=[-_A-Za-z0-9]+>; rel="next"/#, with: #"cursor=…>; rel="next""#)
            .replacing(#/"id":"[-_A-Za-z0-9]{22}"/#, with: #""id":"…""#)
            .replacing(#/"id":\d+,"type"/#, with: #""id":…,"type""#)
            .replacing(#/"secret":"whsec_[^"]+"/#, with: #""secret":"…""#)
            .replacing(#/"token":"cercadevice[-_.A-Za-z0-9]+"/#, with: #""token":"…""#)
        return known["made"].map { text.replacing($0, with: "…") } ?? text
    }
}

/// Answers as they stand in a recording.
enum ReplayAnswer {
    private static let longest = 600, shown = 300

    /// The answer, of which a long one is only begun and then told by its hash.
    static func shortened(_ text: String) -> String {
        guard text.utf8.count > longest else { return text }
        let hash = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
        return "\(text.prefix(shown))\n… \(text.utf8.count) bytes, SHA-256 \(hash)"
    }

    /// Whether an answer is the recorded one, which may have been shortened.
    static func isSame(_ answer: String, as recorded: String) -> Bool {
        answer == recorded || shortened(answer) == recorded
    }

    /// Both answers from a little before the first difference on.
    static func difference(_ recorded: String, _ answer: String) -> String {
        let same = zip(recorded, answer).prefix { $0 == $1 }.count
        func part(_ text: String) -> String {
            (same > 60 ? "…" : "") + text.dropFirst(max(0, same - 60)).prefix(200).replacing("\n", with: " ⏎ ")
        }
        return "  was: \(part(recorded))\n  is:  \(part(answer))"
    }
}
