import Foundation
import Model

/// The time of day of a service under test: it stands still until it is set, or is ahead of the machine's.
///
/// The service reads it from a file, through a library that is made from `StillClock.c` and loaded before the program.
struct StillClock {
    private let library, file: URL

    /// Compiles the library in one folder and keeps the time in a file of another.
    ///
    /// The first folder must not be mounted `noexec`, as `/dev/shm` may be.
    ///
    /// - Throws: ``Service/Failure`` with the output of the compilers.
    init(compiledIn folder: URL, keptIn data: URL) throws {
        library = folder.appending(path: "libStillClock.so")
        file = data.appending(path: "clock")
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "StillClock.c")
        var errors = "StillClock.c is not compiled"
        // clang is part of the Swift toolchain, which need not be in the path.
        for compiler in ["clang", "cc"] {
            let command = [compiler, "-shared", "-fPIC", "-O1", "-o", library.path, source.path]
            let result = try Program.runAll(command, of: URL(filePath: "/usr/bin/env"))
            if result.code == 0 { return }
            errors += "\n\(compiler): \(result.output)\(result.errors)"
        }
        throw Service.Failure(errors)
    }

    /// The environment of a service that uses this clock.
    var environment: [String: String] { ["LD_PRELOAD": library.path, "STILL_CLOCK_FILE": file.path] }

    /// Stops the clock at a time of day.
    func set(_ now: Timestamp) throws { try write(now.milliseconds, runs: false) }

    /// Puts the clock ahead of the machine's, with which it goes on; behind it for a negative lead.
    func put(ahead lead: Duration) throws { try write(lead.milliseconds, runs: true) }

    private func write(_ milliseconds: Int64, runs: Bool) throws {
        let bytes = withUnsafeBytes(of: (milliseconds, Int64(runs ? 1 : 0))) { Data($0) }
        guard FileManager.default.fileExists(atPath: file.path) else { return try bytes.write(to: file) }
        // The service has mapped this file, which must therefore not be replaced.
        let handle = try FileHandle(forUpdating: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
