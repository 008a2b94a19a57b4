import API
import NIOHTTP1
import Testing

/// The client addresses by which requests through a proxy are counted.
@Suite struct ProxyTests {
    /// Sends requests without valid credentials.
    private struct Client {
        let server: TestServer

        /// Returns the statuses of consecutive requests with these headers.
        func statuses(_ requests: [[(String, String)]]) async throws -> [Int] {
            var statuses: [Int] = []
            for headers in requests {
                let socket = try Socket(server)
                let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
                try socket.send("GET /v1/products HTTP/1.1\r\nhost: localhost\r\n\(lines)connection: close\r\n\r\n")
                let answer = try await socket.receive()
                statuses.append(try #require(Int(answer.dropFirst("HTTP/1.1 ".count).prefix(3))))
            }
            return statuses
        }
    }

    /// A server that allows two requests per address before it stops the address.
    private func withProxies(_ proxies: String, _ body: (Client) async throws -> Void) async throws {
        let proxies = try TrustedProxies(proxies)
        try await withKeys { configuration in
            configuration.proxies = proxies
            configuration.rates.address = Rate(perSecond: 1, saved: .seconds(2))
        } _: { server, _, _ in
            try await body(Client(server: server))
        }
    }

    private func through(_ addresses: String) -> [(String, String)] { [("X-Forwarded-For", addresses)] }

    private func forwarded(_ element: String) -> [(String, String)] { [("Forwarded", element)] }

    @Test("Forwarding headers of untrusted clients are ignored") func untrusted() async throws {
        for proxies in ["", "10.0.0.0/8, 192.0.2.1, ::1", "127.0.0.2", "128.0.0.0/1"] {
            try await withProxies(proxies) { client in
                let seen = try await client.statuses([through("1.1.1.1"), forwarded("for=2.2.2.2"), through("3.3.3.3")])
                #expect(seen == [401, 401, 429], "\(proxies)")
            }
        }
    }

    @Test("A trusted proxy is believed, and clients in front of it are not") func trusted() async throws {
        try await withProxies("10.0.0.0/8, 127.0.0.0/8, 2001:db8:1::/48") { client in
            for (address, later) in [
                ("1.1.1.1", "9.9.9.9, 1.1.1.1"), ("2.2.2.2", "8.8.8.8,2.2.2.2:4711 , 10.1.2.3"),
                ("2001:db8:2::1", "1.1.1.1, [2001:db8:2:0::1]:99, 2001:db8:1::7"),
                // Addresses of IPv6 are counted by their first half.
                ("2001:db8:3::1", "2001:db8:3::2"), ("::ffff:3.3.3.3", "3.3.3.3"),
                // A value that is not an address ends the trusted part.
                ("10.9.9.9", "4.4.4.4, unknown, 10.9.9.9"),
            ] {
                let seen = try await client.statuses([address, later, address, later].map(through))
                #expect(seen == [401, 401, 429, 429], "\(address)")
            }
            let proxy = try await client.statuses([[]])
            #expect(proxy == [401], "the proxy itself is not what it forwards")
        }
    }

    @Test("`Forwarded` is read too, and several lines are one list") func forwardedHeader() async throws {
        try await withProxies("127.0.0.1") { client in
            let one = forwarded(#"for=9.9.9.9, For="1.1.1.1:80";proto=https;by=_x"#)
            let two = [("X-Forwarded-For", "9.9.9.9"), ("x-forwarded-for", "1.1.1.1")]
            let seen = try await client.statuses([one, two, one, two + one, through("9.9.9.9")])
            #expect(seen == [401, 401, 429, 429, 401])
        }
    }

    @Test("Headers that a proxy passes on are not believed") func passedOn() async throws {
        try await withProxies("127.0.0.1") { client in
            // A client that writes the header which the proxy does not write is counted with all clients that do so.
            let spoofed = (1...3).map { forwarded("for=7.7.7.\($0)") + through("6.6.6.\($0)") }
            let seen = try await client.statuses(spoofed)
            #expect(seen == [401, 401, 429])
            let named = try await client.statuses([through("7.7.7.1"), through("6.6.6.1")])
            #expect(named == [401, 401], "who was named is not counted")
        }
    }

    @Test(
        "Invalid networks are refused",
        arguments: ["10.0.0.0/33", "ten", "10.0.0.0/8/8", "2001:db8::/129", "10.0.0.1/-1", "1.2.3.4, /8"])
    func invalidNetworks(text: String) throws {
        #expect(throws: TrustedProxiesError.self) { try TrustedProxies(text) }
    }
}
