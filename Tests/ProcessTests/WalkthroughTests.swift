import Foundation
import GRDB
import Testing

/// The commands of the documents, run as they are shown.
@Suite(.timeLimit(.minutes(60))) struct WalkthroughTests {
    private static let root = Walkthrough.root

    @Test("Four commands lead from messy files to the shoe") func messyCatalog() async throws {
        let walkthrough = try Walkthrough("docs/walkthroughs/messy-catalogue.md")
        #expect(walkthrough.steps.count == 4)
        try await walkthrough.type(port: "8093")
    }

    @Test("A recorded journey is imported and drawn") func journey() async throws {
        let walkthrough = try Walkthrough("docs/walkthroughs/journey.md")
        #expect(walkthrough.steps.count >= 7)
        try await walkthrough.type()
    }

    @Test("The tutorial leads from an empty folder to a phone") func tutorial() async throws {
        let walkthrough = try Walkthrough("docs/tutorial.md")
        #expect(walkthrough.steps.count == 27)
        try await walkthrough.type()
    }

    @Test("Requests of the sample data have the documented answers") func sampleData() async throws {
        // README is last because its phone moves Ana.
        let walkthrough = try Walkthrough("docs/past.md", "docs/requests.md", "docs/catalogue.md", "README.md")
        #expect(walkthrough.steps.count == 15)
        let run = try String(contentsOf: Self.root.appending(path: "tools/run"), encoding: .utf8)
        let imports = run.matches(of: #/"\$cerca" (import .+) --data "\$loading"/#).map(\.1)
        #expect(imports.count == 6)
        let service = imports.map { "cerca \($0) --data sample" } + ["cerca serve --data sample 2> serve.log &"]
        try await walkthrough.type(after: service) { step, output in
            // The order of strangers is drawn for each database.
            guard step.command.contains("/discovery") else { return output }
            return output.replacing(#/:("[^"]*"|\d+)/#, with: ":_")
        }
    }

    @Test("The help of imports explains other columns") func otherColumns() throws {
        let help = try Program.run("import", "--help").output.replacing(#/\s+/#, with: " ")
        #expect(
            help.contains("other columns of people and places become attributes, elsewhere they are refused"))
        #expect(!help.contains("people, places and products become"))
    }

    @Test("A damaged text index is rebuilt") func rebuiltIndex() async throws {
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
            #expect(service.stop() == 0)
            let mended = try Program.run("check", "--data", data, "--rebuild-text")
            #expect(mended.code == 0 && mended.output.contains("sound"), "\(mended)")
            #expect(try Program.run("check", "--data", "\(data)-none", "--rebuild-text").code != 0)
        }
    }
}
