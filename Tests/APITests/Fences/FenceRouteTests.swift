import Foundation
import NIOHTTP1
import Testing

/// Fences over HTTP.
@Suite struct FenceRouteTests {
    private static let triangle = "[[[-0.38,39.46],[-0.37,39.46],[-0.375,39.48],[-0.38,39.46]]]"

    @Test(arguments: [
        #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250},"people":["ana"],"on":["enter"],"once":true,"note":"Milk"}"#,
        #"{"area":{"type":"Polygon","coordinates":\#(triangle)},"everybody":true,"on":["enter","exit"],"margin_m":20}"#,
        #"{"area":{"type":"MultiPolygon","coordinates":[\#(triangle),\#(triangle)]},"everybody":true,"on":["exit"]}"#,
        #"{"area":{"type":"LineString","coordinates":[[179.9,10],[-179.9,10.5]],"within_m":50},"people":["ana"],"on":["dwell"],"dwell_s":60,"timetable":{"hours":"Mo-Fr 08:00-16:00","timezone":"Europe/Madrid"},"ends":"2027-01-01T00:00:00Z"}"#,
    ])
    func aFenceIsToldAsItWasWritten(body: String) async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let made = try await server.send("PUT /v1/fences/f", body)
            #expect(made.status == 201, "\(made.body)")
            let told = try await server.send("GET /v1/fences/f")
            #expect(told.body.contains(#"{"id":"f","area":"#) && told.body == made.body)
            let again = try await server.send("PUT /v1/fences/f", told.body)
            #expect(again.status == 200 && again.headers["etag"] == made.headers["etag"], "\(again.body)")
            #expect(try await server.send("DELETE /v1/fences/f").status == 204)
            #expect(try await server.send("GET /v1/fences/f").status == 404)
        }
    }

    @Test func theSurroundingsOfAPlaceAreACircle() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.376}"#)
            let body = #"{"area":{"place":"sol","within_m":80},"everybody":true}"#
            let made = try await server.send("PUT /v1/fences/f", body)
            #expect(
                made.body
                    == #"{"id":"f","area":{"lat":39.47,"lon":-0.376,"within_m":80},"everybody":true,"on":["enter","exit"]}"#
            )
        }
    }

    @Test(arguments: [
        (#"{}"#, "/area"), (#"{"area":{"lat":39,"lon":0,"within_m":10}}"#, "/people"),
        (#"{"area":{"lat":39,"lon":0},"everybody":true}"#, "/area/within_m"),
        (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"group":"g"}"#, "/people"),
        (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":["pass"]}"#, "/on"),
        (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":["dwell"]}"#, "/dwell_s"),
        (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"dwell_s":5}"#, "/dwell_s"),
        (#"{"area":{"place":"nowhere","within_m":10},"everybody":true}"#, "/area/place"),
        (#"{"area":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]},"everybody":true}"#, "/area/coordinates"),
        (#"{"area":{"type":"LineString","coordinates":[[0,0]],"within_m":10},"everybody":true}"#, "/area/coordinates"),
        (#"{"area":{"type":"Point","coordinates":[0,0],"within_m":10},"everybody":true}"#, "/area/type"),
    ])
    func aFaultIsSaidWhereItIs(body: String, pointer: String) async throws {
        try await withServer { server in
            let reply = try await server.send("PUT /v1/fences/f", body)
            #expect(reply.status == 400 && reply.body.contains(#""pointer":"\#(pointer)""#), "\(reply.body)")
        }
    }

    @Test func whoComesIntoAFenceIsToldToThoseWhoFollow() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            try await server.send(
                "PUT /v1/people/ana/fences/milk", #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250},"note":"Milk"}"#)
            var stream = try await EventSource(server, "/v1/events?type=fence.enter,fence.exit")
            try await server.send(
                "POST /v1/pings", #"{"person":"ana","lat":39.47,"lon":-0.376,"t":"2026-11-20T09:59:00Z"}"#)
            let told = try await stream.next()
            #expect(
                told.data
                    == #"{"id":\#(told.id),"type":"fence.enter","at":"2026-11-20T09:59:00Z","person":"ana","other":"ana","fence":"milk","note":"Milk"}"#
            )
            stream.close()
        }
    }

    @Test func aPersonHasNoMoreThanAHundredAndNamesNobodyElse() async throws {
        try await withKeys { _ in
        } _: { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            let area = #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250}"#
            for number in 0..<100 {
                let reply = try await server.send(
                    "PUT /v1/people/ana/fences/f\(number)", area + "}", token: keys.person("ana"))
                #expect(reply.status == 201)
            }
            let one = try await server.send("PUT /v1/people/ana/fences/more", area + "}", token: keys.person("ana"))
            #expect(one.status == 409 && one.body.contains("too_many_fences"))
            let other = try await server.send(
                "PUT /v1/people/ana/fences/f1", area + #","people":["luis"]}"#, token: keys.person("ana"))
            #expect(other.status == 400 && other.body.contains(#""pointer":"/people""#))
        }
    }
}
