import Foundation
import Testing

/// `cerca export`, whose files `cerca import` reads.
@Suite(.timeLimit(.minutes(60))) struct ExportCommandTests {
    private static let kinds = ["people", "friends", "places", "products", "stock", "pings"]
    private static let samples = [
        ("people", "people"), ("friends", "friends"), ("places", "stores-bestbuy"), ("places", "stores-shoes"),
        ("places", "stores-bicycles"), ("products", "products"), ("products", "products-bicycles"), ("stock", "stock"),
        ("stock", "stock-bicycles"), ("pings", "pings"),
    ]
    private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../../data/sample")

    @Test("Exported rows are exported identically after an import") func roundTrip() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            for (kind, file) in Self.samples {
                let table = try String(contentsOf: Self.sample.appending(path: "\(file).csv"), encoding: .utf8)
                try await load(kind, "csv", kind == "pings" ? Self.inOrderOfTime(table) : table, service)
            }
            for kind in ["people", "places", "products", "stock"] {
                try await load(kind, "ndjson", Self.odd[kind] ?? "", service)
            }
            for (format, kinds) in [("ndjson", Self.kinds), ("csv", Self.kinds), ("geojson", ["places", "pings"])] {
                let new = try await Service(data: folder.appending(path: "new-\(format)"))
                for kind in Self.kinds {
                    let own = kinds.contains(kind) ? format : "ndjson"
                    let exported = try await export(kind, own, service)
                    #expect(exported.utf8.count > 1000, "\(kind) \(own)")
                    try await load(kind, own, exported, new)
                    #expect(try await export(kind, own, new) == exported, "\(kind) \(own)")
                }
                #expect(new.stop() == 0)
            }
            #expect(service.stop() == 0)
        }
    }

    /// Sorts pings by time, because a late one may be nearer to the position after it than the throttle distance.
    private static func inOrderOfTime(_ pings: String) -> String {
        let lines = pings.split(separator: "\n")
        let rows = lines.dropFirst().sorted { a, b in
            a.split(separator: ",", maxSplits: 2)[1] < b.split(separator: ",", maxSplits: 2)[1]
        }
        return (lines.prefix(1) + rows).joined(separator: "\n") + "\n"
    }

    @Test("Rows are written in the format of imports") func rowFormats() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try load("people", try odd("people", folder), data)
            #expect(
                try export("people", "csv", data) == """
                    id,name,surname,city,born,sex,relationship,email,phone,photo,about,discoverable,searchable,searchable_by_email,sharing,retention_s,tokens_not_before,likes,tall
                    zoe,"Zoë ""Z"", or so",,,,,,,,,"two
                    lines",true,,,,86400,,tea;milk,true

                    """)
            try load("places", try odd("places", folder), data)
            #expect(
                try export("places", "geojson", data) == """
                    {"type":"FeatureCollection","features":[
                    {"type":"Feature","geometry":null,"properties":{"id":"pie","kind":"recipe","name":"Pie"}},
                    {"type":"Feature","geometry":{"type":"Point","coordinates":[180,0.0000001]},"properties":\
                    {"id":"edge","kind":"store","name":"Edge"}},
                    {"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":\
                    {"id":"zone","kind":"delivery","name":"Zone","area":{"type":"Polygon","coordinates":\
                    [[[0,0],[2.0000001,0],[2,2],[0,0]],[[1,0.5],[1.5,0.5],[1.5,0.6],[1,0.5]]]}}},
                    {"type":"Feature","geometry":null,"properties":{"id":"fiji","kind":"delivery","name":"Fiji",\
                    "area":{"type":"MultiPolygon","coordinates":[[[[179,-1],[180,-1],[180,1],[179,-1]]],\
                    [[[-180,-1],[-179,-1],[-180,1],[-180,-1]]]]}}},
                    {"type":"Feature","geometry":null,"properties":{"id":"road","kind":"delivery","name":"Road",\
                    "area":{"type":"LineString","coordinates":[[179.5,1],[-179.5,0.0000001]],"within_m":50.5}}},
                    {"type":"Feature","geometry":null,"properties":{"id":"pole","kind":"weather","name":"Pole",\
                    "area":{"lat":-90,"lon":0,"within_m":100000}}},
                    {"type":"Feature","geometry":null,"properties":{"id":"flat","kind":"flat","name":"Flat",\
                    "attributes":{"area":"Ruzafa"}}}
                    ]}

                    """)
            #expect(try export("pings", "geojson", data) == #"{"type":"FeatureCollection","features":[]}"# + "\n")
        }
    }

    @Test("A service and its folder export the same rows") func sources() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            for (kind, file) in Self.samples where file != "stores-bestbuy" {
                try load(kind, Self.sample.appending(path: "\(file).csv"), data)
            }
            let service = try await Service(data: data)
            // Some pings wait in the log.
            for person in ["ana", "luis", "safecast-1"] {
                let ping = "{\"person\":\"\(person)\",\"lat\":1,\"lon\":2,\"t\":\"2011-01-01T00:00:00Z\"}"
                #expect(try await service.send("POST /v1/pings", ping).body.hasPrefix(#"{"stored":1,"#))
            }
            var exported: [[String]: String] = [:]
            for arguments in Self.kinds.flatMap({
                [[$0], [$0, "--format", "csv"], [$0, "--format", "csv", "--delimiter", "semicolon"]]
            }) + [
                ["places", "--format", "geojson"], ["pings", "--format", "geojson"], ["pings", "--format", "gpx"],
            ] {
                let result = try Program.runAll(["export"] + arguments + ["--url", service.base])
                #expect(result.code == 0 && result.output.utf8.count > 1000, "\(arguments): \(result.errors)")
                exported[arguments] = result.output
            }
            #expect(service.stop() == 0)
            for (arguments, output) in exported {
                let result = try Program.runAll(["export"] + arguments + ["--data", data.path])
                #expect(result.output == output, "\(arguments)")
            }
            let gpx = try #require(exported[["pings", "--format", "gpx"]])
            #expect(gpx.matches(of: /<trk>/).count == 174 && gpx.matches(of: /2011-01-01T/).count == 3)
            let gone = try Program.run("export", "people", "--url", service.base)
            #expect(gone.code == 69 && gone.output.isEmpty, "\(gone.errors)")
        }
    }

    @Test("An export ends quietly when its output is closed") func closedPipe() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            try load("places", Self.sample.appending(path: "stores-bestbuy.csv"), data)
            let service = try await Service(data: folder.appending(path: "running"))
            try await load(
                "places", "csv", String(contentsOf: Self.sample.appending(path: "stores-bestbuy.csv"), encoding: .utf8),
                service)
            for source in ["--data '\(data.path)'", "--url \(service.base)"] {
                let command = "'\(Program.executable.path)' export places \(source)"
                let line = "trap '' PIPE; { \(command); echo \"ended with $?\" >&2; } | head -c 5"
                let result = try Program.runAll(["-c", line], of: URL(filePath: "/bin/sh"))
                #expect(result.output == #"{"id""# && result.errors == "ended with 0\n", "\(result)")
            }
            #expect(service.stop() == 0)
        }
    }

    @Test("An incomplete answer is reported") func incompleteAnswer() async throws {
        let service = try BrokenService()
        async let answered: Void = service.answerHalf()
        let result = try await Task.detached { try Program.run("export", "people", "--url", service.base) }.value
        await answered
        #expect(result.code == 69, "\(result)")
        #expect(result.errors.hasPrefix("cerca: \(service.base): No complete response was received: "), "\(result)")
    }

    @Test("Exports that cannot be written are refused") func refusals() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            #expect(try Program.run("export", "people", "--data", data.path).code == 75)
            #expect(service.stop() == 0)
            for arguments in [
                ["cats"], ["people", "--format", "geojson"], ["people", "--format", "gpx"],
                ["people", "--delimiter", "tab"], ["people", "--format", "csv", "--delimiter", ";"],
                ["pings", "--format", "xml"], ["pings", "--url", "http://127.0.0.1:9"],
            ] {
                #expect(try Program.runAll(["export", "--data", data.path] + arguments).code == 64, "\(arguments)")
            }
            #expect(try Program.run("export", "people", "--data", folder.appending(path: "none").path).code == 66)
        }
    }

    private static let types = ["ndjson": "application/x-ndjson", "csv": "text/csv", "geojson": "application/geo+json"]

    private func load(_ kind: String, _ format: String, _ text: String, _ service: Service) async throws {
        let reply = try await service.send("POST /v1/imports/\(kind)", text, type: Self.types[format] ?? "")
        #expect(
            reply.status == 200 && reply.body.contains(#""refused_count":0"#),
            "\(kind) \(format): \(reply.body.prefix(500))")
    }

    private func export(_ kind: String, _ format: String, _ service: Service) async throws -> String {
        let reply = try await service.send("GET /v1/exports/\(kind)", accept: Self.types[format])
        #expect(reply.status == 200, "\(kind) \(format): \(reply.body)")
        return reply.body
    }

    /// Areas of all forms, also without a position, and an attribute named `area`.
    private static let areas = #"""

        {"id":"zone","kind":"delivery","name":"Zone","lat":1,"lon":1,"area":{"type":"Polygon","coordinates":[[[0,0],[2.0000001,0],[2,2],[0,0]],[[1,0.5],[1.5,0.5],[1.5,0.6],[1,0.5]]]}}
        {"id":"fiji","kind":"delivery","name":"Fiji","area":{"type":"MultiPolygon","coordinates":[[[[179,-1],[180,-1],[180,1],[179,-1]]],[[[-180,-1],[-179,-1],[-180,1],[-180,-1]]]]}}
        {"id":"road","kind":"delivery","name":"Road","area":{"type":"LineString","coordinates":[[179.5,1],[-179.5,0.0000001]],"within_m":50.5}}
        {"id":"pole","kind":"weather","name":"Pole","area":{"lat":-90,"lon":0,"within_m":100000}}
        {"id":"flat","kind":"flat","name":"Flat","attributes":{"area":"Ruzafa"}}
        """#
    /// Rows with values that the sample data does not have.
    private static let odd = [
        "people": #"""
        {"id":"zoe","name":"Zoë \"Z\", or so","about":"two\nlines","discoverable":true,"retention_s":86400,"tall":true,"likes":["tea","milk"],"throttle":{"distance_m":0.5,"interval_s":0}}
        """#,
        "places": #"""
        {"id":"pie","kind":"recipe","name":"Pie"}
        {"id":"edge","kind":"store","name":"Edge","lat":0.0000001,"lon":180}
        """# + areas,
        "products": #"""
        {"id":"bike","name":"Bike","attributes":{"frame":"M","gears":["11","12"],"name":"7","weight":9.5}}
        """#,
        "stock": #"""
        {"store":"edge","product":"shoe-0001","sizes":{}}
        {"store":"edge","product":"shoe-0002","quantity":3,"price":5,"currency":"EUR"}
        """#,
    ]

    private func odd(_ kind: String, _ folder: URL) throws -> URL {
        let file = folder.appending(path: "odd-\(kind).ndjson")
        try Data((Self.odd[kind] ?? "").utf8).write(to: file)
        return file
    }

    private func load(_ kind: String, _ file: URL, _ data: URL) throws {
        let result = try Program.run("import", kind, file.path, "--data", data.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    private func export(_ kind: String, _ format: String, _ data: URL) throws -> String {
        let result = try Program.run("export", kind, "--format", format, "--data", data.path)
        #expect(result.code == 0, "\(result.errors)")
        return result.output
    }
}

/// A server that closes the connection in the middle of its answer.
private final class BrokenService: Sendable {
    private let descriptor: Int32
    let base: String

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(isListening)
        self.descriptor = descriptor
        base = "http://127.0.0.1:\(in_port_t(bigEndian: address.sin_port))"
    }

    deinit { close(descriptor) }

    func answerHalf() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [descriptor] in
                let client = accept(descriptor, nil, nil)
                var request = [UInt8](repeating: 0, count: 4096)
                _ = read(client, &request, request.count)
                let answer = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"
                _ = write(client, answer, answer.utf8.count)
                close(client)
                continuation.resume()
            }
        }
    }
}
