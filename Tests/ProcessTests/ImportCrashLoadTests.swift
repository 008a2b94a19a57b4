import Foundation
import Laws
import Testing

/// Kills during imports leave the indexes of text and space equal to the tables.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ImportCrashLoadTests {
    private static let kills = RandomCases.count(6, all: 100)

    /// Rows of a file with places or people that are new or replace earlier ones.
    private func rows(_ random: inout SeededGenerator, _ row: (Int, String) -> String) -> String {
        (0..<2000).map { _ in
            let number = random.integer(0...4000)
            return row(number, ["north", "south", "east", "west", "garden"][random.integer(0...4)])
        }.joined(separator: "\n")
    }

    /// Imports files until the service is gone.
    ///
    /// - Returns: the number of imports that were answered.
    private func importFiles(to service: Service, _ random: inout SeededGenerator) async -> Int {
        for answered in 0... {
            let isPlaces = answered.isMultiple(of: 2)
            let file = rows(&random) { number, word in
                isPlaces
                    ? #"{"id":"p\#(number)","kind":"a","name":"\#(word) \#(number)","lat":39.\#(number),"lon":-0.5}"#
                    : #"{"id":"u\#(number)","name":"\#(word)","surname":"n\#(number)","searchable":true}"#
            }
            let reply = try? await service.send(
                "POST /v1/imports/\(isPlaces ? "places" : "people")", file, type: "application/x-ndjson")
            guard let reply else { return answered }
            #expect(reply.status == 200 && reply.body.contains(#""refused_count":0"#), "\(reply.body.prefix(300))")
        }
        return 0
    }

    @Test("After kills during imports the indexes of text and space equal the tables") func kills() async throws {
        try await withDiskFolder { folder in
            let data = folder.appending(path: "data")
            var (random, answered) = (SeededGenerator(seed: 12), 0)
            for kill in 0..<Self.kills {
                let service = try await Service(data: data)
                let life = random.integer(5...800)
                let killing = Task {
                    try await Task.sleep(for: .milliseconds(life))
                    service.kill()
                }
                answered += await importFiles(to: service, &random)
                try await killing.value
                let check = try Program.run("check", "--data", data.path)
                #expect(check.code == 0, "kill \(kill): \(check.output)\(check.errors)")
            }
            print("\(Self.kills) kills amid imports, \(answered) imports answered")
            let service = try await Service(data: data)
            let reply = try await service.send("GET /v1/places?q=garden&limit=1")
            #expect(reply.body.contains("garden"), "\(reply.body)")
            #expect(service.stop() == 0)
        }
    }
}
