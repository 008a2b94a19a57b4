import AsyncHTTPClient
import Foundation
import GRDB
import NIOCore
import NIOHTTP1
import Storage
import Synchronization
import Testing

/// Ends a hang; no wait of a test takes longer, even on a machine with a tenth of the speed.
let hangLimit = Duration.seconds(1800)

/// The HTTP client of all tests, whose time limits only end hangs; a refused connection is an error at once.
let testClient: HTTPClient = {
    var configuration = HTTPClient.Configuration.singletonConfiguration
    configuration.timeout.connect = TimeAmount(hangLimit)
    configuration.timeout.read = TimeAmount(hangLimit)
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
}()

/// Waits until a condition holds.
///
/// - Throws: ``Service/Failure`` with a description if it does not hold within ``hangLimit``.
func wait(until holds: () async throws -> Bool, _ description: () -> String) async throws {
    let end = ContinuousClock.now + hangLimit
    while try await !holds() {
        guard ContinuousClock.now < end else { throw Service.Failure(description()) }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// The real program, run in a separate process.
struct Program {
    /// The program that was built with these tests, in their folder.
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

    /// The environment of the tests without the variables of the program and of the tests.
    static var inherited: [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CERCA_") }
    }

    static func runAll(
        _ arguments: [String], _ environment: [String: String] = [:], of program: URL = executable
    ) throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = inherited.merging(environment) { $1 }
        // Files, because a pipe would be inherited and kept open by any child that starts at the same moment.
        let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-said-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExitOrKill()
        let said = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        let complained = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        return Result(code: process.terminationStatus, output: said, errors: complained)
    }
}

extension Process {
    /// Ends the process as a crash would.
    ///
    /// It may have been started with SIGTERM blocked, and would ignore that.
    func kill() {
        _ = Foundation.kill(processIdentifier, SIGKILL)
        waitUntilExit()
    }

    /// Waits until the process has ended, and kills it after ``hangLimit``, so that a test fails rather than hangs.
    func waitUntilExitOrKill() {
        let watchdog = DispatchWorkItem { [processIdentifier] in _ = Foundation.kill(processIdentifier, SIGKILL) }
        let limit = Double(hangLimit.components.seconds)
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

    /// Starts the service on a free port and waits until it logs its address.
    ///
    /// `setup` is a shell command that runs first.
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
        process.environment = Program.inherited.merging(Self.usual) { $1 }.merging(environment) { $1 }
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

    /// Prevents refusals of waiting requests and logs of slow answers on a slow machine.
    private static let usual = [
        "CERCA_LOG_FORMAT": "text", "CERCA_LIMITS_WAIT_MS": "60000", "CERCA_LOG_SLOW_MS": "86400000",
    ]

    struct Failure: Error { let text: String; init(_ text: String) { self.text = text } }

    var pid: Int32 { process.processIdentifier }
    var logText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Waits until the log of the service contains a text.
    ///
    /// - Throws: ``Failure`` with the log if it does not within ``hangLimit``.
    func logs(_ text: String) async throws {
        try await wait(until: { logText.contains(text) }, { "'\(text)' is not in: \(logText)" })
    }

    /// Ends the service as a crash or a power cut would.
    func kill() {
        process.kill()
    }

    /// Stops the service, and waits for its end.
    ///
    /// - Returns: the exit code.
    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExitOrKill()
        return process.terminationStatus
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
        let response = try await testClient.execute(request, timeout: TimeAmount(hangLimit))
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 64 << 20)))
    }
}

/// Gives `body` a temporary folder, which is then removed.
func withFolder(
    in parent: URL = FileManager.default.temporaryDirectory, _ body: (URL) async throws -> Void
) async throws {
    let folder = parent.appending(path: "cerca-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

/// Gives `body` a folder on a disk, for tests of kills, syncs, and damage, because `TMPDIR` may be in memory.
func withDiskFolder(_ body: (URL) async throws -> Void) async throws { try await withFolder(in: diskFolder, body) }

/// A folder for temporary files that is on a disk.
let diskFolder = URL(filePath: "/var/tmp")

/// The ports that tests use.
private let takenPorts = Mutex<Set<UInt16>>([])

/// Returns a free port for one test, below the ports that the system chooses for other sockets.
func freePort() throws -> UInt16 {
    while true {
        let port = UInt16.random(in: 10_000..<32_000)
        guard takenPorts.withLock({ $0.insert(port).inserted }) else { continue }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code == 0 { return port }
    }
}

/// Opens a database like another program that writes to it and has our tokenizer.
func openDatabase(_ file: URL) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { db in db.add(tokenizer: WordTokenizer.self) }
    return try DatabaseQueue(path: file.path, configuration: configuration)
}
