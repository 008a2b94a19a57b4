import Foundation
import Testing

/// Commands that pages show, with their output.
struct Walkthrough {
    struct Step {
        var command: String
        /// The printed text, without line breaks.
        ///
        /// Request ids, times with milliseconds, and strings that end in `...` are examples, and differ between runs. A
        /// last line `...` stands for any rest.
        var output: String
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    private(set) var steps: [Step] = []

    /// Reads the commands of pages, in order.
    ///
    /// Commands of optional programs are left out if the program is not installed.
    init(_ pages: String...) throws {
        for page in pages {
            let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
            for (number, block) in text.components(separatedBy: "\n```").enumerated() where number % 2 == 1 {
                read(block)
            }
        }
        if !Self.isInstalled("spatialite") { steps.removeAll { $0.command.hasPrefix("spatialite ") } }
    }

    private mutating func read(_ block: String) {
        var lines = block.split(separator: "\n").map(String.init)[...]
        guard lines.first?.hasPrefix("$ ") == true else { return }
        while let first = lines.popFirst() {
            guard first.hasPrefix("$ ") else {
                steps[steps.count - 1].output += first
                continue
            }
            var command = String(first.dropFirst(2))
            while Self.goesOn(command), let next = lines.popFirst() { command += "\n" + next }
            steps.append(Step(command: command, output: ""))
        }
    }

    /// Whether a shell waits for another line, after a backslash or within a quotation.
    private static func goesOn(_ command: String) -> Bool {
        var open: Character?
        for character in command where character == "'" || character == "\"" {
            if open == nil { open = character } else if open == character { open = nil }
        }
        return open != nil || command.hasSuffix("\\")
    }

    private static func isInstalled(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Runs the commands in one shell in a folder with the repository's `data`, and compares their output.
    ///
    /// - Parameters:
    ///   - preparation: commands to run first, whose output does not matter.
    ///   - port: the port of the pages, which a free one replaces.
    ///   - shape: returns the part of an output to compare.
    /// - Throws: if the folder, a port, or the shell is not available.
    func type(
        after preparation: [String] = [], port: String = "8080", shape: (Step, String) -> String = { $1 }
    ) async throws {
        try await withFolder { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "data"), withDestinationURL: Self.root.appending(path: "data"))
            // A person would wait for the service to start before the next line.
            let manners = "silent\nshow-error\nretry = 1800\nretry-connrefused\nretry-delay = 1\n"
            try Data(manners.utf8).write(to: folder.appending(path: ".curlrc"))
            let free = try freePort()
            let typed = steps.map { $0.command.replacing(port, with: "\(free)") }
            let lines = ["cd '\(folder.path)'"] + preparation + ["printf '\\036'"]
            let script = lines + typed.flatMap { [$0, "printf '\\036'"] } + ["kill $(jobs -p)", "wait"]
            let programs = Program.executable.deletingLastPathComponent().path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let result = try Program.runAll(
                ["-c", script.joined(separator: "\n")],
                ["PATH": "\(programs):\(path)", "CURL_HOME": folder.path, "CERCA_PORT": "\(free)"],
                of: URL(fileURLWithPath: "/bin/bash"))
            let outputs = result.output.split(separator: "\u{1E}", omittingEmptySubsequences: false).dropFirst()
            try #require(outputs.count > steps.count, "\(result)")
            for (step, output) in zip(steps, outputs) {
                let printed = shape(step, String(output).replacing("\n", with: ""))
                let expected = shape(step, step.output)
                let matches = try printed.wholeMatch(of: pattern(expected)) != nil
                #expect(matches, "\(step.command)\nprinted \(printed)\nnot \(expected)\n\(result.errors)")
            }
        }
    }

    /// Returns a pattern that matches a printed text as a page shows it.
    private func pattern(_ expected: String) throws -> Regex<AnyRegexOutput> {
        let differing: [(example: Regex<Substring>, pattern: String)] = [
            (#/"[^"\s]*\.\.\."/#, #""[^"]*""#),
            // Ids are random.
            (#/urn:cerca:request:[0-9a-f]+/#, "urn:cerca:request:[0-9a-f]+"),
            (#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#, #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z"#),
            (#/>\.\.\.$/#, ">.*"),
        ]
        var (pattern, rest) = ("", expected[...])
        while let next = differing.compactMap({ entry in
            rest.firstMatch(of: entry.example).map { (range: $0.range, pattern: entry.pattern) }
        }).min(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            pattern += NSRegularExpression.escapedPattern(for: String(rest[..<next.range.lowerBound])) + next.pattern
            rest = rest[next.range.upperBound...]
        }
        return try Regex(pattern + NSRegularExpression.escapedPattern(for: String(rest)))
    }
}
