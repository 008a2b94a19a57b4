internal import Foundation

/// Files that may be packed.
enum Archive {
    /// The text of a file, unpacked if its name ends in `.gz`.
    static func text(_ path: String) throws -> String {
        guard path.hasSuffix(".gz") else { return try String(contentsOfFile: path, encoding: .utf8) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path]
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw MeasurementError("\(path) cannot be unpacked") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
