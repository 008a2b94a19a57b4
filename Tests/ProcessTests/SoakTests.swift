import Foundation
import Testing

/// A short form of `tools/soak`, which goes on for hours: its parts, and that it sees what it is there to see.
@Suite(.timeLimit(.minutes(10))) struct SoakTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../tools/soak.py"
    ).standardizedFileURL

    private func soak(_ program: String, _ minutes: String) throws -> Program.Result {
        try Program.runAll(
            [Self.script.path, "--program", program, "--minutes", minutes],
            of: URL(fileURLWithPath: "/usr/bin/python3"))
    }

    @Test func killsImportsAndBackupsTogetherCostNothingThatWasAcknowledged() async throws {
        let result = try soak(Program.executable.path, "0.2")
        #expect(result.code == 0 && result.output.contains("verdict: all held"), "\(result)")
    }

    /// A program that takes the last positions out of the file before each start.
    @Test func aLossIsSeen() async throws {
        try await withFolder { folder in
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
            let result = try soak(program.path, "0.4")
            #expect(result.code == 1 && result.output.contains("acknowledged positions"), "\(result)")
            for match in result.output.matches(of: /data and log are in (\S+)/) {
                try FileManager.default.removeItem(atPath: String(match.1))
            }
        }
    }
}
