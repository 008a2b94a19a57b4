internal import Foundation

/// What PostgreSQL with PostGIS inserts of the same batches.
struct PostGISRival {
    /// Rows a second.
    let rate: Int

    /// Runs the rival; nil where it is not installed.
    init?(clients: Int, batch: Int, seconds: Int, people: Int) throws {
        let script = Process()
        script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        script.arguments = ["bash", "tools/postgis.sh"] + [clients, batch, seconds, people].map { "\($0)" }
        let output = Pipe()
        script.standardOutput = output
        try script.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()
        if script.terminationStatus == EX_UNAVAILABLE { return nil }
        guard script.terminationStatus == 0, let rate = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw MeasurementError("tools/postgis.sh ended with \(script.terminationStatus): \(text)")
        }
        self.rate = rate
    }
}
