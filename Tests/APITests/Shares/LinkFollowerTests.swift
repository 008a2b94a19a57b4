import API
import AsyncHTTPClient
import NIOHTTP1
import TestSupport
import Testing

/// The number of simultaneous followers of links.
@Suite(.timeLimit(.minutes(60))) struct LinkFollowerTests {
    @Test("The number of followers of a link is limited") func followersOfLink() async throws {
        try await withServer({ $0.limits.readersOfLink = 1 }) { server in
            try await server.add([("ana", nil)])
            let (first, second) = (
                try await server.makeLink(#"{"for_s":60}"#), try await server.makeLink(#"{"for_s":60}"#)
            )
            let stream = try await EventSource(server, first)
            #expect(try await EventSource.open(server, first).status == .tooManyRequests)
            let other = try await EventSource(server, second)
            stream.close()
            other.close()
        }
    }

    @Test("Followers of one person's links leave slots for followers of others") func followersOfOwner() async throws {
        try await withServer {
            $0.limits.readersOfOwner = 2
        } _: { server in
            try await server.add([("ana", nil), ("luis", nil)])
            var (links, streams) = ([String](), [EventSource]())
            for _ in 0..<3 { links.append(try await server.makeLink(#"{"for_s":60}"#)) }
            for link in links.prefix(2) { streams.append(try await EventSource(server, link)) }
            let third = try await EventSource.open(server, links[2])
            #expect(third.status == .tooManyRequests)
            let made = try await server.send("POST /v1/people/luis/shares", #"{"for_s":60}"#)
            let other = try #require(made.body.firstMatch(of: #/"url":"([^"]+)"/#)?.1)
            streams.append(try await EventSource(server, String(other)))
            streams[0].close()
            // The slot is free as soon as the service sees that the stream is closed.
            try await wait { try await EventSource.open(server, links[2]).status == .ok }
            for stream in streams { stream.close() }
        }
    }

    @Test("Followers of links from one address leave slots for other addresses")
    func followersOfAddress() async throws {
        try await withServer {
            $0.limits.readersOfAddress = 1
            $0.proxies = (try? TrustedProxies("127.0.0.1")) ?? $0.proxies
        } _: { server in
            try await server.add([("ana", nil)])
            let link = try await server.makeLink(#"{"for_s":60}"#)
            let stream = try await EventSource(server, link, headers: ["x-forwarded-for": "198.51.100.7"])
            let second = try await EventSource.open(server, link, headers: ["x-forwarded-for": "198.51.100.7"])
            #expect(second.status == .tooManyRequests)
            let other = try await EventSource(server, link, headers: ["x-forwarded-for": "198.51.100.8"])
            stream.close()
            other.close()
        }
    }

    @Test("Followers of links leave half of the slots for callers with a token")
    func followersOfAllLinks() async throws {
        try await withServer {
            $0.limits.readers = 4
        } _: { server in
            try await server.add([("ana", nil)])
            let link = try await server.makeLink(#"{"for_s":60}"#)
            var streams: [EventSource] = []
            for _ in 0..<2 { streams.append(try await EventSource(server, link)) }
            #expect(try await EventSource.open(server, link).status == .serviceUnavailable)
            for _ in 0..<2 { streams.append(try await EventSource(server, "/v1/events")) }
            for stream in streams { stream.close() }
        }
    }
}

extension TestServer {
    /// Makes a link of Ana.
    func makeLink(_ body: String, headers: [String: String] = [:]) async throws -> String {
        let made = try await send("POST /v1/people/ana/shares", body, headers: headers)
        #expect(made.status == 201, "\(made.body)")
        return String(try #require(made.body.firstMatch(of: #/"url":"([^"]+)"/#)?.1))
    }
}
