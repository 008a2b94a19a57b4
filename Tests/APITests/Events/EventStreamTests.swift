import API
import AsyncHTTPClient
import Discovery
import Foundation
import Model
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// Events over HTTP, as Server-Sent Events and as pages.
@Suite(.timeLimit(.minutes(60))) struct EventStreamTests {
    @Test("Followers get events at once, and resume after the last one") func resumption() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            var stream = try await EventSource(server, "/v1/events")
            try await server.send("PUT /v1/people/ana/friends/luis")
            let asked = try await stream.next()
            #expect(asked.type == "friend.asked")
            #expect(
                asked.data
                    == #"{"id":\#(asked.id),"type":"friend.asked","at":"2026-11-20T10:00:00Z","person":"ana","other":"luis"}"#
            )
            stream.close()
            try await server.send("PUT /v1/people/luis/friends/ana")
            try await server.send(
                "POST /v1/pings", #"{"person":"ana","lat":39.47,"lon":-0.376,"t":"2026-11-20T09:59:00Z"}"#)
            var again = try await EventSource(server, "/v1/events", after: asked.id)
            #expect(try await again.next().type == "friend.made")
            let moved = try await again.next()
            #expect(moved.type == "ping.moved")
            #expect(
                moved.data.contains(
                    #""person":"ana","position":{"lat":39.47,"lon":-0.376,"at":"2026-11-20T09:59:00Z","precision":"exact"}}"#
                ),
                "\(moved.data)")
            again.close()
        }
    }

    @Test("A stream resumes after `lastEventId`, is not buffered by proxies, and prefers the header")
    func lastEventID() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            try await server.send("PUT /v1/people/ana/friends/luis")
            try await server.send("PUT /v1/people/luis/friends/ana")
            let json = ["accept": "application/json"]
            let all = try await server.send("GET /v1/events", headers: json)
            let first = try #require(all.body.firstMatch(of: #/"id":(\d+)/#)?.1)
            let rest = try await server.send("GET /v1/events?lastEventId=\(first)", headers: json)
            #expect(!rest.body.contains("friend.asked") && rest.body.contains("friend.made"), "\(rest.body)")
            #expect(try await server.send("GET /v1/events?lastEventId=x", headers: json).status == 400)
            let both = try await server.send(
                "GET /v1/events?lastEventId=0", headers: json.merging(["last-event-id": "\(first)"]) { $1 })
            #expect(both.body == rest.body)
            var stream = try await EventSource(server, "/v1/events?lastEventId=\(first)")
            #expect(try await stream.next().type == "friend.made")
            stream.close()
            let opened = try await EventSource.open(server, "/v1/events")
            #expect(opened.headers["x-accel-buffering"] == ["no"])
        }
    }

    @Test("A comment is sent while there are no events") func heartbeats() async throws {
        try await withServer {
            $0.limits.heartbeat = .milliseconds(200)
        } _: { server in
            let start = ContinuousClock.now
            var stream = try await EventSource(server, "/v1/events")
            for count in 1...2 {
                try await stream.nextComment()
                #expect(ContinuousClock.now - start >= .milliseconds(200 * count))
            }
            stream.close()
        }
    }

    @Test("Streams of events and of a link report that a timetable hides a person, without any change")
    func timeHides() async throws {
        let clock = SteppedClock()
        try await withServer({ $0.limits.heartbeat = .milliseconds(10) }, now: { clock.now }) { server in
            try await server.add([("ana", valencia), ("luis", nil)])
            try await server.engine.perform(MakeFriends(try ID("ana"), try ID("luis")), by: .service, at: morning)
            try await server.send(
                "PATCH /v1/people/ana", #"{"sharing":{"timetable":{"hours":"Fr 09:00-18:00","timezone":"UTC"}}}"#,
                type: "application/merge-patch+json")
            let made = try await server.send(
                "POST /v1/people/ana/shares", #"{"precision":"exact","for_s":86400}"#
            ).body
            let link = String(try #require(made.firstMatch(of: #/"url":"([^"]+)"/#)?.1))
            var streams = [
                try await EventSource(server, "/v1/events", headers: ["cerca-acting-as": "luis"]),
                try await EventSource(server, link),
            ]
            for index in streams.indices { #expect(try await streams[index].next().data.contains(#""position":{"#)) }
            clock.advance(9 * 3600)
            for index in streams.indices {
                #expect(try await streams[index].next().data.contains(#""position":null"#), "stream \(index)")
                streams[index].close()
            }
        }
    }

    @Test("A stream after an unknown number begins with a reset") func unknownNumber() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            var stream = try await EventSource(server, "/v1/events", after: 1_000)
            let reset = try await stream.next()
            #expect(reset.type == "reset" && reset.id == "")
            stream.close()
        }
    }

    @Test("Pages lead from event to event") func eventPages() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil), ("eva", nil)])
            for other in ["luis", "eva"] { try await server.send("PUT /v1/people/ana/friends/\(other)") }
            let first = try await server.send("GET /v1/events?limit=1").body
            #expect(first.contains(#""other":"luis"}],"cursor":"1"}"#), "\(first)")
            let second = try await server.send("GET /v1/events?cursor=1").body
            #expect(second.contains(#""other":"eva"}],"cursor":"2"}"#), "\(second)")
            #expect(try await server.send("GET /v1/events?cursor=2").body == #"{"items":[],"cursor":"2"}"#)
            // The cursor also passes events that the filter skips.
            let moves = (0..<600).map {
                #"{"person":"ana","lat":39.\#($0 % 2),"lon":0,"t":\#(1_794_805_200 + $0 * 600)}"#
            }
            try await server.send("POST /v1/pings", "[\(moves.joined(separator: ","))]")
            try await server.send("PUT /v1/people/luis/friends/eva")
            let late = try await server.send("GET /v1/events?type=friend.asked&limit=1&cursor=2").body
            #expect(late.contains(#""person":"luis","other":"eva"}],"cursor":"603"}"#), "\(late)")
            let filled = try await server.send("GET /v1/events?limit=3").body
            #expect(filled.hasSuffix(#""cursor":"602"}"#) && filled.count { $0 == "[" } == 1, "\(filled.suffix(200))")
            let rest = try await server.send("GET /v1/events?type=friend.asked&limit=3").body
            #expect(rest.hasSuffix(#""other":"eva"}],"cursor":"603"}"#), "\(rest)")
            for (query, detail) in [
                ("type=friend", "'type' is 'friend'"), ("place=a&group=b", "Only one of"),
                ("cursor=-1", "not the id of an event"),
            ] {
                let reply = try await server.send("GET /v1/events?\(query)")
                #expect(reply.status == 400 && reply.body.contains(detail), "\(reply.body)")
            }
        }
    }

    @Test("The number of a person's streams is limited") func streamLimit() async throws {
        try await withKeys {
            $0.limits.readersOfPerson = 1
        } _: { server, keys, _ in
            try await server.add([("ana", nil)])
            let authorization = ["authorization": "Bearer \(keys.person("ana"))"]
            let stream = try await EventSource(server, "/v1/events", headers: authorization)
            let second = try await EventSource.open(server, "/v1/events", headers: authorization)
            #expect(second.status == .tooManyRequests)
            stream.close()
        }
    }
}

/// A client of Server-Sent Events as the WHATWG specifies them.
struct EventSource {
    struct Event {
        var id = ""
        var type = "message"
        var data = ""
    }

    private let source: Task<Void, any Error>
    private var events: AsyncStream<Event>.Iterator

    static func open(
        _ server: TestServer, _ address: String, after id: String? = nil, headers: [String: String] = [:]
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: server.base + address)
        request.headers.add(name: "accept", value: "text/event-stream")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let id { request.headers.add(name: "last-event-id", value: id) }
        return try await testClient.execute(request, timeout: hangLimit)
    }

    init(
        _ server: TestServer, _ address: String, after id: Int? = nil, headers: [String: String] = [:]
    ) async throws { try await self.init(server, address, after: id.map(String.init), headers: headers) }

    /// Follows the events, and returns when the service has begun to send them.
    init(
        _ server: TestServer, _ address: String, after id: String?, headers: [String: String] = [:]
    ) async throws {
        let response = try await Self.open(server, address, after: id, headers: headers)
        #expect(response.status == .ok)
        #expect(response.headers.first(name: "content-type") == "text/event-stream")
        let (events, reported) = AsyncStream.makeStream(of: Event.self)
        let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
        source = Task {
            defer { reported.finish() }
            var rest = ""
            for try await piece in response.body {
                rest += String(buffer: piece)
                begun.finish()
                while let end = rest.range(of: "\n\n") {
                    if let event = Self.event(rest[..<end.lowerBound]) { reported.yield(event) }
                    rest = String(rest[end.upperBound...])
                }
            }
        }
        for await _ in beginnings {}
        self.events = events.makeAsyncIterator()
    }

    private static func event(_ block: Substring) -> Event? {
        if block == ":" { return Event(type: comment) }
        var event = Event()
        for line in block.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "id": event.id = String(parts[1])
            case "event": event.type = String(parts[1])
            case "data": event.data += parts[1]
            default: break
            }
        }
        return event.data.isEmpty ? nil : event
    }

    private static let comment = ":"

    mutating func next() async throws -> Event { try #require(await nextMessage()) }

    /// Waits for a comment.
    mutating func nextComment() async throws { while try #require(await events.next()).type != Self.comment {} }

    /// Whether the service ends the stream without another message.
    mutating func ends() async -> Bool { await nextMessage() == nil }

    private mutating func nextMessage() async -> Event? {
        while let event = await events.next() { if event.type != Self.comment { return event } }
        return nil
    }

    func close() { source.cancel() }
}
