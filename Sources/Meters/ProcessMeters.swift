internal import CoreMetrics
internal import Glibc

/// Process metrics, under the names that the official Prometheus libraries use.
package struct ProcessMeters: Sendable {
    private let memory, processor, startTime, openFiles, mostOpenFiles: Meter

    /// Creates the handles of the process metrics.
    package init(_ meters: Meters) {
        memory = meters.gauge(.memory)
        processor = meters.gauge(.processor)
        startTime = meters.gauge(.startTime)
        openFiles = meters.gauge(.openFiles)
        mostOpenFiles = meters.gauge(.mostOpenFiles)
    }

    /// Updates all process metrics.
    ///
    /// - Complexity: O(open files).
    package func measure() {
        let stat = Self.numbers(ofFile: "/proc/self/stat")
        // After the name, counted from the third field of proc(5): 20 is the start time in ticks, 22 the pages of
        // memory.
        if stat.count > 21 {
            memory.set(stat[21] * Double(sysconf(Int32(_SC_PAGESIZE))))
            let age = Self.seconds(CLOCK_BOOTTIME) - stat[19] / Double(sysconf(Int32(_SC_CLK_TCK)))
            startTime.set((Self.seconds(CLOCK_REALTIME) - age).rounded())
        }
        processor.set(Self.seconds(CLOCK_PROCESS_CPUTIME_ID))
        openFiles.set(Self.openFiles)
        var most = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 {
            mostOpenFiles.set(Double(most.rlim_cur))
        }
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The fields after the name in parentheses; 0 for a field that is not a number.
    private static func numbers(ofFile path: String) -> [Double] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[end...].dropFirst().split(separator: " ").map { Double($0) ?? 0 }
    }

    /// The number of open files, without `.`, `..` and the directory being read.
    private static var openFiles: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
