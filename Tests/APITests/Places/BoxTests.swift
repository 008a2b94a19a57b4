import Testing

/// Boxes of maps that were moved around the world.
@Suite struct BoxParameterTests {
    @Test(
        "A box beyond 180° is the same part of the world",
        arguments: [
            ("170,-20,190,-10", true), ("-190,-20,-170,-10", true), ("170,-20,-170,-10", true),
            ("530,-20,550,-10", true),
            ("-550,-20,-530,-10", true), ("-180,-90,180,90", true), ("-360,-90,360,90", true), ("0,-20,360,-10", true),
            ("179.9,-20,181,-10", true), ("-180.5,-20,-179.9,-10", true), ("181,-20,190,-10", false),
            ("170,-20,179.9,-10", false), ("-259.36,-0.13,-212.5,20.5", false), ("190,-20,200,-10", false),
        ]) func beyond(_ box: String, _ isInside: Bool) async throws
    {
        try await withServer { server in
            try await server.send("PUT /v1/places/b", #"{"kind":"bb","name":"B","lat":-16.8,"lon":-179.95}"#)
            let reply = try await server.send("GET /v1/places?bbox=\(box)&fields=id")
            #expect(reply.status == 200 && reply.body.contains(#""id":"b""#) == isInside, "\(reply.text)")
        }
    }

    @Test(
        "A refused box names its fault",
        arguments: [
            ("1,2,3", "four numbers"), ("1,40,2,38", "south not above north"),
            ("1,-91,2,3", "latitudes from -90 to 90"),
            ("190,1,-170,2", "only with west below east"), ("5000,1,5001,2", "beyond 180 or -180"),
            ("170,-10,190,-20", "south not above north"),
        ]) func faults(_ box: String, _ fault: String) async throws
    {
        try await withServer { server in
            let reply = try await server.send("GET /v1/places?bbox=\(box)")
            #expect(reply.status == 400 && reply.body.contains(fault), "\(reply.text)")
        }
    }
}
