internal import Foundation

/// The machine of a measurement, printed beside the figures.
enum Machine {
    static var description: String {
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let name = model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
        return "\(name), \(ProcessInfo.processInfo.activeProcessorCount) cores"
    }

    /// The resident memory of this process, in bytes.
    static var residentMemory: Int { memory("VmRSS:", of: "self") }

    /// A memory figure of a process by its name in `/proc/<process>/status`, in bytes.
    static func memory(_ name: String, of process: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// The user and system CPU time of a process, in seconds.
    static func processorTime(of process: String) -> Double {
        let fields = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let numbers = fields.split(separator: ")").last?.split(separator: " ").compactMap { Double($0) } ?? []
        return numbers.count > 11 ? (numbers[10] + numbers[11]) / Double(sysconf(Int32(_SC_CLK_TCK))) : 0
    }

    /// The size of a file in bytes; 0 if there is none.
    static func size(of file: URL) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int ?? 0
    }

    /// Number of synced writes of 4 KiB per second on the disk of a folder.
    static func syncsPerSecond(in folder: URL) throws -> Double {
        let file = folder.appending(path: "sync-\(getpid())")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        let page = Data(repeating: 7, count: 4096)
        let count = 300
        let time = try ContinuousClock().measure {
            for _ in 0..<count {
                try handle.write(contentsOf: page)
                try handle.synchronize()
            }
        }
        return Double(count) / time.seconds
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

/// Prints a row of a table with these column widths.
func row(_ cells: String..., widths: [Int] = [34, 14, 14, 14, 14]) {
    let padded = zip(cells, widths).map { cell, width in
        cell.padding(toLength: max(width, cell.count), withPad: " ", startingAt: 0)
    }
    print(padded.joined(separator: " ").trimmingCharacters(in: .whitespaces))
}

func short(_ number: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", number) }
