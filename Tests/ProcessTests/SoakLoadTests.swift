import Foundation
import Laws
import Testing

/// A short run of `tools/soak`, which can run for hours, to check that its parts work and that it detects a loss.
@Suite(.timeLimit(.minutes(60))) struct SoakLoadTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../tools/soak.py"
    ).standardizedFileURL

    /// Runs the script on a disk, with time limits that only end hangs.
    private func soak(_ program: String, _ arguments: String...) throws -> Program.Result {
        let limit = "\(hangLimit.components.seconds)"
        return try Program.runAll(
            [Self.script.path, "--program", program, "--stop-limit", limit, "--answer-limit", limit] + arguments,
            ["TMPDIR": diskFolder.path], of: URL(fileURLWithPath: "/usr/bin/python3"))
    }

    @Test("Kills, imports, and backups together lose nothing acknowledged") func shortRun() async throws {
        let seconds = RandomCases.count(6, all: 12)
        let result = try soak(Program.executable.path, "--minutes", "\(Double(seconds) / 60)")
        #expect(result.code == 0 && result.output.contains("verdict: all held"), "\(result)")
    }

    /// The program deletes the last positions from the file before each start, which ends the run.
    @Test("A loss is detected") func detectedLoss() async throws {
        try await withDiskFolder { folder in
            let program = folder.appending(path: "forgetful")
            let script = """
                #!/bin/sh
                if [ "$1" = serve ]; then
                    python3 - "$3/cerca.sqlite" <<'EOF'
                import os, sqlite3, sys
                if os.path.exists(sys.argv[1]):
                    file = sqlite3.connect(sys.argv[1], isolation_level=None)
                    file.execute("DELETE FROM ping_log WHERE number = (SELECT max(number) FROM ping_log)")
                EOF
                fi
                exec "\(Program.executable.path)" "$@"
                """
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            // With this seed a comparison follows the first two kills.
            let result = try soak(program.path, "--minutes", "20", "--longest-life", "2.5", "--seed", "38")
            #expect(result.code == 1 && result.output.contains("acknowledged positions"), "\(result)")
            for match in result.output.matches(of: /data and log are in (\S+)/) {
                try FileManager.default.removeItem(atPath: String(match.1))
            }
        }
    }
}
