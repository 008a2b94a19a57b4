import Testing

/// Names of columns that imports understand, or warn about, without `normalise`.
@Suite struct PlainImportNameTests {
    @Test(
        "An accuracy of pings counts under each of its names",
        arguments: [
            "accuracy_m", "accuracy", "hAcc", "h_acc", "hAccuracy", "horizontalAccuracy", "horizontal_accuracy",
            "accuracyMeters",
        ]) func accuracy(_ name: String) async throws
    {
        let table = "person,t,lat,lon,\(name)\nana,2026-11-20T09:00:00Z,39.47,-0.376,12\n"
        let line = #"{"person":"ana","t":"2026-11-20T09:00:00Z","lat":39.47,"lon":-0.376,"\#(name)":12}"#
        for (body, type) in [(table, "text/csv"), (line, "application/x-ndjson")] {
            try await withServer { server in
                try await server.send("PUT /v1/people/ana", "{}")
                let reply = try await server.send("POST /v1/imports/pings", body, type: type)
                #expect(try await server.track("ana") == "2026-11-20T09:00:00Z,39.47,-0.376,,12,,,,", "\(reply.text)")
            }
        }
    }

    @Test(
        "A column that looks like a position of a place without one is a warning",
        arguments: [
            ("coordinates", #""39.47, -0.37""#), ("location", "POINT(-0.37 39.47)"), ("x", "-0.37"),
            ("geom", "0101000020"), ("place", #""39°28'12""N 0°22'34""W""#),
        ]) func positions(_ column: String, _ cell: String) async throws
    {
        try await withServer { server in
            let table = "id,kind,name,\(column)\na,store,A,\(cell)\nb,store,B,\(cell)\n"
            let reply = try await server.send("POST /v1/imports/places", table, type: "text/csv")
            let note = "warning: column '\(column)' looks like a position and was kept as an attribute"
            #expect(reply.body.ranges(of: note).count == 1, "\(reply.text)")
            #expect(reply.body.contains("warning: 2 places have no position"), "\(reply.text)")
        }
    }

    @Test("Places that need no position cause no warning") func noPosition() async throws {
        try await withServer { server in
            let table = "id,kind,name,servings\na,recipe,Paella,4\n"
            let reply = try await server.send("POST /v1/imports/places", table, type: "text/csv")
            #expect(!reply.body.contains("warning"), "\(reply.text)")
        }
    }
}
