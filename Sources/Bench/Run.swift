internal import Foundation

/// The result of a completed program.
struct Run {
    let status: Int32
    /// Its standard output.
    let output: String

    /// Runs a program and waits for its end; its standard error is inherited or discarded.
    init(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], showingErrors: Bool = true
    ) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        if !showingErrors { process.standardError = FileHandle.nullDevice }
        try process.run()
        output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// Runs a program found by name in the search path.
    init(_ name: String, _ arguments: String..., showingErrors: Bool = true) throws {
        try self.init(URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments, showingErrors: showingErrors)
    }
}

/// A helper process of this program, controlled by lines on its standard input and output.
struct Helper {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the process, optionally behind a wrapper command, writes `text`, and waits until it is ready.
    init(_ arguments: [String], behind command: [String] = [], writing text: String = "") throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command + [CommandLine.arguments[0]] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try write(text)
    }

    func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Its next output.
    func readLine() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func waitUntilReady() throws {
        let said = readLine()
        guard said == "ready" else { throw MeasurementError("a process of the measurement is not ready: \(said)") }
    }

    /// Closes its input and waits for its end.
    ///
    /// - Returns: its remaining output.
    @discardableResult
    func end() throws -> String {
        try input.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw MeasurementError("a process of the measurement failed") }
        return said.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
