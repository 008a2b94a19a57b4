import API
import Foundation
import Interchange
import NIOHTTP1
import TestSupport
import Testing

/// Delimiters of CSV exports.
@Suite struct ExportDelimiterTests {
    private static let csv = ["accept": "text/csv"]

    @Test("A cell that could break its row is quoted", arguments: ["a\rb", "a\nb", "a\"b", "a,b", " a"])
    func quotes(cell: String) {
        let quoted = CSVTable.quoted(cell, CSVForm())
        #expect(quoted == "\"\(cell.replacing("\"", with: "\"\""))\"")
    }

    @Test("Exports with any delimiter can be imported", arguments: [("comma", ","), ("semicolon", ";"), ("tab", "\t")])
    func roundTrip(name: String, mark: String) async throws {
        let person = #"{"id":"zoe","name":"Zoë, Z","about":"a;b\tc","likes":["tea","milk"]}"#
        try await withServer { server in
            try await server.send("POST /v1/imports/people", person, type: "application/x-ndjson")
            let ping = #"{"person":"zoe","lat":1,"lon":2,"t":"2026-01-01T00:00:00Z","device":"a,b;c\td"}"#
            try await server.send("POST /v1/pings", ping)
            let (people, pings) = (
                try await server.send("GET /v1/exports/people?delimiter=\(name)", headers: Self.csv).body,
                try await server.send("GET /v1/exports/pings?delimiter=\(name)", headers: Self.csv).body
            )
            #expect(people.hasPrefix(["id", "name", "surname", "city"].joined(separator: mark)), "\(people)")
            #expect(pings.hasPrefix("person\(mark)device\(mark)t\(mark)lat\(mark)lon"), "\(pings)")
            #expect(pings.contains("zoe\(mark)\"a,b;c\td\"\(mark)"), "\(pings)")
            try await withServer { other in
                for (kind, text) in [("people", people), ("pings", pings)] {
                    let reply = try await other.send("POST /v1/imports/\(kind)", text, type: "text/csv")
                    #expect(reply.body.contains(#""refused_count":0"#), "\(reply.text)")
                    let reported = try await server.send("GET /v1/exports/\(kind)").body
                    #expect(try await other.send("GET /v1/exports/\(kind)").body == reported)
                }
            }
        }
    }

    @Test("Only CSV has a delimiter, which must be a known one") func refusals() async throws {
        try await withServer { server in
            let plain = try await server.send("GET /v1/exports/people?delimiter=tab")
            #expect(plain.status == 400 && plain.body.contains("'delimiter' is for text/csv"), "\(plain.text)")
            let other = try await server.send("GET /v1/exports/people?delimiter=pipe", headers: Self.csv)
            #expect(other.status == 400 && other.body.contains("one of comma, semicolon, tab"), "\(other.text)")
        }
    }

    @Test("An export leaves out stock of places that are no longer stores, because an import refuses it")
    func formerStores() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/products/p", #"{"name":"Pump"}"#)
            for store in ["a", "b"] {
                try await server.send("PUT /v1/places/\(store)", #"{"kind":"store","name":"Sol","lat":1,"lon":2}"#)
                try await server.send("PUT /v1/stores/\(store)/stock/p", #"{"quantity":2}"#)
            }
            try await server.send("PATCH /v1/places/a", #"{"kind":"depot"}"#)
            let stock = try await server.send("GET /v1/exports/stock").body
            #expect(stock == #"{"store":"b","product":"p","quantity":2}"# + "\n")
        }
    }
}
