import API
import Discovery
import Dispatch
import Foundation
import Meters
import Model
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// The maximum work for a person's track file.
@Suite(.timeLimit(.minutes(60))) struct TrackLimitTests {
    private static let header = "t,lat,lon\n"

    /// A table of positions one second apart.
    private static func table(_ rows: Int) -> String {
        header + (0..<rows).map { "\(1_700_000_000 + $0),39.5,-0.4\n" }.joined()
    }

    private func withAna(
        _ configure: (inout Server.Configuration) -> Void = { _ in },
        now: @escaping @Sendable () -> Timestamp = { morning },
        _ body: (TestServer, TestKeys) async throws -> Void
    ) async throws {
        try await withKeys {
            $0.rates.person.perSecond = 0
            configure(&$0)
        } now: {
            now()
        } _: { server, keys, _ in
            try await server.send("PUT /v1/people/ana", "{}", token: keys.service)
            try await body(server, keys)
        }
    }

    private func send(
        _ bytes: Data, _ token: String, isCompressed: Bool = false, _ server: TestServer
    ) async throws -> TestServer.Reply {
        var headers = ["authorization": "Bearer \(token)", "content-type": "text/csv"]
        if isCompressed { headers["content-encoding"] = "gzip" }
        return try await server.send(
            "POST /v1/imports/tracks?person=ana&dry_run=true", bytes: bytes, headers: headers)
    }

    @Test("A person's compressed file expands to at most 20 times its size, and a service's to any size")
    func ratio() async throws {
        try await withAna { server, keys in
            let rows = Data((Self.header + String(repeating: "1700000000,39.5,-0.4\n", count: 5000)).utf8)
            let packed = try gzipped(rows)
            #expect(packed.count * 20 < rows.count && rows.count > 64 << 10)
            let refused = try await send(packed, keys.person("ana"), isCompressed: true, server)
            let detail = "The body expands to more than 20 times the bytes that were sent: send it uncompressed."
            #expect(refused.status == 413 && refused.body.contains(detail), "\(refused.text)")
            for (bytes, token, isCompressed) in [
                (packed, keys.service, true), (rows, keys.person("ana"), false),
                // A recorded file is compressed to about a sixth.
                (try gzipped(Data(Self.table(5000).utf8)), keys.person("ana"), true),
                // A short file may have any compression ratio.
                (try gzipped(rows.prefix(60_000)), keys.person("ana"), true),
            ] {
                let reply = try await send(bytes, token, isCompressed: isCompressed, server)
                #expect(reply.status == 200, "\(reply.text)")
            }
        }
    }

    @Test("A person's file has at most 20 times the size limit of a person's body") func size() async throws {
        try await withAna {
            $0.limits.bodyOfPerson = 1024
        } _: { server, keys in
            let (short, long) = (Data(Self.table(900).utf8), Data(Self.table(1100).utf8))
            #expect(short.count < 20 * 1024 && long.count > 20 * 1024)
            let detail = "The body may have at most 20480 bytes here."
            for (bytes, isCompressed) in [(long, false), (try gzipped(long), true)] {
                let reply = try await send(bytes, keys.person("ana"), isCompressed: isCompressed, server)
                #expect(reply.status == 413 && reply.body.contains(detail), "\(reply.text)")
                #expect(try await send(bytes, keys.service, isCompressed: isCompressed, server).status == 200)
            }
            #expect(try await send(short, keys.person("ana"), server).status == 200)
        }
    }

    @Test("People at one address import four tracks at a time, and services are not concerned")
    func slowUploads() async throws {
        try await withAna { server, keys in
            func begin(_ person: String) async throws -> Socket {
                try await server.send("PUT /v1/people/\(person)", "{}", token: keys.service)
                let socket = try Socket(server)
                try socket.send(
                    "POST /v1/imports/tracks?dry_run=true HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/csv\r\n"
                        + "authorization: Bearer \(keys.person(person))\r\ncontent-length: 1000\r\n\r\n\(Self.header)")
                return socket
            }
            var open: [Socket] = []
            let row = Data(Self.table(1).utf8)
            for number in 0..<4 { open.append(try await begin("p\(number)")) }
            while try await send(row, keys.person("ana"), server).status != 503 {}
            #expect(try await send(row, keys.service, server).status == 200)
            open.removeLast()
            while try await send(row, keys.person("ana"), server).status != 200 {}
        }
    }

    @Test("10,000 refused positions end the reading of a person's file, but not of a service's")
    func refusals() async throws {
        try await withAna { server, keys in
            let rows = Data((Self.header + String(repeating: "1,2,3\n", count: 10_500)).utf8)
            let own = try await send(rows, keys.person("ana"), server)
            let broken =
                #""refused_count":10000,"broken_off":{"detail":"10000 positions were refused, and the rest was not read"}}"#
            #expect(own.status == 200 && own.body.hasPrefix(#"{"format":"csv","rows":10000,"#), "\(own.status)")
            #expect(own.body.hasSuffix(broken), "\(own.body.suffix(300))")
            let services = try await send(rows, keys.service, server)
            #expect(services.body.contains(#""rows":10500,"#) && !services.body.contains("broken_off"))
        }
    }

    /// The clock stands still, so that no debt is paid back.
    @Test("A person's file ends when the person's debt reaches its maximum") func debt() async throws {
        try await withAna {
            // 13 requests, which are 325,000 steps.
            $0.rates.person = Rate(perSecond: 0.2, saved: .seconds(5))
        } _: { server, keys in
            let rows = Data(Self.table(20_000).utf8)
            let reply = try await send(rows, keys.person("ana"), server)
            #expect(reply.status == 429 && reply.headers["retry-after"] == ["60"], "\(reply.text)")
            #expect(reply.body.contains("more work than the rate limit allows at once: send the rest separately"))
            let done = try #require(reply.body.firstMatch(of: #/Before that (\d+) rows were checked and 0 refused/#)?.1)
            #expect((1000...15_000).contains(Int(done) ?? 0), "\(done)")
            #expect(try await send(rows, keys.service, server).status == 200)
        }
    }

    /// A clock that stands still, and blocks the second read after it was armed.
    private final class Gate: Sendable {
        private let looks = Mutex<Int?>(nil)
        private let opening = DispatchSemaphore(value: 0)

        func arm() { looks.withLock { $0 = 0 } }
        func open() { opening.signal() }

        var isClosed: Bool { looks.withLock { $0 ?? 0 >= 2 } }

        var now: Timestamp {
            let look = looks.withLock { looks in
                looks = looks.map { $0 + 1 }
                return looks
            }
            if look == 2 { opening.wait() }
            return morning
        }
    }

    @Test("A service's long requests are answered while people's files take all slots") func room() async throws {
        let gate = Gate()
        try await withAna {
            $0.limits.long = ConcurrencyLimit(atOnce: 1, waiting: 0)
        } now: {
            gate.now
        } _: { server, keys in
            let (rows, token) = (Data(Self.table(1000).utf8), keys.person("ana"))
            gate.arm()
            // The second read is before the first piece of the file.
            async let upload = send(rows, token, server)
            while !gate.isClosed { await Task.yield() }
            let facets = try await server.send("GET /v1/places/facets", token: keys.service)
            let running = server.engine.meters.text.contains("cerca_http_running_requests{work=\"file\"} 1\n")
            gate.open()
            #expect(facets.status == 200 && running, "\(facets.text)")
            #expect(try await upload.status == 200)
        }
    }

    @Test("People's files are refused when all slots are taken, and services' files are not")
    func fullRoom() async throws {
        try await withAna {
            $0.limits.files = ConcurrencyLimit(atOnce: 0, waiting: 0)
        } _: { server, keys in
            let rows = Data(Self.table(10).utf8)
            let (refused, taken) = try await (
                send(rows, keys.person("ana"), server), send(rows, keys.service, server)
            )
            #expect(refused.status == 503 && taken.status == 200)
        }
    }

    @Test("The work for a file ends soon after its sender disconnects") func cut() async throws {
        let looks = Mutex(0)
        try await withServer(now: {
            looks.withLock { $0 += 1 }
            return morning
        }) { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let rows = Data((Self.header + String(repeating: "1700000000,39.5,-0.4\n", count: 300_000)).utf8)
            let packed = try gzipped(rows)
            #expect(packed.count < 64 << 10, "all of it arrives before it is read")
            let socket = try Socket(server)
            try socket.send(
                "POST /v1/imports/tracks?person=ana HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/csv\r\n"
                    + "content-encoding: gzip\r\ncontent-length: \(packed.count)\r\n\r\n")
            try socket.send(packed)
            while server.engine.read({ (try? $0.position(of: ID("ana"), for: .service, at: morning)) == nil }) {
                await Task.yield()
            }
            socket.reset()
            while server.engine.meters.text.contains("cerca_http_running_requests{work=\"long\"} 1\n") {
                await Task.yield()
            }
            #expect(looks.withLock { $0 } < 250, "the clock is looked at for each thousand positions")
        }
    }
}
