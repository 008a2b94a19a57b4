import API
import Discovery
import Foundation
import Geo
import Laws
import Model
import Synchronization
import TestSupport
import Testing

/// A clock that moves only when it is advanced.
final class SteppedClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ start: Timestamp = morning) { time = Mutex(start) }

    var now: Timestamp { time.withLock { $0 } }

    func advance(_ seconds: Int) { time.withLock { $0 = $0 + .seconds(seconds) } }
}

/// Four neighborhoods with equal numbers of victims, and attackers with ordinary accounts.
struct AttackScene: Sendable {
    struct Victim: Sendable {
        var id: String
        var place: Coordinate
        /// The center of the neighborhood, which the attacker knows.
        var middle: Coordinate
    }

    /// In a city, at 180°, in the far north and on the equator.
    static let middles = [(39.47, -0.376), (-17.8, 179.97), (69.65, 18.96), (-0.2, -78.5)]
    /// Half the side of a neighborhood, in meters.
    static let reach = 6000.0
    /// The number of victims, a multiple of four; the everyday run has the first ones of the full run.
    static let crowd = RandomCases.count(20, all: 100)

    let server: TestServer
    let keys: TestKeys
    let clock: SteppedClock
    let victims: [Victim]
    let middles: [Coordinate]
    private let tokens = Tokens()

    /// Makes the victims of a seed, and a server with some defenses turned off.
    static func run(
        seed: UInt64 = 1, _ change: (inout Defences) -> Void = { _ in }, count: Int = AttackScene.crowd,
        place: @escaping (inout SeededGenerator, Coordinate) -> Coordinate = { random, middle in
            scattered(&random, middle)
        },
        _ body: (AttackScene) async throws -> Void
    ) async throws {
        var rules = PingRules()
        // The attacks are on the finest level, which is all that is promised.
        rules.defences.coarsens = false
        change(&rules.defences)
        var random = SeededGenerator(seed: seed)
        let middles = try Self.middles.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
        let victims = (0..<count).map { number in
            Victim(
                id: "victim\(number)", place: place(&random, middles[number % 4]), middle: middles[number % 4])
        }
        let clock = SteppedClock()
        try await withKeys(rules: rules, now: { clock.now }) { server, keys, _ in
            try await server.add(victims.map { ($0.id, $0.place) })
            try await body(
                AttackScene(server: server, keys: keys, clock: clock, victims: victims, middles: middles))
        }
    }

    static func scattered(_ random: inout SeededGenerator, _ middle: Coordinate) -> Coordinate {
        Trilateration.shifted(middle, random.number(-reach..<reach), random.number(-reach..<reach))
    }

    /// Makes people as `add` does, who are discoverable adults without other data.
    func join(_ names: [String]) async throws { try await server.add(names.map { ($0, nil) }) }

    func token(_ person: String) -> String {
        tokens.byPerson.withLock { tokens in
            if let token = tokens[person] { return token }
            let token = keys.own(#""sub":"\#(person)","scope":"person""#, exp: TestKeys.now + 400 * 86_400)
            tokens[person] = token
            return token
        }
    }

    /// Sends an attacker's position with a fix time.
    @discardableResult
    func ping(_ attacker: String, at place: Coordinate, fixed: Timestamp? = nil) async throws -> Bool {
        let time = (fixed ?? clock.now).milliseconds
        let body =
            #"{"person":"\#(attacker)","t":\#(time),"lat":\#(place.latitude),"lon":\#(place.longitude),"accuracy_m":5}"#
        let reply = try await server.send("POST /v1/pings", body, token: token(attacker))
        return reply.body.contains(#""verdicts":["stored"]"#)
    }

    struct Seen: Sendable {
        var id: String
        var kilometres: Int
    }

    /// Returns all strangers that an attacker sees, in order.
    func look(_ attacker: String, _ query: String = "") async throws -> [Seen] {
        var seen: [Seen] = []
        var cursor = ""
        repeat {
            let reply = try await server.send(
                "GET /v1/people/\(attacker)/discovery?limit=100&fields=id,distance\(query)\(cursor)",
                token: token(attacker))
            try #require(reply.status == 200, "\(reply.text)")
            let json = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any]
            for item in json?["items"] as? [[String: String]] ?? [] {
                guard let id = item["id"], let distance = item["distance"],
                    let bucket = Int(distance.filter(\.isNumber))
                else { continue }
                seen.append(Seen(id: id, kilometres: bucket))
            }
            cursor = (json?["cursor"] as? String).map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        return seen
    }

    /// Runs `body` for all neighborhoods concurrently.
    func inEachPlace<Result: Sendable>(
        _ body: @escaping @Sendable (_ number: Int, _ middle: Coordinate) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            for (number, middle) in middles.enumerated() {
                group.addTask { (number, try await body(number, middle)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// The better of two findings from the clues, with and without the assumption that places are cells.
    func finding(_ clues: [String: [Clue]], within metres: Double = 9000) -> Finding {
        let cells = Finding(
            victims.map { (Trilateration.cell(clues[$0.id] ?? [], around: $0.middle, within: metres), $0.place) })
        let points = Finding(
            victims.map { (Trilateration.point(clues[$0.id] ?? [], around: $0.middle, within: metres), $0.place) })
        return cells.median < points.median ? cells : points
    }
}

/// A cache of tokens, because signing one for each request would take longer than the request.
private final class Tokens: Sendable { let byPerson = Mutex<[String: String]>([:]) }

/// Prints the result of an attack, with whether it is within the bounds.
func state(_ attack: String, _ finding: Finding) { print("attack \(attack): \(finding)") }
