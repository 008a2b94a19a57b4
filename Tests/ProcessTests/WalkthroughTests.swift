import Foundation
import GRDB
import Glibc
import Testing

/// What README says that one types, typed.
@Suite(.timeLimit(.minutes(5))) struct WalkthroughTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    /// The commands of a section and what is said to come of each, without line breaks.
    private func commands(of section: String) throws -> [(command: String, output: String)] {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let text = try #require(readme.split(separator: "\n## ").first { $0.hasPrefix(section) })
        let blocks = text.split(separator: "\n```\n").filter { $0.hasPrefix("$ ") }
        return try blocks.map { block in
            let lines = block.split(separator: "\n").map(String.init)
            // A command goes on after a backslash.
            let end = try #require(lines.firstIndex { !$0.hasSuffix("\\") })
            let command = lines[...end].joined(separator: "\n").dropFirst(2)
            return (String(command), lines[(end + 1)...].joined())
        }
    }

    @Test func fourCommandsLeadFromMessyFilesToTheShoe() async throws {
        let commands = try commands(of: "From messy files to a shoe")
        #expect(commands.count == 4)
        try await withFolder { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "data"), withDestinationURL: Self.root.appending(path: "data"))
            let port = try freePort()
            for (command, expected) in commands {
                let result = try shell(command.replacing("8093", with: "\(port)"), in: folder)
                #expect(result.replacing("\n", with: "") == expected, "\(command)")
            }
        }
    }

    /// What a shell says that is typed a command, and ends what that leaves running.
    private func shell(_ command: String, in folder: URL) throws -> String {
        let programs = Program.executable.deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let script = "cd '\(folder.path)'\n\(command)\nif [ -n \"$!\" ]; then kill $!; wait; fi"
        let result = try Program.runAll(
            ["-c", script], ["PATH": "\(programs):\(path)"], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(result.errors.isEmpty, "\(command): \(result.errors)")
        return result.output
    }

    private func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: address.sin_port)
    }

    @Test func theHelpOfImportsSaysWhatBecomesOfOtherColumns() throws {
        let help = try Program.run("import", "--help").output.replacing(#/\s+/#, with: " ")
        #expect(
            help.contains("of people and places what is not among them becomes an attribute, elsewhere it is refused"))
        #expect(!help.contains("people, places and products what is not"))
    }

    @Test func aDamagedIndexOfTextIsMadeAnew() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "data").path
            let shops = Self.root.appending(path: "data/messy/shops.csv").path
            #expect(try Program.run("import", "places", shops, "--normalise", "--data", data).code == 0)
            #expect(try Program.run("check", "--data", data).code == 0)
            let sql = "INSERT INTO places_text (rowid, name) VALUES (0, 'nothing')"
            try await openDatabase(URL(fileURLWithPath: "\(data)/cerca.sqlite")).write { db in
                try db.execute(sql: sql)
            }
            let damaged = try Program.run("check", "--data", data)
            #expect(damaged.code == 65 && damaged.output.contains("places_text has 1 words too many, first of 'luna'"))
            let service = try await Service(data: URL(fileURLWithPath: data))
            #expect(try Program.run("check", "--data", data, "--rebuild-text").code == 75)
            #expect(service.stop().code == 0)
            let mended = try Program.run("check", "--data", data, "--rebuild-text")
            #expect(mended.code == 0 && mended.output.contains("sound"), "\(mended)")
            #expect(try Program.run("check", "--data", "\(data)-none", "--rebuild-text").code != 0)
        }
    }
}
