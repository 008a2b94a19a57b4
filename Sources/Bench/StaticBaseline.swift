internal import Foundation
internal import Geo

/// The baseline of scipy's cKDTree with the same places and queries.
struct StaticBaseline {
    /// Microseconds per query for k = 1, 10 and 100.
    let microseconds: [Double]
    /// The ten nearest on a sphere for the first thousand queries.
    let nearest: [[Int32]]

    init?(places: [Coordinate], origins: [Coordinate]) async throws {
        let run = try await withTemporaryFolder { folder in
            let files = ["places", "origins"].map { folder.appending(path: $0) }
            for (file, coordinates) in zip(files, [places, origins]) { try Self.bytes(coordinates).write(to: file) }
            return try Run("python3", "tools/ckdtree.py", files[0].path, files[1].path, showingErrors: false)
        }
        let lines = run.output.split(separator: "\n")
        guard run.status == 0, lines.count > 3 else { return nil }
        microseconds = lines.prefix(3).compactMap { Double($0) }
        nearest = lines.dropFirst(3).map { line in line.split(separator: " ").compactMap { Int32($0) } }
    }

    private static func bytes(_ coordinates: [Coordinate]) -> Data {
        let numbers = coordinates.flatMap { [$0.latitude, $0.longitude] }
        return numbers.withUnsafeBytes { Data($0) }
    }
}
