import Foundation
import Testing

/// The service answers as when its answers were recorded; CONTRIBUTING.md says how they are written anew.
@Suite(.timeLimit(.minutes(5))) struct ReplayTests {
    @Test func theAnswersAreTheRecordedOnes() throws {
        let recording = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../data/replay/answers.txt")
        let bench = Program.executable.deletingLastPathComponent().appending(path: "bench")
        let said = try Program.runAll(["replay", recording.standardizedFileURL.path], of: bench)
        #expect(said.code == 0, "\(said.output)\(said.errors)")
        #expect(said.output.hasSuffix("all answers are the recorded ones\n"))
    }
}
