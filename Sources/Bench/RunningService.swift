internal import Foundation

/// The real program as a process of its own, started by a measurement.
struct RunningService {
    /// The program that was built with this one and lies beside it.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "cerca")

    let base: String
    /// How long it took from the start until it listened.
    let startup: Duration
    private let process: Process

    init(data: URL) throws {
        let log = Pipe()
        process = Process()
        process.executableURL = Self.executable
        process.arguments = ["serve", "--data", data.path, "--port", "0"]
        process.standardError = log
        let clock = ContinuousClock()
        let start = clock.now
        try process.run()
        var text = ""
        while true {
            let data = log.fileHandleForReading.availableData
            guard !data.isEmpty else { throw MeasurementError("the service did not start: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            if let match = text.firstMatch(of: #/listening on (http:\/\/\S+)/#) {
                base = String(match.1)
                startup = clock.now - start
                // Nobody reads on; what the service logs later must not stop it.
                log.fileHandleForReading.readabilityHandler = { handle in _ = handle.availableData }
                return
            }
        }
    }

    /// Resident memory in bytes.
    var memory: Int { status("VmRSS:") }

    /// Resident memory that is not pages of files, in bytes.
    var anonymousMemory: Int { status("RssAnon:") }

    private func status(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    func stop() throws {
        process.terminate()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw MeasurementError("the service ended with \(process.terminationStatus)")
        }
    }

    /// Loads a file into a folder, in the way a person would.
    static func load(_ kind: String, _ file: URL, into data: URL) throws -> Duration {
        let process = Process()
        process.executableURL = executable
        process.arguments = ["import", kind, file.path, "--data", data.path]
        process.standardOutput = FileHandle.nullDevice
        let time = try ContinuousClock().measure {
            try process.run()
            process.waitUntilExit()
        }
        guard process.terminationStatus == 0 else {
            throw MeasurementError("loading \(kind) ended with \(process.terminationStatus)")
        }
        return time
    }
}

/// What went wrong in a measurement.
struct MeasurementError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A folder that is gone when a measurement is over.
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
