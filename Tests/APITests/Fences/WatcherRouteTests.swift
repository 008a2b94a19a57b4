import Discovery
import Model
import TestSupport
import Testing

/// Decisions of friends and of owners of places about fences, over HTTP.
@Suite struct WatcherRouteTests {
    @Test("A person sets the alerts of a friend, and ending the friend's fence sets them to `asked`")
    func alertsOfOneFriend() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            try await server.engine.perform(MakeFriends(ID("ana"), ID("luis")), by: .service, at: morning)
            try await server.send("PATCH /v1/people/ana", #"{"sharing":{"alerts":"friends"}}"#)
            let fence = #"{"area":{"lat":39.47,"lon":-0.376,"within_m":250},"people":["ana"]}"#
            #expect(try await server.send("PUT /v1/people/luis/fences/f", fence).status == 201)
            func watching() async throws -> Bool {
                try await server.send("GET /v1/people/ana/watchers").body.contains(#""watching":true"#)
            }
            let (path, list) = ("/v1/people/ana/friends/luis/alerts", "GET /v1/people/ana/friends?fields=id,alerts")
            #expect(try await watching())
            for word in ["asked", "nobody"] {
                let body = #"{"alerts":"\#(word)"}"#
                #expect(try await server.send("PUT \(path)", body).text == "200 \(body)")
                #expect(try await server.send(list).body == #"{"items":[{"id":"luis","alerts":"\#(word)"}]}"#)
                #expect(try await !watching())
            }
            for word in ["friends", "all", ""] {
                let refused = try await server.send("PUT \(path)", #"{"alerts":"\#(word)"}"#)
                #expect(refused.status == 400 && refused.body.contains(#""pointer":"/alerts""#), "\(refused.text)")
            }
            #expect(try await server.send("DELETE \(path)").status == 204)
            #expect(try await watching())
            #expect(try await server.send("DELETE /v1/people/ana/watchers/luis/f").status == 204)
            #expect(try await server.send(list).body == #"{"items":[{"id":"luis","alerts":"asked"}]}"#)
        }
    }

    @Test("Only an owner's fence about themselves can use the area of a place that a person owns")
    func ownedPlaces() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            try await server.engine.perform(MakeFriends(ID("ana"), ID("luis")), by: .service, at: morning)
            let place =
                #"{"kind":"topic","name":"P","owner":"luis","area":{"lat":39.47,"lon":-0.376,"within_m":250}}"#
            #expect(try await server.send("PUT /v1/places/p", place, token: keys.person("luis")).status == 201)
            let area = #"{"area":{"place":"p"}"#
            let detail =
                "which a person owns; only a fence that watches just its owner can use the area of such a place"
            for (path, body, token, status) in [
                ("fences/f", #"\#(area),"everybody":true}"#, keys.service, 400),
                ("people/luis/fences/f", #"\#(area),"people":["ana"]}"#, keys.person("luis"), 400),
                ("people/luis/fences/f", #"\#(area),"people":["ana","luis"]}"#, keys.person("luis"), 400),
                ("people/luis/fences/f", area + "}", keys.person("luis"), 201),
                ("people/ana/fences/f", area + "}", keys.person("ana"), 201),
                // The circle is copied once, when the fence is written.
                (
                    "people/luis/fences/g", #"{"area":{"place":"p","within_m":50},"people":["ana"]}"#,
                    keys.person("luis"), 400
                ),
            ] {
                let reply = try await server.send("PUT /v1/\(path)", body, token: token)
                #expect(reply.status == status, "\(reply.text)")
                let isOwned = status == 400 && !body.contains("within_m")
                #expect(reply.body.contains(detail) == isOwned && reply.body.contains("/area/place") == (status == 400))
            }
        }
    }

    @Test("The watched person sees the area of the place that a fence names") func watchedPlaces() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            try await server.engine.perform(MakeFriends(ID("ana"), ID("luis")), by: .service, at: morning)
            let shape = #""lat":39.47,"lon":-0.376,"within_m":250"#
            try await server.send("PUT /v1/places/z", #"{"kind":"zone","name":"Z","area":{\#(shape)}}"#)
            let fence = #"{"area":{"place":"z"},"people":["ana"],"on":["enter"]}"#
            #expect(try await server.send("PUT /v1/people/luis/fences/f", fence).status == 201)
            func watched() async throws -> String { try await server.send("GET /v1/people/ana/watchers").body }
            #expect(try await watched().contains(#""area":{"place":"z",\#(shape)},"on""#))
            let moved = #"{"area":{"lat":40,"lon":0,"within_m":9}}"#
            #expect(try await server.send("PATCH /v1/places/z", moved).status == 200)
            #expect(try await watched().contains(#""area":{"place":"z","lat":40,"lon":0,"within_m":9},"on""#))
            try await server.send("DELETE /v1/places/z")
            #expect(try await watched().contains(#""area":{"place":"z"},"on""#))
        }
    }
}
