import Foundation
import Testing

/// The format of the service's log.
@Suite(.timeLimit(.minutes(60))) struct LogFormatTests {
    @Test("Outside of a terminal each line of the log is a JSON object", arguments: ["json", "auto"])
    func jsonLines(format: String) async throws {
        try await withFolder { folder in
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: ["CERCA_LOG_FORMAT": format, "CERCA_LOG_LEVEL": "debug"])
            try await service.send("GET /v1/people/luis")
            #expect(service.stop() == 0)
            let lines = try service.logText.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            }
            for line in lines {
                #expect(line["time"] is String && line["level"] is String && line["message"] is String)
            }
            let answered = try #require(lines.first { $0["message"] as? String == "answered" })
            #expect(answered["status"] as? Int == 404)
            #expect(answered["milliseconds"] is Int)
            #expect(answered["route"] as? String == "/v1/people/{id}")
            #expect(answered["code"] as? String == "not_found")
            #expect(!service.logText.contains("luis"))
        }
    }

    @Test("An unknown format is refused") func unknownFormat() throws {
        let said = try Program.run("serve", environment: ["CERCA_LOG_FORMAT": "xml"])
        #expect(said.code == 78)
        #expect(said.errors.contains("log.format: 'xml' is not auto, text or json"))
    }
}
