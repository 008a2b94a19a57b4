import Foundation
import Testing

/// The floors of DESIGN.md against the dependencies that the package manifest declares.
@Suite struct FloorTests {
    private struct Package: Decodable {
        struct Target: Decodable {
            struct Dependency: Decodable {
                /// A target of this package, or a library with a single module.
                var byName: [String?]?
            }
            var name: String
            var type: String
            var dependencies: [Dependency]
        }
        var targets: [Target]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    /// Modules outside of the floors: tools for measuring and testing, the client library, and wrappers of C.
    private static let beside: Set = [
        "Laws", "CercaClient", "Simulator", "Bench", "IndexCount", "GazetteerData", "PageFiles",
        "Commit", "TestSupport",
    ]

    private static func package() throws -> Package {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // The package's own scratch folder is locked while tests run.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        process.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        let said = Pipe()
        process.standardOutput = said
        try process.run()
        let text = try said.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode(Package.self, from: text)
    }

    @Test("A module depends only on modules of lower floors") func dependencies() throws {
        let design = try String(contentsOf: Self.root.appending(path: "DESIGN.md"), encoding: .utf8)
        let floors = Dictionary(
            uniqueKeysWithValues: try design.matches(of: #/\n\| (\d) \| \*\*`(\w+)`\*\*/#).map {
                (String($0.2), try #require(Int($0.1)))
            })
        let targets = try Self.package().targets.filter {
            ["regular", "executable"].contains($0.type) && !Self.beside.contains($0.name)
        }
        #expect(Set(targets.map(\.name)) == Set(floors.keys), "DESIGN has a row for each module")
        for target in targets {
            let floor = try #require(floors[target.name])
            for case let name?? in target.dependencies.map(\.byName?.first) {
                #expect((floors[name] ?? -1) < floor, "\(target.name) stands on \(name)")
            }
        }
    }
}
