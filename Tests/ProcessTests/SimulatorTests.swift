import Foundation
import FoundationXML
import Laws
import Testing

/// The simulator's command line, against the real service.
@Suite(.timeLimit(.minutes(60))) struct SimulatorTests {
    private static let simulator = Program.executable.deletingLastPathComponent().appending(path: "simulator")

    @Test(
        "An invalid center is refused",
        arguments: ["39.4,", "39.4,,-0.3", "39.4,x,-0.3", "39.4", "39.4,-0.3,1", "91,0"])
    func invalidCenter(centre: String) throws {
        let result = try Program.runAll(["--centre", centre, "--replay", "/nowhere"], of: Self.simulator)
        #expect(result.code == 64 && result.errors.contains("'\(centre)' is not latitude,longitude."))
    }

    @Test(
        "Invalid arguments are explained",
        arguments: [
            (["--movement", "flying"], "'flying' is neither mixed nor movements with shares"),
            (["--until", "2126-01-01T00:00:00Z"], "is not a time up to now"),
            (["--until", "yesterday"], "is not a time up to now"),
            (["--live", "--questions", "0"], "--live needs --questions above 0"),
            (["--city", "Valencia", "--centre", "1,2"], "--city and --centre exclude each other"),
            (["--fences", "-1"], "--fences is -1; must be 0 to 1000000."),
            (["--people", "0"], "people is 1 to 1000000"),
            (["--replay", "/nowhere"], "/nowhere cannot be read"),
            (
                ["--url", "http://127.0.0.1:1"],
                "http://127.0.0.1:1: GET /v1/cities: Nothing responds (Connection refused)"
            ),
        ])
    func invalidArguments(arguments: [String], message: String) throws {
        let result = try Program.runAll(arguments, of: Self.simulator)
        #expect(result.code == 64 && result.errors.contains(message), "\(result.errors)")
    }

    private struct Report: Decodable {
        var interrupted: Bool
        var people, fixes, sent, saved_by_hint, lost_by_hint, wrong, failures, friendships, stores: Int
        var verdicts, requests, movements: [String: Int]
        var checks: [String: Check]
        var latency_ms: [String: [String: Double]]
        var in_time, as_geometry: Errors
        var digest: String

        struct Check: Decodable { var checked, skipped, wrong: Int }
        struct Errors: Decodable { var samples: Int; var mean_m, p95_m, max_m: Double }
    }

    private func run(
        _ service: Service, in folder: URL, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> (result: Program.Result, report: Report) {
        let file = folder.appending(path: "report.json")
        let result = try Program.runAll(
            ["--url", service.base, "--report", file.path] + arguments, environment, of: Self.simulator)
        let data = try #require(try? Data(contentsOf: file), "\(result.errors)")
        return (result, try JSONDecoder().decode(Report.self, from: data))
    }

    @Test("200 people get right answers, and equal seeds send equal pings") func rightAnswers() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            defer { service.kill() }
            let until = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
            let state = folder.appending(path: "tracks.svg")
            let (result, report) = try run(
                service, in: folder, "--people", "200", "--hours", "2", "--fences", "300", "--rate", "2000",
                "--until", until, "--picture", state.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(report.people == 200 && report.wrong == 0 && report.failures == 0 && report.lost_by_hint == 0)
            #expect(!report.interrupted && report.friendships > 200 && report.stores == 10)
            #expect(report.movements.values.reduce(0, +) == 200 && report.movements.count == 5)
            #expect(report.fixes > 20_000 && report.saved_by_hint > report.fixes / 2)
            #expect(report.sent == report.verdicts.values.reduce(0, +) && report.verdicts["stored", default: 0] > 1000)
            for (name, check) in report.checks {
                #expect(check.checked > 0 && check.wrong == 0, "\(name): \(check)")
            }
            #expect(report.checks["histories"]?.checked == 200)
            for (name, latency) in report.latency_ms {
                #expect(latency["p50"] ?? -1 <= latency["p99"] ?? -1, "\(name): \(latency)")
            }
            #expect(report.in_time.samples > 20_000 && report.as_geometry.mean_m < report.in_time.mean_m)
            let drawing = try String(contentsOf: state, encoding: .utf8)
            #expect(XMLParser(data: Data(drawing.utf8)).parse() && drawing.contains("stored"))
            let rate = RandomCases.count(1800, all: 900)
            let again = try run(
                service, in: folder, "--people", "200", "--hours", "2", "--fences", "300", "--rate", "\(rate)",
                "--until", until, "--clients", "2")
            #expect(again.result.code == 0, "\(again.result.output)\(again.result.errors)")
            #expect(again.report.digest == report.digest)
            #expect(again.report.verdicts == report.verdicts)
            let other = try run(
                service, in: folder, "--people", "20", "--hours", "2", "--until", until, "--seed", "2", "--remove")
            #expect(other.result.code == 0 && other.report.digest != report.digest)
            #expect(try await service.send("GET /v1/people/sim1-0").status == 200)
            #expect(try await service.send("GET /v1/people/sim2-0").status == 404)
        }
    }

    @Test("A service with other rules than expected is detected") func otherRules() async throws {
        try await withFolder { folder in
            let service = try await Service(data: folder.appending(path: "data"))
            defer { service.kill() }
            let (result, report) = try run(
                service, in: folder, "--people", "30", "--hours", "1", "--rate", "2000",
                environment: ["CERCA_THROTTLE_DISTANCE_M": "400"])
            #expect(result.code == 1 && report.wrong > 0)
            #expect(result.output.contains("answers are wrong:\n  hints: POST /v1/pings"))
        }
    }

    @Test("A service with keys receives the token of the environment") func keyedService() async throws {
        try await withFolder { folder in
            let keys = ["CERCA_KEY_FILE": folder.appending(path: "keys.json").path]
            #expect(try Program.run("token", "--new-key", folder.appending(path: "keys.json").path).code == 0)
            let token = try Program.run("token", "--sub", "crowd", "--scope", "service", environment: keys).output
            let service = try await Service(data: folder.appending(path: "data"), environment: keys)
            defer { service.kill() }
            let arguments = ["--url", service.base, "--people", "5", "--hours", "1", "--city", "Valencia, ES"]
            let refused = try Program.runAll(arguments, of: Self.simulator)
            #expect(refused.code == 64 && refused.errors.contains("401"), "\(refused.errors)")
            let accepted = try Program.runAll(
                arguments, ["CERCA_TOKEN": token.trimmingCharacters(in: .whitespacesAndNewlines)], of: Self.simulator)
            #expect(accepted.code == 0, "\(accepted.output)\(accepted.errors)")
        }
    }
}
