import AsyncHTTPClient
import Foundation
import NIOCore
import Testing

/// The program from the outside: starts, stops, and refusals.
@Suite(.timeLimit(.minutes(60))) struct ServiceTests {
    /// `tools/soak` asserts that a stop takes less than 10 seconds, before a supervisor would kill the service.
    @Test("A stop keeps all data") func stopping() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            #expect(try await service.send("PUT /v1/people/ana", "{}").status == 201)
            let now = Int(Date.now.timeIntervalSince1970)
            for (age, latitude, verdict) in [(60, 0.999, "stored"), (30, 1.0, "throttled:interval")] {
                let ping = #"{"person":"ana","t":\#(now - age),"lat":\#(latitude),"lon":2}"#
                #expect(try await service.send("POST /v1/pings", ping).body.contains(#""verdicts":["\#(verdict)"]"#))
            }
            #expect(service.stop() == 0)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: data.path).sorted() == ["cerca.sqlite", "lock"])
            let again = try await Service(data: data)
            let position = try await again.send("GET /v1/people/ana/position").body
            #expect(position.hasPrefix(#"{"id":"ana","lat":1,"lon":2,"at":"#), "the throttled one: \(position)")
            #expect(again.stop() == 0)
        }
    }

    @Test("The first lines of the log are the address and a warning about open access") func firstLines() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            let lines = service.logText.split(separator: "\n")
            #expect(lines[0].contains("listening on http://127.0.0.1:"))
            #expect(lines[1].contains("warning") && lines[1].contains("open to every program on this machine"))
            #expect(service.stop() == 0)
        }
    }

    @Test("The address is logged at every log level") func quietLog() async throws {
        try await withFolder { folder in
            let service = try await Service(
                data: folder.appending(path: "data"), environment: ["CERCA_LOG_LEVEL": "critical"])
            #expect(service.logText.split(separator: "\n").count == 1)
            #expect(service.logText.contains(#/ info cerca: .*listening on http:\/\/127\.0\.0\.1:/#))
            #expect(service.stop() == 0)
        }
    }

    @Test("The service is reached at the host that it listens on", arguments: ["127.0.0.2", "localhost"])
    func hostNames(host: String) async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"), "--host", host)
            #expect(service.base.hasPrefix("http://\(host):"))
            #expect(try await service.send("GET /livez").status == 200)
            #expect(service.stop() == 0)
        }
    }

    @Test("A second service on a folder is refused and names the first") func secondService() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data")
            let service = try await Service(data: data)
            let file = folder.appending(path: "people.csv")
            try Data("id\nana\n".utf8).write(to: file)
            for command in [["serve", "--port", "0"], ["import", "people", file.path]] {
                let result = try Program.runAll(command + ["--data", data.path])
                #expect(result.code == 75)
                #expect(result.errors.contains("is in use by process \(service.pid)"))
                #expect(result.errors.contains("stop it first") && result.errors.contains("--url"), "what to do")
            }
            #expect(service.stop() == 0)
        }
    }

    @Test("A taken port is named, with the options for another") func takenPort() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            let port = try #require(URL(string: service.base)?.port)
            let result = try Program.run(
                "serve", "--data", folder.appending(path: "other").path, "--port", "\(port)")
            #expect(result.code == 69)
            #expect(
                result.errors.hasSuffix(
                    "cerca: port \(port) of 127.0.0.1 is taken; choose another with --port or CERCA_PORT\n"))
            let ofMetrics = try Program.runAll(
                ["serve", "--data", folder.appending(path: "other").path, "--port", "0"],
                ["CERCA_METRICS_PORT": "\(port)"])
            #expect(ofMetrics.code == 69)
            #expect(
                ofMetrics.errors.hasSuffix(
                    "cerca: port \(port) is taken; choose another with metrics.port or CERCA_METRICS_PORT\n"))
            #expect(service.stop() == 0)
        }
    }

    @Test(
        "A service without keys listens to this machine only",
        arguments: [
            "0.0.0.0", "192.168.1.1", "::", "example.com", "127.evil.co.uk", "127.0.0.1.example.com", "128.0.0.1",
        ])
    func publicHost(host: String) throws {
        let result = try Program.run("serve", "--host", host, "--data", "/nowhere/at/all")
        #expect(result.code == 78)
        #expect(result.errors.contains("host: '\(host)' can be reached from other machines, which needs keys"))
    }

    @Test("A URL is no name of the server") func hostURL() throws {
        let result = try Program.runAll(["serve", "--data", "/nowhere"], ["CERCA_HOSTS": "https://cerca.example"])
        #expect(result.code == 78)
        #expect(result.errors.contains("hosts: 'https://cerca.example' is not a name such as cerca.example"))
    }

    @Test("The lowest request rate is enforced") func lowestRate() async throws {
        try await withFolder { folder in
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: ["CERCA_LIMITS_SERVICE_RATE": "0.001", "CERCA_LIMITS_BURST_S": "0"])
            #expect(try await service.send("GET /v1/places").status == 200)
            #expect(try await service.send("GET /v1/places").status == 429)
            #expect(service.stop() == 0)
        }
    }

    @Test("Invalid configuration is refused with its key") func invalidConfiguration() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "cerca.json")
            for (text, complaint) in [
                (#"{"throttle":{"distance":5}}"#, "'throttle.distance' is not a key"),
                ("{\n", "cerca.json: is not JSON: it ends early, in line 2"),
                (
                    #"{"throttle":{"distance_m":"far"}}"#,
                    "CERCA_THROTTLE_DISTANCE_M in the environment, is not a number"
                ),
                (#"{"port":70000}"#, "port: is 70000; must be from 0 to 65535"),
                (#"{"retention":"soon"}"#, "retention: 'soon' is not an age"),
                (#"{"log_level":"loud"}"#, "'loud' is not a level"),
                (#"{"search":{"languages":"en, xx"}}"#, "search.languages: 'xx' is not one of en, es, fr, de"),
                (#"{"future_s":1e30}"#, "future_s: is 1e+30; must be from 0.0 to 3200000000.0"),
                (#"{"throttle":{"interval_s":-1}}"#, "throttle.interval_s: is -1.0; must be from"),
                (#"{"max_speed_mps":0}"#, "max_speed_mps: is 0.0; must be from 1.0 to"),
                (#"{"retention":"999999d"}"#, "retention: '999999d' is not an age"),
                (#"{"retention":"0d"}"#, "retention: '0d' is not an age"),
                (#"{"limits":{"connections":0}}"#, "limits.connections: is 0; must be from 1 to"),
                (
                    #"{"limits":{"person_rate":1e-300}}"#,
                    "limits.person_rate: is 1e-300; must be 0 for unlimited, or"
                ),
                (#"{"limits":{"service_rate":0.0009}}"#, "limits.service_rate: is 0.0009; must be 0"),
            ] {
                try Data(text.utf8).write(to: file)
                let result = try Program.run("serve", "--config", file.path, "--data", folder.path)
                #expect(result.code == 78 && result.errors.contains(complaint), "\(text): \(result.errors)")
            }
            let result = try Program.run("serve", "--data", folder.path, environment: ["CERCA_MAX_SPEED_MPS": "fast"])
            #expect(result.code == 78 && result.errors.contains("CERCA_MAX_SPEED_MPS"))
        }
    }

    @Test("File, environment, and command line configure the service") func configuration() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "cerca.json")
            try Data(#"{"throttle":{"distance_m":7,"interval_s":3},"limits":{"batch":1}}"#.utf8).write(to: file)
            let service = try await Service(data: folder.appending(path: "data"), "--config", file.path)
            try await service.send("PUT /v1/people/ana", "{}")
            let reply = try await service.send(
                "POST /v1/pings", #"{"person":"ana","lat":1,"lon":2,"t":"2026-01-01T00:00:00Z"}"#)
            #expect(reply.body.contains(#""beyond_m":7,"not_before":"2026-01-01T00:00:03Z""#))
            #expect(try await service.send("POST /v1/pings", "[{},{}]").status == 413)
            #expect(service.stop() == 0)
        }
    }

    @Test("The help names every key with its unit and default") func helpText() throws {
        let help = try Program.run("serve", "--help")
        #expect(help.code == 0)
        for line in [
            "throttle.distance_m [500] the minimum distance from the previous stored position, in meters",
            "throttle.interval_s [120] the minimum time between stored positions", "CERCA_",
        ] {
            #expect(help.output.replacing(#/\s+/#, with: " ").contains(line), "\(line)")
        }
        #expect(help.output.contains("\n      further names by which callers reach the server, separated by commas\n"))
        #expect(help.output.contains("in meters\n  throttle.interval_s [120]\n      the minimum time"))
    }

    @Test("An unknown command gets a suggestion") func unknownCommand() throws {
        let result = try Program.run("serv", "--data", "data")
        #expect(result.code == 64 && result.errors.contains("'serv' is not a command (did you mean 'serve'?)."))
    }

    @Test("A folder that cannot be used is named") func unusableFolder() async throws {
        let nowhere = try Program.run("serve", "--data", "/proc/cerca", "--port", "0")
        #expect(nowhere.code == 74 && nowhere.errors.contains("/proc/cerca"))
        try await withFolder { folder in
            try Data("no database".utf8).write(to: folder.appending(path: "cerca.sqlite"))
            let damaged = try Program.run("serve", "--data", folder.path, "--port", "0")
            #expect(damaged.code == 65 && damaged.errors.contains("is damaged"))
        }
    }

    @Test("Connections beyond the limit wait") func connectionLimit() async throws {
        try await withFolder { folder in
            let service = try await Service(
                data: folder.appending(path: "data"), environment: ["CERCA_LIMITS_CONNECTIONS": "1"])
            let holder = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup)
            let request = HTTPClientRequest(url: "\(service.base)/livez")
            let held = try await holder.execute(request, timeout: TimeAmount(hangLimit))
            _ = try await held.body.collect(upTo: 1024)
            #expect(try curl("--max-time", "0.5", "\(service.base)/livez").code == 28, "waits for a connection")
            try await holder.shutdown()
            #expect(try curl("\(service.base)/livez").output == #"{"status":"ok"}"#)
            #expect(service.stop() == 0)
        }
    }

    @Test("The limit on open files is raised to the machine's maximum") func openFiles() async throws {
        try await withFolder { folder in
            for (setting, isWarned) in [("ulimit -S -n 300", false), ("ulimit -n 300", true)] {
                let service = try await Service(
                    data: folder.appending(path: "data"), environment: ["CERCA_LIMITS_CONNECTIONS": "400"],
                    after: setting)
                try await service.send("GET /livez")
                let limits = try String(contentsOfFile: "/proc/\(service.pid)/limits", encoding: .utf8)
                let files = try #require(limits.firstMatch(of: #/Max open files +(\d+) +(\d+)/#))
                #expect(files.1 == files.2, "\(setting)")
                #expect(
                    service.logText.contains("warning cerca: [cerca] only 300 files can be open") == isWarned,
                    "\(setting)")
                #expect(service.stop() == 0)
            }
        }
    }

    @Test("Expect: 100-continue is answered before the body") func expectContinue() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            for (path, body, header, statuses) in [
                ("/v1/pings", "[]", "content-type: application/json", ["100", "200"]),
                ("/v1/pings", "[]", "transfer-encoding: chunked", ["415"]),
                ("/v1/imports/people", "id", "content-type: text/csv", ["100", "200"]),
                ("/v1/pings", "[]", "content-length: 99999999", ["415"]),
            ] {
                let result = try curl(
                    "-v", "--expect100-timeout", "\(hangLimit.components.seconds)", "-H", "Expect: 100-continue", "-H",
                    header, "-d", body, service.base + path)
                let said = result.errors.matches(of: #/< HTTP\/1\.1 (\d+)/#).map { String($0.1) }
                #expect(said == statuses, "\(path) \(header)")
            }
            #expect(service.stop() == 0)
        }
    }

    @Test("The log level decides which requests are logged, and tokens are not") func logLevels() async throws {
        try await withFolder { folder in
            for level in ["debug", "info"] {
                let service = try await Service(
                    data: folder.appending(path: level), environment: ["CERCA_LOG_LEVEL": level])
                try await service.send("PUT /v1/people/ana", "{}")
                let device = try await service.send("POST /v1/people/ana/devices", #"{"id":"phone"}"#)
                let token = try #require(device.body.firstMatch(of: #/"token":"([^"]+)"/#)).1
                #expect(try await service.send("GET /ingest/osmand?token=\(token)&lat=a&lon=b").status == 200)
                try await service.logs("a phone sent an unreadable message")
                #expect(service.logText.contains("route=/v1/people/{id} status=201") == (level == "debug"))
                #expect(!service.logText.contains(token) && !service.logText.contains("lat="))
                #expect(service.stop() == 0)
            }
        }
    }

    @Test("An answer to HEAD has no body") func headRequests() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            for (path, status) in [("/livez", 200), ("/v1/people/nosuch", 404), ("/v1/pings", 405)] {
                let result = try curl("-v", "-I", service.base + path)
                #expect(result.output.hasPrefix("HTTP/1.1 \(status) "), "\(path)")
                #expect(!result.errors.contains("Excess found"), "\(path)")
            }
            #expect(service.stop() == 0)
        }
    }
}

private func curl(_ arguments: String...) throws -> Program.Result {
    try Program.runAll(["-s"] + arguments, of: URL(fileURLWithPath: "/usr/bin/curl"))
}
