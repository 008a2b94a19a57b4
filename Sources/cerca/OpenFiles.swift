internal import Foundation

/// The limit of open files of a process, which includes connections.
enum OpenFiles {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Raises the soft limit to the hard limit, and returns it.
    static func allowAll() -> Int {
        var files = rlimit()
        guard getrlimit(resource, &files) == 0 else { return 0 }
        files.rlim_cur = files.rlim_max
        _ = setrlimit(resource, &files)
        return most
    }

    /// The hard limit of this process.
    static var most: Int {
        var files = rlimit()
        return getrlimit(resource, &files) == 0 ? Int(clamping: files.rlim_max) : 0
    }

    /// The hard limit of another process; nil if it cannot be read.
    static func most(of process: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }
    }
}
