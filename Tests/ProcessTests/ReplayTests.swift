import Foundation
import Model
import Testing

/// Recorded requests, sent to an empty service whose clock shows the recorded times.
///
/// The answers must equal the recorded answers byte for byte, except cursors and random ids. `tools/replay` compares
/// and writes other recordings.
@Suite(.timeLimit(.minutes(60))) struct ReplayTests {
    private let options = ReplayOptions()

    @Test(
        "Every answer equals the recorded answer, and every endpoint is requested",
        .disabled(if: ReplayOptions().isRecording))
    func answersEqualRecordedAnswers() async throws {
        let recording = try ReplayRecording(text: String(contentsOf: options.file, encoding: .utf8))
        let answers = try await play(recording)
        let exchanges = recording.sessions.flatMap(\.exchanges)
        let differing = exchanges.indices.filter { !ReplayAnswer.isSame(answers[$0], as: exchanges[$0].answer) }
        guard !differing.isEmpty else { return }
        let differences = differing.prefix(options.differences).map { index in
            let exchange = exchanges[index]
            let difference = ReplayAnswer.difference(exchange.answer, answers[index])
            return "\(index + 1): \(exchange.request.prefix(300))\n\(difference)"
        }
        Issue.record(
            """
            \(differing.count) of \(answers.count) answers differ from the recorded answers:
            \(differences.joined(separator: "\n"))
            """)
    }

    @Test("A recording is written, and every endpoint is requested", .enabled(if: ReplayOptions().isRecording))
    func recordingIsWritten() async throws {
        var script = try ReplayScript(seed: options.seed)
        var recording = try script.recording(of: options.requests)
        var answers = try await play(recording)[...]
        for session in recording.sessions.indices {
            for exchange in recording.sessions[session].exchanges.indices {
                let answer = answers.removeFirst()
                recording.sessions[session].exchanges[exchange].answer =
                    options.keepsLongAnswers ? answer : ReplayAnswer.shortened(answer)
            }
        }
        try recording.text.write(to: options.file, atomically: true, encoding: .utf8)
    }

    /// Returns the answers to a recording, after a check that it has a request to every endpoint.
    private func play(_ recording: ReplayRecording) async throws -> [String] {
        let coverage = try ReplayCoverage(recording.requests, of: options.program)
        let missing = coverage.missing.joined(separator: ", ")
        #expect(missing == "", "endpoints without a request")
        let start = ContinuousClock.now
        let answers = try await ReplayPlayer.answers(to: recording, of: options.program)
        if let report = options.report {
            let text = summary(coverage, answers, (ContinuousClock.now - start).seconds)
            try text.write(to: report, atomically: true, encoding: .utf8)
        }
        return answers
    }

    private func summary(_ coverage: ReplayCoverage, _ answers: [String], _ seconds: Double) -> String {
        let statuses = Dictionary(grouping: answers) { $0.prefix(3) }.mapValues(\.count).sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value)" }
        let time = String(format: "%.1f", seconds)
        var lines = [
            "\(answers.count) requests to \(coverage.counts.count) endpoints in \(time) s: "
                + statuses.joined(separator: ", ")
        ]
        if options.listsEndpoints {
            let counts = coverage.counts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            lines += counts.map { "\($0.value) \($0.key)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
