internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import NIOHTTPCompression

/// `tools/bench replay`: whether a rebuilt program answers as it did before.
struct ReplayBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Compare the answers to thousands of requests with recorded ones.",
        discussion: """
            With --write the service gets requests to every endpoint, drawn from the templates of data/replay/requests.txt, and \
            the answers are written to FILE. Without it the requests of FILE are sent again to an empty service, and the answers \
            compared with those of FILE byte for byte, apart from cursors and the ids of requests, tokens and what nobody named. \
            The clock of the service is set before each request, so that a recording does not grow old. It fails where an answer \
            differs or an endpoint is not asked for.

              git worktree add /tmp/before main && (cd /tmp/before && swift build -c release --product cerca)
              tools/bench replay --write /tmp/answers --program /tmp/before/.build/release/cerca
              tools/bench replay /tmp/answers
            """)

    @Argument(help: "The recording.") var file: String
    @Flag(help: "Write the recording.") var write = false
    @Flag(help: "Write long answers too as they are, and not their hashes.") var whole = false
    @Flag(help: "Print how often each endpoint is asked.") var endpoints = false
    @Option(help: "How many requests are written, about.") var requests = 10_000
    @Option(help: "What the requests are drawn with.") var seed: UInt64 = 1
    @Option(help: "How many differences are printed, at most.") var differences = 10
    @Option(help: "The program, if not that of this build.") var program: String?

    func run() async throws {
        let program = program.map { URL(fileURLWithPath: $0) } ?? RunningService.executable
        let recording: ReplayRecording
        if write {
            var script = try ReplayScript("data/replay/requests.txt", seed: seed)
            recording = try script.recording(of: requests)
        } else {
            recording = try ReplayRecording(text: String(contentsOfFile: file, encoding: .utf8))
        }
        let coverage = try ReplayCoverage(recording.requests, of: program)
        let start = ContinuousClock.now
        var configuration = HTTPClient.Configuration()
        configuration.decompression = .enabled(limit: .none)
        let answers = try await HTTPClient.withHTTPClient(configuration: configuration) { http in
            try await withTemporaryFolder { folder in
                var player = try ReplayPlayer(program: program, folder: folder, http: http)
                return try await player.play(recording)
            }
        }
        let time = (ContinuousClock.now - start).seconds
        tell(coverage, answers, time)
        if write { try save(recording, answers) } else { try compare(recording, answers) }
        guard coverage.missing.isEmpty else {
            throw MeasurementError("nothing was sent to \(coverage.missing.joined(separator: ", "))")
        }
    }

    private func tell(_ coverage: ReplayCoverage, _ answers: [String], _ time: Double) {
        let statuses = Dictionary(grouping: answers) { $0.prefix(3) }.mapValues(\.count).sorted { $0.key < $1.key }
        print(
            "\(answers.count) requests to \(coverage.counts.count) endpoints in \(short(time, 1)) s:",
            statuses.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
        guard endpoints else { return }
        for (endpoint, count) in coverage.counts.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            print("\(count) \(endpoint)")
        }
    }

    private func save(_ recording: ReplayRecording, _ answers: [String]) throws {
        var recording = recording
        var answers = answers[...]
        for session in recording.sessions.indices {
            for exchange in recording.sessions[session].exchanges.indices {
                guard let answer = answers.popFirst() else { return }
                recording.sessions[session].exchanges[exchange].answer = whole ? answer : ReplayAnswer.shortened(answer)
            }
        }
        try recording.text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    private func compare(_ recording: ReplayRecording, _ answers: [String]) throws {
        let differing = zip(recording.sessions.flatMap(\.exchanges), answers).enumerated().filter { _, pair in
            !ReplayAnswer.isSame(pair.1, as: pair.0.answer)
        }
        guard !differing.isEmpty else { return print("all answers are the recorded ones") }
        for (number, (exchange, answer)) in differing.prefix(differences) {
            print("\(number + 1): \(exchange.request.prefix(300))")
            print(ReplayAnswer.difference(exchange.answer, answer))
        }
        throw MeasurementError("\(differing.count) of \(answers.count) answers differ from the recorded ones")
    }
}
