import Foundation
import Testing

/// A service that always asks its clients to retry at once.
@Suite(.timeLimit(.minutes(60))) struct BusyServiceTests {
    private static let script = """
        import http.server
        class Busy(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                while self.rfile.readline() not in (b"0\\r\\n", b""): pass
                print("asked", flush=True)
                self.send_response(429)
                self.send_header("retry-after", "0")
                self.send_header("content-length", "0")
                self.end_headers()
            def log_message(self, *_): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    @Test("An import makes at most ten attempts") func retries() async throws {
        try await withFolder { folder in
            let (file, said) = (folder.appending(path: "people.csv"), folder.appending(path: "said"))
            try Data("id\nana\n".utf8).write(to: file)
            try Data().write(to: said)
            let server = Process()
            server.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            (server.arguments, server.standardOutput) = (["-c", Self.script], try FileHandle(forWritingTo: said))
            // A pipe would be inherited by the server and stay open as long as it lives.
            server.standardError = FileHandle.nullDevice
            try server.run()
            defer { server.kill() }
            func lines() throws -> [Substring] { try String(contentsOf: said, encoding: .utf8).split(separator: "\n") }
            try await wait(until: { try !lines().isEmpty || !server.isRunning }, { "the server did not start" })
            let port = try #require(try lines().first)
            let result = try Program.run("import", "people", file.path, "--url", "http://127.0.0.1:\(port)")
            #expect(result.code == 69 && result.errors.contains("answered 429: "), "\(result.errors)")
            #expect(try lines().count == 1 + 10)
        }
    }
}
