import Discovery
import Foundation
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Fences over HTTP.
@Suite struct FenceRouteTests {
    private static let triangle = "[[[-0.38,39.46],[-0.37,39.46],[-0.375,39.48],[-0.38,39.46]]]"

    @Test(
        "A fence is returned as it was written",
        arguments: [
            #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250},"people":["ana"],"on":["enter"],"once":true,"note":"Milk"}"#,
            #"{"area":{"type":"Polygon","coordinates":\#(triangle)},"everybody":true,"on":["enter","exit"],"margin_m":20}"#,
            #"{"area":{"type":"MultiPolygon","coordinates":[\#(triangle),\#(triangle)]},"everybody":true,"on":["exit"]}"#,
            #"{"area":{"places":{"kind":"delivery"}},"everybody":true,"on":["enter","exit"]}"#,
            #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250},"everybody":true,"on":["enter"],"margin_m":20,"confirm":2}"#,
            #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250},"attributes":{"role":"courier","team":["a","b"]},"on":["exit"]}"#,
            #"{"near":{"of":"ana","who":["luis"],"within_m":300,"margin_m":50},"on":["enter","exit"]}"#,
            #"{"near":{"of":"ana","who":"friends","within_m":300},"on":["enter"],"once":true}"#,
            #"{"people":["ana"],"on":["silent"],"silent_s":3600,"note":"Call her"}"#,
            #"{"area":{"type":"LineString","coordinates":[[179.9,10],[-179.9,10.5]],"within_m":50},"people":["ana"],"on":["dwell"],"dwell_s":60,"timetable":{"hours":"Mo-Fr 08:00-16:00","timezone":"Europe/Madrid"},"ends":"2027-01-01T00:00:00Z"}"#,
        ])
    func roundTrip(body: String) async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            let made = try await server.send("PUT /v1/fences/f", body)
            #expect(made.status == 201, "\(made.body)")
            let reported = try await server.send("GET /v1/fences/f")
            #expect(reported.body.hasPrefix(#"{"id":"f","#) && reported.body == made.body)
            let again = try await server.send("PUT /v1/fences/f", reported.body)
            #expect(again.status == 200 && again.headers["etag"] == made.headers["etag"], "\(again.body)")
            #expect(try await server.send("DELETE /v1/fences/f").status == 204)
            #expect(try await server.send("GET /v1/fences/f").status == 404)
        }
    }

    @Test("A fence can refer to the area of a place") func placeArea() async throws {
        try await withServer { server in
            let zone = #"{"kind":"zone","name":"Z","area":{"lat":39.47,"lon":-0.376,"within_m":250}}"#
            #expect(try await server.send("PUT /v1/places/zone", zone).status == 201)
            let made = try await server.send("PUT /v1/fences/f", #"{"area":{"place":"zone"},"everybody":true}"#)
            #expect(made.body == #"{"id":"f","area":{"place":"zone"},"everybody":true,"on":["enter","exit"]}"#)
            let reported = try await server.send("GET /v1/fences/f")
            #expect(reported.body == made.body)
            #expect(try await server.send("PUT /v1/fences/f", reported.body).status == 200)
        }
    }

    @Test("Fences are listed by the people they watch and by location") func filters() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            let here = #"{"lat":39.47,"lon":-0.376,"within_m":250}"#
            let there = #"{"lat":40.4,"lon":-3.7,"within_m":250}"#
            for (id, body) in [
                ("a", #"{"area":\#(here),"people":["ana"]}"#), ("b", #"{"area":\#(there),"people":["ana","luis"]}"#),
                ("c", #"{"area":\#(here),"everybody":true}"#),
                ("d", #"{"near":{"of":"luis","who":["ana"],"within_m":300}}"#),
                ("e", #"{"area":\#(there),"attributes":{"role":"courier"}}"#),
            ] { #expect(try await server.send("PUT /v1/fences/\(id)", body).status == 201, "\(id)") }
            let (luis, madrid) = (try PersonID("luis"), try place(40.4, -3.7))
            let many = try (0..<450).map { number in
                PutFence(
                    Write(
                        Fence(id: try ID("many\(number)"), .circle(madrid, metres: 250), watching: .people([luis]))))
            }
            try await server.engine.perform(Batch(many), by: .service, at: morning)
            try await server.send("PUT /v1/fences/z", #"{"area":\#(there),"people":["ana"]}"#)
            func listed(_ query: String) async throws -> String {
                let page = try await server.send("GET /v1/fences?limit=3&fields=id&\(query)").body
                return page.matches(of: #/"id":"([^"]+)"/#).map { String($0.1) }.joined(separator: " ")
            }
            #expect(try await listed("person=ana") == "a b c")
            #expect(try await listed("person=luis") == "b c d")
            #expect(try await listed("lat=39.47&lon=-0.37&within_m=1000") == "a c")
            #expect(try await listed("lat=39.47&lon=-0.37&within_m=1000&person=luis") == "c")
            #expect(try await listed("lat=39.47&lon=-0.37&within_m=10") == "")
            #expect(try await listed("lat=40.4&lon=-3.7&within_m=0&person=ana") == "b z")
            #expect(try await server.send("GET /v1/fences?person=nobody").status == 404)
            #expect(try await server.send("GET /v1/fences?lat=39&lon=0").status == 400)
        }
    }

    @Test("The surroundings of a place are a circle") func surroundings() async throws {
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

    @Test(
        "A fault is reported with its pointer",
        arguments: [
            (#"{}"#, "/area"), (#"{"area":{"lat":39,"lon":0,"within_m":10}}"#, "/people"),
            (#"{"area":{"lat":39,"lon":0},"everybody":true}"#, "/area/within_m"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"group":"g"}"#, "/people"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":["pass"]}"#, "/on"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":["dwell"]}"#, "/dwell_s"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"dwell_s":5}"#, "/dwell_s"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"attributes":{"role":"x"}}"#, "/people"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"attributes":{}}"#, "/attributes"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"attributes":{"role":[]}}"#, "/attributes"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"attributes":{"role":null}}"#, "/attributes"),
            (#"{"area":{"place":"nowhere","within_m":10},"everybody":true}"#, "/area/place"),
            (#"{"area":{"place":"nowhere"},"everybody":true}"#, "/area/place"),
            (#"{"area":{"places":{}},"everybody":true}"#, "/area/places/kind"),
            (#"{"area":{"places":{"kind":"zone"},"within_m":5},"everybody":true}"#, "/area/within_m"),
            (
                #"{"area":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]},"everybody":true}"#,
                "/area/coordinates"
            ),
            (
                #"{"area":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,5],[2,5],[2,6],[1,5]]]},"everybody":true}"#,
                "/area/coordinates"
            ),
            (#"{"near":{"who":"friends","within_m":10}}"#, "/near/of"),
            (#"{"near":{"of":"ana","within_m":10}}"#, "/near/who"),
            (#"{"near":{"of":"ana","who":"friends"}}"#, "/near/within_m"),
            (#"{"near":{"of":"ana","who":"all","within_m":10}}"#, "/near/who"),
            (#"{"near":{"of":"ana","who":"friends","within_m":10},"on":["dwell"],"dwell_s":5}"#, "/on"),
            (#"{"near":{"of":"ana","who":"friends","within_m":10},"everybody":true}"#, "/everybody"),
            (#"{"near":{"of":"ana","who":"friends","within_m":10},"confirm":2}"#, "/confirm"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"confirm":3}"#, "/confirm"),
            (#"{"people":["ana"],"on":["silent"],"silent_s":60,"confirm":2}"#, "/confirm"),
            (#"{"silent_s":60}"#, "/people"), (#"{"people":["ana"],"on":["silent"]}"#, "/silent_s"),
            (#"{"people":["ana"],"on":["silent","exit"],"silent_s":60}"#, "/on"),
            (
                #"{"area":{"type":"LineString","coordinates":[[0,0]],"within_m":10},"everybody":true}"#,
                "/area/coordinates"
            ),
            (#"{"area":{"type":"Point","coordinates":[0,0],"within_m":10},"everybody":true}"#, "/area/type"),
        ])
    func pointers(body: String, pointer: String) async throws {
        try await withServer { server in
            let reply = try await server.send("PUT /v1/fences/f", body)
            #expect(reply.status == 400 && reply.body.contains(#""pointer":"\#(pointer)""#), "\(reply.body)")
        }
    }

    @Test(
        "One mistake is reported as one fault",
        arguments: [
            #"{"area":{"lat":39,"lon":0},"everybody":true}"#,
            #"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":["entering"]}"#,
            #"{"people":["ana"],"on":["silence"],"silent_s":60}"#,
            #"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":"enter"}"#,
            #"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":["dwell","in"],"dwell_s":60}"#,
            #"{"area":{"lat":39,"lon":0,"within_m":10},"people":[1]}"#,
            #"{"area":{"lat":39,"lon":0,"within_m":10},"group":"a b"}"#,
            #"{"area":{"type":"Circle","lat":39,"lon":0,"within_m":10},"everybody":true}"#,
            #"{"near":{"of":"ana","who":[1],"within_m":10}}"#,
            #"{"people":[],"on":["silent"],"silent_s":60}"#,
            #"{"area":{"lat":39,"lon":0,"within_m":10},"everybody":true,"on":["dwell"],"dwell_s":0}"#,
            #"{"area":{"type":"Point","coordinates":[0,0]},"everybody":true}"#,
            #"{"people":["ana"],"on":["silent"],"silent_s":5}"#,
            #"{"near":{"of":"ana","who":"everybody","within_m":10}}"#,
        ])
    func singleFault(body: String) async throws {
        try await withServer { server in
            let reply = try await server.send("PUT /v1/fences/f", body)
            let faults = reply.body.matches(of: /"pointer"/).count
            #expect(reply.status == 400 && faults == 1, "\(reply.body)")
        }
    }

    @Test(
        "The detail of a fault explains what is possible",
        arguments: [
            (
                #"{"area":{"lat":39,"lon":0,"within_m":10},"people":["ana"],"onn":[]}"#,
                "known: id, on, silent_s, near, "
            ),
            (#"{"near":{"of":"ana","within_m":10,"whom":["luis"]}}"#, "known: of, who, margin_m, within_m"),
            (#"{"area":{"lat":39,"lon":0,"within_m":10},"people":["ana"],"group":"g"}"#, "exactly one of 'people'"),
            (#"{"area":{"plase":"sol"},"people":["ana"]}"#, "did you mean 'place'?"),
            (#"{"area":{"place":"nowhere"},"people":["ana"]}"#, "a place that does not exist"),
        ])
    func explanations(body: String, words: String) async throws {
        try await withServer { server in
            let reply = try await server.send("PUT /v1/fences/f", body)
            #expect(reply.status == 400 && reply.body.contains(words), "\(reply.body)")
        }
    }

    @Test("Followers of events see who enters a fence") func entries() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            try await server.send(
                "PUT /v1/people/ana/fences/milk", #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250},"note":"Milk"}"#)
            var stream = try await EventSource(server, "/v1/events?type=fence.enter,fence.exit")
            try await server.send(
                "POST /v1/pings", #"{"person":"ana","lat":39.47,"lon":-0.376,"t":"2026-11-20T09:59:00Z"}"#)
            let reported = try await stream.next()
            #expect(
                reported.data
                    == #"{"id":\#(reported.id),"type":"fence.enter","at":"2026-11-20T09:59:00Z","person":"ana","other":"ana","fence":"milk","note":"Milk"}"#
            )
            stream.close()
        }
    }

    @Test("A watched person sees the watcher and can end that") func watchers() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            for line in ["PUT /v1/people/ana/friends/luis", "PUT /v1/people/luis/friends/ana"] {
                #expect(try await server.send(line).status < 300)
            }
            try await server.send("PATCH /v1/people/ana", #"{"sharing":{"alerts":"asked"}}"#)
            let area = #""area":{"lat":39.47,"lon":-0.376,"within_m":250},"on":["enter"]"#
            let body = #"{\#(area),"people":["ana"],"note":"Hers"}"#
            let made = try await server.send("PUT /v1/people/luis/fences/school", body)
            let reported =
                #"{"id":"school",\#(area.replacing(#","on""#, with: #","people":["ana"],"on""#)),"note":"Hers"}"#
            #expect(made.status == 201 && made.body == reported)
            let watcher = #"{"owner":"luis","fence":"school",\#(area),"asked":"2026-11-20T10:00:00Z","#
            let accepted = #""accepted":"2026-11-20T10:00:00Z","watching":true}"#
            try await expect(
                [
                    Exchange("GET /v1/people/ana/watchers", nil, #"200 {"items":[\#(watcher)"watching":false}]}"#),
                    Exchange("PUT /v1/people/ana/watchers/luis/school", nil, "204 "),
                    Exchange("GET /v1/people/ana/watchers", nil, #"200 {"items":[\#(watcher)\#(accepted)]}"#),
                    Exchange("DELETE /v1/people/ana/watchers/luis/school", nil, "204 "),
                    Exchange("GET /v1/people/ana/watchers", nil, #"200 {"items":[]}"#),
                    Exchange("GET /v1/people/luis/fences/school", nil, "200 \(reported)"),
                ], of: server)
            #expect(try await server.send("PUT /v1/people/ana/watchers/luis/school").status == 404)
        }
    }

    @Test("A person has at most 100 fences, and none about strangers") func fenceLimit() async throws {
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
            #expect(other.status == 404 && other.body.contains("There is no friend 'luis'."))
        }
    }
}
