import Foundation

/// The environment variables `CERCA_REPLAY_...`, which `tools/replay` sets.
struct ReplayOptions {
    private let variables = ProcessInfo.processInfo.environment

    /// The top folder of the project.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    /// The recording, by default the one that every run of the tests compares.
    var file: URL { url("FILE") ?? Self.root.appending(path: "data/replay/answers.txt") }
    /// The program whose answers are compared or recorded, by default the one that was built with the tests.
    var program: URL { url("PROGRAM") ?? Program.executable }
    /// The file for the counts of requests, answers and endpoints.
    var report: URL? { url("REPORT") }

    /// Whether a recording is written instead of compared.
    var isRecording: Bool { has("WRITE") }
    /// Whether long answers are recorded in full, not as their hashes.
    var keepsLongAnswers: Bool { has("WHOLE") }
    /// Whether the report lists each endpoint.
    var listsEndpoints: Bool { has("ENDPOINTS") }

    /// The approximate number of recorded requests.
    var requests: Int { number("REQUESTS") ?? 10_000 }
    /// The seed of the recorded requests.
    var seed: UInt64 { number("SEED") ?? 1 }
    /// The maximum number of differences shown.
    var differences: Int { number("DIFFERENCES") ?? 10 }

    private func text(_ name: String) -> String? { variables["CERCA_REPLAY_\(name)"] }
    private func has(_ name: String) -> Bool { text(name) != nil }
    private func url(_ name: String) -> URL? { text(name).map { URL(filePath: $0) } }
    private func number<Number: FixedWidthInteger>(_ name: String) -> Number? { text(name).flatMap { Number($0) } }
}
