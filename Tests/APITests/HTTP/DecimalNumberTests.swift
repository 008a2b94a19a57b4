import Discovery
import Foundation
import Testing

/// Numbers in text are decimal everywhere, not hexadecimal, infinite, or NaN.
@Suite struct DecimalNumberTests {
    static let others = [
        "0x10", "0x1p4", "0X1P4", "inf", "-inf", "infinity", "nan", "1e999", "", "1 ", " 1", "1,5", "١",
    ]

    @Test("Parameters are decimal numbers", arguments: others) func parameters(text: String) async throws {
        let value = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        try await withServer { server in
            for query in [
                "lat=\(value)&lon=1", "lat=1&lon=\(value)", "lat=1&lon=1&within_m=\(value)",
                "lat=1&lon=1&beyond_m=\(value)", "lat=1&lon=1&bbox=\(value),0,20,20",
                "lat=1&lon=1&bbox=0,0,20,\(value)",
            ] {
                let reply = try await server.send("GET /v1/places/nearest?\(query)")
                #expect(reply.status == 400 && reply.body.contains("invalid_parameter"), "\(query): \(reply.body)")
            }
        }
    }

    @Test("Every form of decimal numbers is read") func forms() async throws {
        try await withServer { server in
            for value in ["16", "1.6e1", "1.6E%2B1", "160e-1", "%2B16", "016", "16."] {
                let reply = try await server.send("GET /v1/places/nearest?lat=\(value)&lon=-.5&within_m=\(value)")
                #expect(reply.status == 200, "\(value): \(reply.body)")
            }
        }
    }

    @Test("Cells of tables are decimal numbers", arguments: ["0x10", "0x1p4", "inf", "nan", "1e999", "١"])
    func cells(text: String) async throws {
        try await withServer { server in
            for row in ["a,store,A,\"\(text)\",1", "a,store,A,1,\"\(text)\""] {
                let csv = "id,kind,name,lat,lon\n\(row)\nb,store,B,1,1\n"
                let reply = try await server.send("POST /v1/imports/places", csv, type: "text/csv")
                #expect(reply.body.contains(#""refused_count":1"#), "\(row): \(reply.body)")
            }
            #expect(server.engine.read { $0.counts.places } == 1)
        }
    }
}
