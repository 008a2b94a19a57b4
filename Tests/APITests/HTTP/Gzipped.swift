import Foundation

/// Returns the bytes in gzip compression.
func gzipped(_ bytes: Data) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
    try bytes.write(to: file)
    let packed = file.appendingPathExtension("gz")
    defer { for one in [file, packed] { try? FileManager.default.removeItem(at: one) } }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-n9", file.path]
    try process.run()
    process.waitUntilExit()
    return try Data(contentsOf: packed)
}
