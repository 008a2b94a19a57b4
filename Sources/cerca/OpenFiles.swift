internal import Foundation

/// How many files, of which each connection is one, a process may have open.
enum OpenFiles {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Raises the number to the greatest that the machine allows this process, and returns it.
    static func allowAll() -> Int {
        var files = rlimit()
        guard getrlimit(resource, &files) == 0 else { return 0 }
        files.rlim_cur = files.rlim_max
        _ = setrlimit(resource, &files)
        return most
    }

    /// The greatest number that the machine allows this process.
    static var most: Int {
        var files = rlimit()
        return getrlimit(resource, &files) == 0 ? Int(clamping: files.rlim_max) : 0
    }

    /// The greatest number that the machine allows another process; nil if that may not be known.
    static func most(of process: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }
    }
}
