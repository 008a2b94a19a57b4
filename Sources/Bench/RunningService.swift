internal import Algorithms
internal import Cities
internal import Discovery
internal import Foundation
internal import Storage
internal import Synchronization

/// The service as a separate process.
struct RunningService {
    /// The service's executable, built beside this program.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "cerca")

    let base: String
    /// The time from the start until the service listened.
    let startup: Duration
    private let process: Process
    private let log: Log

    private final class Log: Sendable {
        let text = Mutex("")
        let isComplete = DispatchSemaphore(value: 0)
        func append(_ data: Data) { text.withLock { $0 += String(decoding: data, as: UTF8.self) } }
    }

    /// Starts an executable on a free port.
    init(data: URL, program: URL = executable, environment: [String: String] = [:]) throws {
        let pipe = Pipe()
        let log = Log()
        self.log = log
        process = Process()
        process.executableURL = program
        process.environment = ProcessInfo.processInfo.environment.merging(["CERCA_LOG_FORMAT": "text"]) { $1 }
            .merging(environment) { $1 }
        process.arguments = ["serve", "--data", data.path, "--port", "0"]
        process.standardError = pipe
        let start = ContinuousClock.now
        try process.run()
        while true {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else {
                throw MeasurementError("the service did not start: \(log.text.withLock { $0 })")
            }
            log.append(data)
            if let match = log.text.withLock({ $0 }).firstMatch(of: #/listening on (http:\/\/\S+)/#) {
                base = String(match.1)
                startup = .now - start
                pipe.fileHandleForReading.readabilityHandler = { handle in
                    let data = handle.availableData
                    log.append(data)
                    if data.isEmpty {
                        handle.readabilityHandler = nil
                        log.isComplete.signal()
                    }
                }
                return
            }
        }
    }

    /// The resident memory, in bytes.
    var memory: Int { memory("VmRSS:") }

    /// The resident memory other than pages of files, in bytes.
    var anonymousMemory: Int { memory("RssAnon:") }

    /// The CPU time of its threads, in seconds.
    var processorTime: Double { Machine.processorTime(of: "\(process.processIdentifier)") }

    /// Waits until it is nearly idle.
    func rest() async throws {
        var before = processorTime
        while true {
            try await Task.sleep(for: .milliseconds(250))
            let now = processorTime
            if now - before < 0.05 { return }
            before = now
        }
    }

    private func memory(_ name: String) -> Int { Machine.memory(name, of: "\(process.processIdentifier)") }

    /// Stops the service.
    ///
    /// - Returns: its log.
    @discardableResult
    func stop() throws -> String {
        process.terminate()
        process.waitUntilExit()
        log.isComplete.wait()
        let said = log.text.withLock { $0 }
        guard process.terminationStatus == 0 else {
            throw MeasurementError("the service ended with \(process.terminationStatus): \(said)")
        }
        return said
    }

    /// Loads a file into a folder with the command line program.
    static func load(_ kind: String, _ file: URL, into data: URL) throws -> Duration {
        try ContinuousClock().measure { _ = try run("import", kind, file.path, "--data", data.path) }
    }

    /// Loads a number of rows from a temporary file.
    static func load(
        _ kind: String, _ count: Int, into data: URL, header: String, _ line: (Int) -> String
    ) throws {
        guard count > 0 else { return }
        let file = data.deletingLastPathComponent().appending(path: "\(kind)-\(UUID().uuidString).csv")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data("\(header)\n".utf8))
        for numbers in (0..<count).chunks(ofCount: 10_000) {
            try handle.write(contentsOf: Data("\(numbers.map(line).joined(separator: "\n"))\n".utf8))
        }
        try handle.close()
        let time = try load(kind, file, into: data)
        print("loaded \(count) \(kind) in \(short(time.seconds, 1)) s, \(Int(Double(count) / time.seconds)) a second")
    }

    /// Runs the executable to completion.
    ///
    /// - Returns: its output.
    static func run(
        _ arguments: String..., accepting codes: Set<Int32> = [0], program: URL = executable,
        environment: [String: String] = [:]
    ) throws -> String {
        let run = try Run(program, arguments, environment: environment)
        guard codes.contains(run.status) else {
            throw MeasurementError("'cerca \(arguments[0])' ended with \(run.status): \(run.output)")
        }
        return run.output
    }
}

extension Engine {
    /// Opens the engine of a folder with the default rules.
    convenience init(_ folder: URL) throws {
        try self.init(store: Store(folder: folder), gazetteer: Gazetteer(), rules: PingRules())
    }
}

/// Runs `body` with an engine over an empty temporary folder.
func withEngine(_ body: (Engine) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        let engine = try Engine(folder)
        try await body(engine)
        try await engine.close()
    }
}

/// Runs `body` with a named folder, or with a temporary one for nil.
func withFolder(_ path: String?, _ body: (URL) async throws -> Void) async throws {
    guard let path else { return try await withTemporaryFolder(body) }
    try await body(URL(fileURLWithPath: path))
}

struct MeasurementError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        let result = try await body(folder)
        try FileManager.default.removeItem(at: folder)
        return result
    } catch {
        try? FileManager.default.removeItem(at: folder)
        throw error
    }
}
