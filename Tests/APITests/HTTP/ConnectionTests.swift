import API
import Discovery
import Foundation
import Testing

/// Clients that keep the service waiting: each is given up after a while, and in the meantime blocks no other.
@Suite(.timeLimit(.minutes(60))) struct ConnectionTests {
    /// A server that waits for clients no longer than a test may, except as `configure` specifies.
    private func withImpatience(
        _ configure: (inout ConnectionTimeouts) -> Void, _ body: (TestServer) async throws -> Void
    ) async throws {
        try await withServer(
            {
                $0.pace.lingeringClose = .milliseconds(50)
                configure(&$0.pace)
            }, body)
    }

    private func head(_ line: String, _ framing: String = "") -> String {
        "\(line) HTTP/1.1\r\nhost: localhost\r\n\(framing)\r\n"
    }

    /// The answers on a connection, each as its status and its `connection: close`, if any.
    private func statuses(_ answers: String) -> [String] {
        answers.matches(of: #/HTTP/1\.1 (\d+) [^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/#).map { match in
            "\(match.1)\(match.2.lowercased().contains("connection: close") ? " close" : "")"
        }
    }

    /// Returns the answer to a text on a new connection, and retries without one.
    ///
    /// On a slow machine the text may arrive after the time limit of a head, which ends the connection without an
    /// answer.
    private func answer(to text: String, _ server: TestServer) async throws -> String {
        while true {
            try Task.checkCancellation()
            let socket = try Socket(server)
            try? socket.send(text)
            let answer = try await socket.receive()
            if !answer.isEmpty { return answer }
        }
    }

    @Test("Heads have a time limit", arguments: ["", "GE", "GET /livez HTTP/1.1\r\nhost: localhost\r\nx: y"])
    func missingHead(beginning: String) async throws {
        try await withImpatience {
            $0.head = .milliseconds(500)
        } _: { server in
            let answer =
                beginning.isEmpty ? try await Socket(server).receive() : try await answer(to: beginning, server)
            #expect(statuses(answer) == (beginning.isEmpty ? [] : ["408 close"]))
            #expect(beginning.isEmpty || answer.lowercased().contains(RequestIdTests.header), "\(answer)")
        }
    }

    @Test("A connection is kept between requests for a limited time") func idleConnection() async throws {
        try await withImpatience {
            $0.idle = .milliseconds(50)
        } _: { server in
            let socket = try Socket(server)
            try socket.send(head("GET /livez") + head("GET /livez"))
            #expect(statuses(try await socket.receive()) == ["200", "200"])
        }
    }

    @Test("Bodies have a time limit", arguments: ["content-length: 1000000\r\n", "transfer-encoding: chunked\r\n"])
    func missingBody(framing: String) async throws {
        try await withImpatience {
            $0.bodyLag = .milliseconds(50)
        } _: { server in
            let socket = try Socket(server)
            try socket.send(head("PUT /v1/people/ana", "content-type: application/json\r\n" + framing))
            let answer = try await socket.receive()
            #expect(statuses(answer) == ["408 close"])
            #expect(answer.contains(#""code":"too_slow""#))
        }
    }

    /// Each byte is sent after the one before was read, so there is always something new, but too little.
    @Test("A body that arrives byte by byte has a time limit too") func slowBody() async throws {
        try await withImpatience {
            $0.bodyLag = .seconds(1)
            $0.bodyRate = 1_000_000
        } _: { server in
            let socket = try Socket(server)
            let type = "content-type: application/json\r\ncontent-length: 100000000\r\n"
            try socket.send(head("POST /v1/imports/people", type.replacing("json", with: "x-ndjson")))
            let sender = Task.detached {
                while !Task.isCancelled, (try? socket.send(" ")) != nil { await Task.yield() }
            }
            let answer = try await socket.receive()
            sender.cancel()
            #expect(statuses(answer) == ["408 close"])
        }
    }

    @Test("A fast start of a body allows no longer silence") func fastThenSilent() async throws {
        try await withImpatience {
            $0.bodyLag = .milliseconds(500)
            $0.bodyRate = 1
        } _: { server in
            let socket = try Socket(server)
            let framing = "content-type: application/x-ndjson\r\nexpect: 100-continue\r\ncontent-length: 100000\r\n"
            try socket.send(head("POST /v1/imports/people", framing))
            let invitation = "HTTP/1.1 100 Continue\r\n\r\n"
            #expect(try await socket.receive(atMost: invitation.utf8.count) == invitation)
            // On a slow machine the service may have hung up already.
            try? socket.send(String(repeating: " ", count: 10_000))
            #expect(statuses(try await socket.receive()) == ["408 close"])
        }
    }

    @Test("A body that is fast enough may take any time") func steadyBody() async throws {
        try await withServer { server in
            let socket = try Socket(server)
            let rows = (0..<3000).map { "{\"id\":\"p\($0)\"}\n" }
            let length = rows.joined().utf8.count
            try socket.send(
                head("POST /v1/imports/people", "content-type: application/x-ndjson\r\ncontent-length: \(length)\r\n"))
            for row in rows { try await socket.sendAll(row) }
            socket.endSending()
            #expect(statuses(try await socket.receive()) == ["200"])
            #expect(server.engine.read { $0.counts.people } == 3000)
        }
    }

    @Test("A client that is refused before its body does not hold the connection") func refusedBody() async throws {
        try await withKeys { configuration in
            configuration.pace.lingeringClose = .milliseconds(50)
        } _: { server, _, _ in
            let socket = try Socket(server)
            // On a slow machine the service may hang up before all is sent.
            try? socket.send(
                head("POST /v1/pings", "content-type: application/json\r\ncontent-length: 1000000\r\n")
                    + String(repeating: " ", count: 100_000))
            #expect(statuses(try await socket.receive()) == ["401 close"])
        }
    }

    @Test("A client that stays after the last answer is disconnected") func lingeringClient() async throws {
        try await withImpatience { _ in
        } _: { server in
            let socket = try Socket(server)
            try socket.send(head("GET /livez", "connection: close\r\n"))
            #expect(statuses(try await socket.receive()) == ["200 close"])
            while !Task.isCancelled, (try? socket.send(" ")) != nil { await Task.yield() }
            try Task.checkCancellation()
        }
    }

    @Test("A short body of a refused request is skipped") func skippedBody() async throws {
        try await withKeys { configuration in
            configuration.pace.lingeringClose = .seconds(600)
        } _: { server, _, _ in
            let socket = try Socket(server)
            let refused = head("POST /v1/pings", "content-type: application/json\r\ncontent-length: 2\r\n")
            try socket.send(refused)
            #expect(statuses(try await socket.receive(until: "}")) == ["401"])
            try socket.send("{}" + head("GET /livez", "connection: close\r\n"))
            #expect(statuses(try await socket.receive()) == ["200 close"])
        }
    }

    @Test("The body after a refused expectation is not read as a request") func expectation() async throws {
        try await withKeys { server, _, _ in
            let socket = try Socket(server)
            let body = head("DELETE /v1/people/ana")
            let framing = "content-type: application/json\r\nexpect: nothing\r\ncontent-length: \(body.utf8.count)\r\n"
            try socket.send(head("POST /v1/pings", framing))
            #expect(statuses(try await socket.receive(until: "}")) == ["401 close"])
            try? socket.send(body)
            #expect(try await socket.receive() == "")
        }
    }

    @Test("Pipelined requests are all answered, in order") func pipelining() async throws {
        try await withServer { server in
            let socket = try Socket(server)
            let requests = (0..<2000).map { number in
                let body = "{\"name\":\"\(number)\"}"
                let framing = "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n"
                return head("PUT /v1/people/p\(number % 7)", framing) + body + head("GET /v1/people/p\(number % 7)")
            }
            async let sending: Void = socket.sendAll(
                requests.joined() + head("GET /livez", "connection: close\r\n"))
            let answers = try await socket.receive()
            try await sending
            #expect(statuses(answers).count == 4001)
            let names = answers.matches(of: /"name":"(\d+)"/).compactMap { Int($0.1) }
            #expect(names == (0..<2000).flatMap { [$0, $0] })
        }
    }

    @Test("An answer that a client does not read is kept for a limited time") func unreadAnswer() async throws {
        try await withImpatience {
            $0.stallTimeout = .milliseconds(50)
        } _: { server in
            let rows = (0..<500).map { "{\"id\":\"p\($0)\",\"about\":\"\(String(repeating: "x", count: 4000))\"}\n" }
                .joined()
            #expect(try await server.send("POST /v1/imports/people", rows, type: "application/x-ndjson").status == 200)
            let socket = try Socket(server, window: 4096)
            for _ in 0..<20 { try? socket.send(head("GET /v1/exports/people", "accept: application/x-ndjson\r\n")) }
            // Reads nothing until the service has disconnected, which the kernel shows without a read.
            try await socket.untilReset()
        }
    }

    @Test("Slow readers are not cut off", arguments: [false, true]) func slowReader(isFollowed: Bool) async throws {
        try await withImpatience {
            $0.idle = .milliseconds(500)
            $0.head = .milliseconds(500)
        } _: { server in
            let text = String(repeating: "x", count: 2000)
            let attributes = (0..<60).map { "\"a\($0)\":\"\(text)\"" }.joined(separator: ",")
            let place = #"{"kind":"topic","name":"W","attributes":{\#(attributes)}}"#
            // On a slow machine the head may come too late.
            while await (try? server.send("PUT /v1/places/wide", place)) == nil { try Task.checkCancellation() }
            let query = #"{"queries":[\#(Array(repeating: #"{"place":"wide"}"#, count: 150).joined(separator: ","))]}"#
            let framing = "content-type: application/json\r\ncontent-length: \(query.utf8.count)\r\n"
            var socket: Socket
            repeat {
                try Task.checkCancellation()
                socket = try Socket(server, window: 1 << 16)
                try? socket.send(head("POST /v1/query", framing) + query + (isFollowed ? head("GET /livez") : ""))
            } while try await socket.receive(atMost: 1) != "H"
            // Clients that became silent later than this one are given up before it resumes reading.
            for _ in 0..<3 { #expect(try await Socket(server).receive() == "") }
            let answer = try await socket.receive()
            #expect(answer.utf8.count > 150 * 60 * 2000)
            #expect(answer.hasSuffix("]}") != isFollowed)
            #expect(statuses(String(answer.suffix(1000))) == (isFollowed ? ["200"] : []))
        }
    }

    @Test(
        "The last answer has `connection: close` and ends the connection",
        arguments: [
            "GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: Close",
            "GET /livez HTTP/1.1\r\nhost: localhost\r\nConnection: TE, CLOSE",
            "GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk",
            "CONNECT localhost:80 HTTP/1.1\r\nhost: localhost:80",
        ])
    func lastAnswer(request: String) async throws {
        try await withImpatience {
            $0.idle = .milliseconds(500)
            $0.head = .milliseconds(500)
        } _: { server in
            let answers = statuses(try await answer(to: head("GET /livez") + request + "\r\n\r\n", server))
            #expect(answers == ["200", request.hasPrefix("GET") ? "200 close" : "404 close"])
        }
    }

    @Test("An HTTP/1.0 answer ends with the connection", arguments: ["/livez", "/v1/exports/people"])
    func http10(path: String) async throws {
        try await withImpatience {
            $0.idle = .milliseconds(500)
        } _: { server in
            try await server.add(["ana", "luis"])
            let whole = try await server.send("GET \(path)", headers: ["accept-encoding": "identity"])
            let socket = try Socket(server)
            try socket.send(head("GET \(path)") + "GET \(path) HTTP/1.0\r\nhost: localhost\r\n\r\n")
            let answers = try await socket.receive().components(separatedBy: "HTTP/1.0 ")
            #expect(answers.count == 2 && answers[0].hasPrefix("HTTP/1.1 200"))
            let parts = try #require(answers.last).components(separatedBy: "\r\n\r\n")
            #expect(parts[0].hasPrefix("200") && parts[0].lowercased().contains("connection: close"))
            #expect(!parts[0].lowercased().contains("transfer-encoding"))
            #expect(parts.count == 2 && parts[1] == whole.body)
        }
    }

    @Test("Connections per address are limited, except for a trusted proxy") func connectionsOfAddress() async throws {
        for isTrusted in [false, true] {
            try await withServer { configuration in
                configuration.limits.connectionsOfAddress = 2
                if isTrusted { configuration.proxies = (try? TrustedProxies("127.0.0.1")) ?? TrustedProxies() }
            } _: { server in
                func isServed(_ socket: Socket) async throws -> Bool {
                    try? socket.send(head("GET /livez"))
                    return try await socket.receive(until: "}").hasPrefix("HTTP/1.1 200")
                }
                var sockets = try (0..<2).map { _ in try Socket(server) }
                for socket in sockets { #expect(try await isServed(socket)) }
                #expect(try await isServed(try Socket(server)) == isTrusted)
                sockets.removeLast().endSending()
                var isFree = false
                while !isFree { isFree = try await isServed(try Socket(server)) }
                withExtendedLifetime(sockets) {}
            }
        }
    }
}
