import Foundation
import Interchange
import Testing

/// Tracks in `data/messy/tracks`, in the forms of other programs, each with its expected result beside it.
///
/// With the variable `CERCA_RECORD` results are written instead of compared, and you check the difference.
@Suite struct ForeignTrackTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../data/messy/tracks")
    private static let ending = ".expected"

    private static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { !$0.hasSuffix(ending) }.sorted()
    }()

    @Test("There are at least 13 tracks") func count() { #expect(Self.names.count >= 13) }

    @Test("Each track has its expected report and positions, and again stores nothing", arguments: names)
    func results(name: String) async throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: name))
        let record = Self.folder.appending(path: name + Self.ending)
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let type = TrackFormat.mediaType(of: TrackFormat(fileName: name))
            let reply = try await server.post(bytes, "/v1/imports/tracks?person=ana", type: type)
            // A problem names its request.
            let report = reply.text.replacing(#/urn:cerca:request:\w+/#, with: "…")
            let found = "\(report)\n\n\(try await server.track("ana"))\n"
            if ProcessInfo.processInfo.environment["CERCA_RECORD"] != nil {
                return try Data(found.utf8).write(to: record)
            }
            #expect(try String(contentsOf: record, encoding: .utf8) == found)
            guard reply.status == 200 else { return }
            let again = try await server.post(bytes, "/v1/imports/tracks?person=ana", type: type)
            #expect(again.body.contains(#""stored":0,"#), "\(again.text)")
        }
    }
}
