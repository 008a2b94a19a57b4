internal import Foundation
internal import Geo

/// What scipy's cKDTree does with the same places and queries; nil where there is no scipy.
struct StaticRival {
    /// Microseconds of one query for k = 1, 10 and 100.
    let microseconds: [Double]
    /// The ten nearest on a sphere of the first thousand queries.
    let nearest: [[Int32]]

    init?(places: [Coordinate], origins: [Coordinate]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["places", "origins"].map { folder.appending(path: $0) }
        for (file, coordinates) in zip(files, [places, origins]) { try Self.bytes(coordinates).write(to: file) }
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", "tools/ckdtree.py"] + files.map(\.path)
        let output = Pipe()
        python.standardOutput = output
        python.standardError = FileHandle.nullDevice
        try python.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        python.waitUntilExit()
        let lines = text.split(separator: "\n")
        guard python.terminationStatus == 0, lines.count > 3 else { return nil }
        microseconds = lines.prefix(3).compactMap { Double($0) }
        nearest = lines.dropFirst(3).map { line in line.split(separator: " ").compactMap { Int32($0) } }
    }

    private static func bytes(_ coordinates: [Coordinate]) -> Data {
        let numbers = coordinates.flatMap { [$0.latitude, $0.longitude] }
        return numbers.withUnsafeBytes { Data($0) }
    }
}
