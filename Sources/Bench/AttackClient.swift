internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The name and token of a caller, as a line of two words.
struct SiegeCaller {
    let name: String
    let token: String

    var line: String { "\(name) \(token)" }
}

extension SiegeCaller {
    init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2 else { return nil }
        self.init(name: words[0], token: words[1])
    }
}

/// An attacker or a measured caller, with a token and counts of the responses.
final class AttackClient: Sendable {
    let name: String
    let token: String
    let base: String
    private let http: HTTPClient
    private let answers = Mutex<[Int: Int]>([:])
    private let steps = Atomic(0)
    /// Bodies not accepted by the service yet, by client.
    private let bodies = Mutex<[Int: ByteBuffer]>([:])
    /// Connections held open.
    let sockets = Mutex<[SiegeSocket]>([])

    init(_ caller: SiegeCaller, _ base: String) {
        (name, token) = (caller.name, caller.token)
        self.base = base
        http = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: .init(connections: 64))
    }

    func close() async throws { try await http.shutdown() }

    /// A number that increases with each call.
    func next() -> Int { steps.add(1, ordering: .relaxed).newValue }

    /// The number of responses by status.
    var reported: String {
        answers.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }.joined(separator: ", ")
    }

    /// Sends a request whose body is expensive to make, and reuses a rejected body, to save the CPU time of making it
    /// again.
    func send(_ line: String, as client: Int, _ body: () -> String) async {
        let bytes = bodies.withLock { bodies in
            if let made = bodies[client] { return made }
            let made = ByteBuffer(string: body())
            bodies[client] = made
            return made
        }
        let reply = await send(line, bytes)
        if reply.status == 200 { _ = bodies.withLock { $0.removeValue(forKey: client) } }
    }

    /// Sends a request and waits for the response, at most 30 s.
    @discardableResult
    func send(_ line: String, _ body: String, type: String = "application/json") async -> (status: Int, body: String) {
        await send(line, ByteBuffer(string: body), type: type)
    }

    /// Sends a request and waits for the response, at most 30 s.
    @discardableResult
    func send(
        _ line: String, _ body: ByteBuffer? = nil, type: String = "application/json", keepingAlive: Bool = true
    ) async -> (status: Int, body: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        var headers = [(name: "authorization", value: "Bearer \(token)")]
        if !keepingAlive { headers.append(("connection", "close")) }
        if body != nil { headers.append(("content-type", type)) }
        do {
            let (response, said) = try await http.send(
                HTTPMethod(rawValue: words[0]), base + words[1], headers: headers, body)
            answers.withLock { $0[Int(response.status.code), default: 0] += 1 }
            return (Int(response.status.code), said)
        } catch {
            if !Task.isCancelled { answers.withLock { $0[0, default: 0] += 1 } }
            return (0, "\(error)")
        }
    }

    /// Sends a position that can be stored, 600 m and 130 s from the previous one.
    func walk() async {
        let step = next()
        await send(
            "POST /v1/pings",
            #"{"person":"\#(name)","t":\#(1_500_000_000 + step * 130),"lat":\#(short(Double(step % 10_000) * 0.005_4, 6)),"lon":2}"#
        )
    }

    func search() async {
        await send("GET /v1/places/nearest?lat=39.47&lon=-0.376&limit=10&fields=id,distance_m", keepingAlive: false)
    }
    /// The work units of the writer's longest batch since the start of the service, from its metrics.
    func longestTurn() async throws -> String {
        let (status, metrics) = await send("GET /metrics")
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("cerca_longest_turn_steps ") }
        guard let steps = line?.split(separator: " ").last else {
            throw MeasurementError("/metrics: \(status) without the longest turn")
        }
        return String(steps)
    }
}
