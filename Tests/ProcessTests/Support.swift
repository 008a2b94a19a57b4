import AsyncHTTPClient
import Foundation
import GRDB
import NIOCore
import NIOHTTP1
import Storage
import Testing

/// The real program, as a process of its own.
struct Program {
    /// The program that was built with these tests and lies beside them.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "cerca")

    struct Result {
        var code: Int32
        var output: String
        var errors: String
    }

    /// Runs the program to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try runAll(arguments, environment)
    }

    static func runAll(
        _ arguments: [String], _ environment: [String: String] = [:], of program: URL = executable
    ) throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // Files, for a pipe's end would be inherited, and kept open, by any child that starts at the same moment.
        let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-said-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit(orKillAfter: 240)
        let said = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        let complained = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        return Result(code: process.terminationStatus, output: said, errors: complained)
    }
}

extension Process {
    /// Ends it as a crash would.
    ///
    /// It may have been started with SIGTERM blocked, and would outlive that.
    func kill() {
        _ = Foundation.kill(processIdentifier, SIGKILL)
        waitUntilExit()
    }

    /// Waits until it has ended, and kills it after so many seconds: then a test fails rather than hangs.
    func waitUntilExit(orKillAfter limit: Double) {
        let watchdog = DispatchWorkItem { [processIdentifier] in _ = Foundation.kill(processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
        waitUntilExit()
        watchdog.cancel()
    }
}

/// A running service.
final class Service: @unchecked Sendable {  // a process and an address, neither of which changes
    let base: String
    private let process: Process
    private let log: URL

    /// Starts the service on a free port and waits until it says where it listens.
    ///
    /// `setup` is what a shell does first.
    init(
        data: URL, _ arguments: String..., environment: [String: String] = [:], after setup: String = ":"
    ) async throws {
        log = data.appendingPathExtension("log-\(UUID().uuidString)")
        try Data().write(to: log)
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            [
                "-c", "\(setup); exec \"$0\" \"$@\"", Program.executable.path, "serve", "--data", data.path, "--port",
                "0",
            ]
            + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(Self.usual) { $1 }
            .merging(environment) { $1 }
        process.standardError = try FileHandle(forWritingTo: log)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while true {
            let text = try String(contentsOf: log, encoding: .utf8)
            if let match = text.firstMatch(of: #/listening on (https?:\/\/[^\s"]+)/#) {
                base = String(match.1)
                return
            }
            guard process.isRunning else { throw Failure("did not start: \(text)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// However busy the machine is, nothing is refused that a test does not want to be refused.
    private static let usual = ["CERCA_LOG_FORMAT": "text", "CERCA_LIMITS_WAIT_MS": "60000"]

    struct Failure: Error { let text: String; init(_ text: String) { self.text = text } }

    var pid: Int32 { process.processIdentifier }
    var logText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Waits until the service has logged something.
    ///
    /// - Throws: ``Failure`` with the log when it does not within two minutes.
    func logs(_ text: String) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while !logText.contains(text) {
            guard ContinuousClock.now < end else { throw Failure("'\(text)' is not in: \(logText)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends the service as a crash or a power cut would.
    func kill() {
        process.kill()
    }

    /// Asks the service to stop and waits until it did.
    func stop() -> (code: Int32, duration: Duration) {
        let clock = ContinuousClock()
        let duration = clock.measure {
            process.terminate()
            process.waitUntilExit(orKillAfter: 60)
        }
        return (process.terminationStatus, duration)
    }

    @discardableResult
    func send(
        _ line: String, _ body: String? = nil, type: String = "application/json", accept: String? = nil,
        token: String? = nil
    ) async throws -> (status: Int, body: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        var request = HTTPClientRequest(url: base + parts[1])
        request.method = HTTPMethod(rawValue: parts[0])
        if let body {
            request.body = .bytes(ByteBuffer(string: body))
            request.headers.add(name: "content-type", value: type)
        }
        if let accept { request.headers.add(name: "accept", value: accept) }
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 64 << 20)))
    }
}

func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

/// A database as another program may write it that knows our words.
func openDatabase(_ file: URL) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { db in db.add(tokenizer: WordTokenizer.self) }
    return try DatabaseQueue(path: file.path, configuration: configuration)
}
