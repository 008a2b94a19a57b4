import API
import CercaClient
import Foundation
import Model
import Synchronization
import TestSupport
import Testing

/// Retries when a service refuses a request or the connection breaks.
@Suite(.timeLimit(.minutes(60))) struct ClientRetryTests {
    private static let busy = """
        HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nx-request-id: r7\r\nconnection: close\r\n\
        content-type: application/problem+json\r\ncontent-length: 48\r\n\r\n{"code":"overloaded","detail":"Ask again later"}
        """

    private static func ok(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static let ana = ok(#"{"id":"ana","name":"Ana"}"#)

    @Test("An idempotent request is repeated when the service asks for it") func retryAfter() async throws {
        try await ScriptedServer.run([Self.busy, Self.ana]) { server in
            let person = try await CercaClient(url: server.url).person("ana")
            #expect(person.name == "Ana")
            #expect(server.times.count == 2)
            #expect(server.times[0].duration(to: server.times[1]) >= .seconds(1), "not before it was told to")
        }
    }

    @Test("An error names its request without the query, which may contain a place")
    func errorsHoldNoQuery() async throws {
        try await ScriptedServer.run([Self.busy]) { server in
            let cerca = CercaClient(url: server.url, retries: .init(longest: .milliseconds(900)))
            let error = await #expect(throws: CercaError.self) {
                try await cerca.nearestPeople(lat: 39.47, lon: -0.376, withinM: 5000).first()
            }
            #expect(error?.request == "GET /v1/people/nearest")
        }
    }

    @Test("A request on a broken connection is repeated") func brokenConnection() async throws {
        try await ScriptedServer.run([String(Self.ana.dropLast(3)), "", Self.ana]) { server in
            let cerca = CercaClient(url: server.url, retries: .init(first: .milliseconds(1)))
            let person = try await cerca.person("ana")
            #expect(person.name == "Ana" && server.heads.count == 3)
        }
    }

    @Test("The number of attempts is bounded") func attempts() async throws {
        try await ScriptedServer.run([]) { server in
            let cerca = CercaClient(url: server.url, retries: .init(most: 3, first: .milliseconds(1)))
            let error = await #expect(throws: CercaError.self) { try await cerca.person("ana") }
            #expect(error?.status == nil && error?.isTransient == true)
            #expect(server.heads.count == 3)
        }
    }

    @Test("A requested wait that is too long is an error at once") func longWait() async throws {
        try await ScriptedServer.run([Self.busy, Self.ana]) { server in
            let cerca = CercaClient(url: server.url, retries: .init(longest: .milliseconds(900)))
            let error = await #expect(throws: CercaError.self) { try await cerca.person("ana") }
            #expect(error?.status == 503 && error?.code == "overloaded" && error?.detail == "Ask again later")
            #expect(error?.requestID == "r7" && error?.retryAfter == .seconds(1))
            #expect(server.heads.count == 1)
        }
    }

    @Test("A request that is not idempotent is sent once", arguments: [CercaClient.Request.Method.POST, .PATCH])
    func nonidempotent(method: CercaClient.Request.Method) async throws {
        try await ScriptedServer.run([Self.busy, Self.ana]) { server in
            let request = CercaClient.Request(method, "/v1/groups/team", #"{"name":"Team"}"#)
            let error = await #expect(throws: CercaError.self) { try await CercaClient(url: server.url).send(request) }
            #expect(error?.status == 503)
            #expect(server.heads.count == 1)
        }
    }

    @Test("Pings are repeated") func pings() async throws {
        let report = Self.ok(#"{"stored":1,"throttled":0,"verdicts":["stored"]}"#)
        try await ScriptedServer.run([Self.busy, report]) { server in
            let cerca = CercaClient(url: server.url)
            let report = try await cerca.send([CercaClient.Ping(person: "ana", lat: 1, lon: 2)])
            #expect(report.stored == 1 && server.heads.count == 2)
        }
    }

    /// The real service refuses a person who sends too many requests.
    @Test("The client waits for the rate limit of a service") func rateLimit() async throws {
        // The clock stands still until a request is refused, so that a slow machine sends enough requests in time.
        let start = Mutex<ContinuousClock.Instant?>(nil)
        try await withKeys {
            $0.rates.person = Rate(perSecond: 2, saved: .milliseconds(500))
            $0.rates.address.perSecond = 0
        } now: {
            morning + (start.withLock(\.self).map { $0.duration(to: .now) } ?? .zero)
        } _: { server, keys, _ in
            try await server.add([("ana", nil)])
            let token = keys.person("ana")
            let impatient = try client(of: server, token: token, retries: .none)
            var refused: CercaError?
            for _ in 0..<5 {
                do { _ = try await impatient.person("ana") } catch let error as CercaError { refused = error }
            }
            #expect(refused?.status == 429 && refused?.code == "too_many_requests")
            #expect(refused?.retryAfter == .seconds(1))
            start.withLock { $0 = .now }
            let patient = try client(of: server, token: token)
            for _ in 0..<4 { #expect(try await patient.person("ana").name == "Ana") }
        }
    }

    @Test("No error or description contains the token") func tokens() async throws {
        let token = "secret-of-ana"
        try await withKeys { server, _, _ in
            let cerca = try client(of: server, token: token, retries: .none)
            let nowhere = CercaClient(
                url: try #require(URL(string: "http://127.0.0.1:1")), token: token, retries: .none)
            var texts = ["\(cerca)", String(reflecting: cerca)]
            for client in [cerca, nowhere] {
                let error = await #expect(throws: CercaError.self) { try await client.person("ana") }
                texts += ["\(try #require(error))", String(reflecting: error)]
            }
            #expect(texts[2].contains("401 invalid_token"), "\(texts[2])")
            #expect(texts.allSatisfy { !$0.contains(token) }, "\(texts)")
        }
    }
}

/// A client of a test server.
func client(of server: TestServer, token: String? = nil, retries: CercaClient.Retries = .init()) throws -> CercaClient {
    CercaClient(url: try #require(URL(string: server.base)), token: token, retries: retries)
}
