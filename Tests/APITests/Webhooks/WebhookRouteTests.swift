import API
import Foundation
import Glibc
import NIOHTTP1
import Synchronization
import TestSupport
import Testing
import Webhooks

/// Webhooks over HTTP, and the addresses that they can reach.
@Suite(.timeLimit(.minutes(60))) struct WebhookRouteTests {
    private static let kept = """
        "types":["friend.asked","friend.made","match.made","group.invited","group.joined","group.left",\
        "comment.created","comment.changed","comment.deleted","fence.enter","fence.exit","fence.dwell",\
        "fence.silent","fence.asked","near.enter","near.exit","share.opened","share.ended","events.limited"]
        """

    @Test("A webhook is returned as it was written, and its secret once") func roundTrip() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let body = #"{"url":"https://hooks.example/cerca","person":"ana","fence":"depot"}"#
            let made = try await server.send("PUT /v1/webhooks/h", body)
            let document =
                #"{"id":"h","url":"https://hooks.example/cerca",\#(Self.kept),"person":"ana","fence":"depot","ordered":true"#
            let secret = try #require(made.body.firstMatch(of: #/,"secret":"whsec_([A-Za-z0-9+/]{43}=)"}$/#))
            #expect(made.status == 201 && made.body.hasPrefix(document), "\(made.body)")
            #expect(Data(base64Encoded: String(secret.1))?.count == 32)
            let reported = try await server.send("GET /v1/webhooks/h")
            #expect(reported.body == document + "}" && reported.headers["etag"] == made.headers["etag"])
            #expect(try await server.send("GET /v1/webhooks").body == #"{"items":[\#(reported.body)]}"#)
            let again = try await server.send("PUT /v1/webhooks/h", reported.body)
            #expect(again.status == 200 && again.body == reported.body && again.headers["etag"] == made.headers["etag"])
            let rotated = try await server.send("POST /v1/webhooks/h/rotate")
            #expect(rotated.status == 200 && !rotated.body.contains(secret.1), "\(rotated.body)")
            #expect(rotated.body.hasSuffix(#","former_until":"2026-11-21T10:00:00Z"}"#), "\(rotated.body)")
            #expect(try await server.send("DELETE /v1/webhooks/h").status == 204)
            for request in [
                "GET /v1/webhooks/h", "DELETE /v1/webhooks/h", "POST /v1/webhooks/h/rotate", "POST /v1/webhooks/h/test",
                "POST /v1/webhooks/h/redeliver?from=1", "GET /v1/webhooks/h/deliveries",
            ] { #expect(try await server.send(request).body.contains("There is no webhook 'h'."), "\(request)") }
        }
    }

    @Test(
        "A fault is reported with its pointer",
        arguments: [
            (#"{}"#, "/url"), (#"{"url":"hooks.example"}"#, "/url"), (#"{"url":"ftp://hooks.example/"}"#, "/url"),
            (#"{"url":"http://hooks.example/"}"#, "/url"), (#"{"url":"https://a:b@hooks.example/"}"#, "/url"),
            (#"{"url":"https://hooks.example/#x"}"#, "/url"), (#"{"url":"https://hooks.example/ x"}"#, "/url"),
            (#"{"url":"https://hooks.example:0/"}"#, "/url"), (#"{"url":"https://ho%6Fks.exam%2Fple/"}"#, "/url"),
            (#"{"url":"https://[fe80::1%25eth0]/"}"#, "/url"), (#"{"url":"https://[fe80::1%eth0]/"}"#, "/url"),
            (#"{"url":"https://hooks.example/","types":["ping"]}"#, "/types"),
            (#"{"url":"https://hooks.example/","types":[]}"#, "/types"),
            (#"{"url":"https://hooks.example/","place":"a","group":"b"}"#, "/place"),
            (#"{"url":"https://hooks.example/","ordered":1}"#, "/ordered"),
            (#"{"url":"https://hooks.example/","secret":"whsec_x"}"#, "/secret"),
            (#"{"url":"https://hooks.example/","disabled":"yes"}"#, "/disabled"),
        ])
    func pointers(body: String, pointer: String) async throws {
        try await withServer { server in
            let reply = try await server.send("PUT /v1/webhooks/h", body)
            #expect(reply.status == 400 && reply.body.contains(#""pointer":"\#(pointer)""#), "\(reply.body)")
        }
    }

    /// Addresses that are not on the internet, in every notation.
    @Test("Addresses that are not on the internet are refused") func privateAddresses() async throws {
        try await withServer { server in
            for host in [
                "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1",
                "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
                "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "[::]",
                "[::1]", "[::ffff:127.0.0.1]", "[::ffff:8.8.8.8]", "[::7f00:1]", "[64:ff9b::7f00:1]",
                "[64:ff9b:1::1]", "[fe80::1]", "[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[2001::1]",
                "[2001:db8::1]", "[2002:7f00:1::]", "[3fff::1]", "[100::1]", "[fec0::1]",
            ] {
                let reply = try await server.send("PUT /v1/webhooks/h", #"{"url":"https://\#(host)/"}"#)
                #expect(
                    reply.status == 400 && reply.body.contains("not the address of a host on the internet"),
                    "\(host): \(reply.body)")
            }
            for host in ["8.8.8.8", "100.128.0.1", "172.32.0.1", "192.0.1.1", "[2606:4700::1111]", "[2a00::1]"] {
                #expect(
                    try await server.send("PUT /v1/webhooks/h", #"{"url":"https://\#(host)/"}"#).status < 300, "\(host)"
                )
            }
        }
    }

    /// Names of such addresses, which the lookup reveals.
    @Test(
        "No name leads to an address that is not on the internet",
        arguments: ["localhost", "127.1", "2130706433", "0x7f.1", "017700000001"])
    func namesOfPrivateAddresses(name: String) async throws {
        try await withServer { server in
            #expect(try await server.send("PUT /v1/webhooks/h", #"{"url":"https://\#(name):1/"}"#).status == 201)
            let reply = try await server.send("POST /v1/webhooks/h/test")
            #expect(
                reply.body.contains(#""error":"the name resolves to an address that is not on the internet""#),
                "\(reply.body)")
            let seen = try await server.send("GET /v1/webhooks/h/deliveries").body
            #expect(seen.contains(#""type":"test""#) && seen.contains(#""taken":false"#), "\(seen)")
        }
    }

    /// None of several addresses may be internal, even if another one is tried first.
    @Test("No name hides an internal address behind another") func severalAddresses() async throws {
        let addresses = [
            "a.example": ["8.8.8.8", "127.0.0.1"], "b.example": ["127.0.0.1"],
            "c.example": ["8.8.8.8", "::ffff:10.0.0.1"],
        ]
        try await withServer {
            $0.webhooks.names = { addresses[$0] ?? [] }
        } _: { server in
            for name in addresses.keys {
                try await server.send("PUT /v1/webhooks/h", #"{"url":"https://\#(name)/"}"#)
                let reply = try await server.send("POST /v1/webhooks/h/test")
                #expect(reply.body.contains("an address that is not on the internet"), "\(reply.body)")
            }
        }
    }

    /// A name server whose answers change is not queried a second time.
    @Test("The connection goes to the checked address") func checkedAddress() async throws {
        let (checked, real) = (try Listener("127.0.0.2"), try Listener("127.0.0.1"))
        defer { for listener in [checked, real] { listener.close() } }
        try await withServer {
            $0.webhooks = (try? .init(allowing: "localhost")) ?? $0.webhooks
            $0.webhooks.names = { _ in ["127.0.0.2"] }
            $0.webhooks.timeout = .seconds(600)
        } _: { server in
            try await server.send("PUT /v1/webhooks/h", #"{"url":"http://localhost:\#(checked.port)/"}"#)
            let closing = Task { await checked.closeAll() }
            defer { closing.cancel() }
            #expect(try await server.send("POST /v1/webhooks/h/test").body.contains(#""taken":false"#))
            closing.cancel()
            #expect(await closing.value > 0)
            // Nothing listens on this port of the checked address, so the connection is refused.
            try await server.send("PUT /v1/webhooks/h", #"{"url":"http://localhost:\#(real.port)/"}"#)
            #expect(try await server.send("POST /v1/webhooks/h/test").body.contains(#""error":"no connection""#))
        }
        #expect(!real.closeOne())
    }

    @Test("A receiver that does not answer is given up") func silentReceiver() async throws {
        let silent = try Listener("127.0.0.1")
        defer { silent.close() }
        try await withServer {
            $0.webhooks = (try? .init(allowing: "127.0.0.1")) ?? $0.webhooks
            $0.webhooks.timeout = .milliseconds(500)
        } _: { server in
            try await server.send("PUT /v1/webhooks/h", #"{"url":"http://127.0.0.1:\#(silent.port)/"}"#)
            let reply = try await server.send("POST /v1/webhooks/h/test")
            #expect(reply.body.contains(#""error":""#) && reply.body.contains(#""taken":false"#), "\(reply.body)")
        }
    }

    @Test("Hosts that are allowed by name are reached without TLS") func allowedHosts() async throws {
        try await withServer {
            $0.webhooks = (try? .init(allowing: "LOCALHOST:1, ::1, [fd00::1]:8443, hooks.internal")) ?? $0.webhooks
            $0.webhooks.timeout = .seconds(600)
        } _: { server in
            for url in ["http://localhost:1/", "http://[::1]:99/", "http://[fd00::1]:8443/x", "http://Hooks.Internal/"]
            {
                #expect(try await server.send("PUT /v1/webhooks/h", #"{"url":"\#(url)"}"#).status < 300, "\(url)")
            }
            for url in ["http://localhost:2/", "http://[fd00::1]/x", "http://127.0.0.1:1/", "http://x.hooks.internal/"]
            {
                #expect(try await server.send("PUT /v1/webhooks/h", #"{"url":"\#(url)"}"#).status == 400, "\(url)")
            }
            #expect(try await server.send("PUT /v1/webhooks/h", #"{"url":"http://localhost:1/"}"#).status < 300)
            let reply = try await server.send("POST /v1/webhooks/h/test")
            #expect(reply.body.contains(#""error":"no connection""#), "\(reply.body)")
        }
    }
}

/// A port that accepts connections and answers nothing.
private struct Listener {
    private let socket: Int32
    let port: UInt16

    init(_ address: String) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = inet_addr(address)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &own) { own in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                bind(socket, own, length) == 0 && listen(socket, 4) == 0 && getsockname(socket, own, &length) == 0
            }
        }
        try #require(isBound, "\(errno)")
        self.port = UInt16(bigEndian: own.sin_port)
    }

    /// Closes the oldest connection, and returns whether there was one.
    func closeOne() -> Bool {
        let connection = accept(socket, nil, nil)
        return connection >= 0 && Glibc.close(connection) == 0
    }

    /// Closes each connection until the task is canceled, and returns their number.
    func closeAll() async -> Int {
        var count = 0
        while !Task.isCancelled {
            if closeOne() { count += 1 }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return count
    }

    func close() { _ = Glibc.close(socket) }
}
