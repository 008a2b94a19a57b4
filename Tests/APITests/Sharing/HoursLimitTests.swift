import Testing

/// Hours by people are short, because all viewers evaluate them; those by services can be longer.
@Suite struct HoursLimitTests {
    private static let rules = (1...21).map { "Jan \($0) 10:00-12:00" }.joined(separator: "; ")
    private static let times = (0...20).map { number in
        let hour = number < 10 ? "0\(number)" : "\(number)"
        return "\(hour):00-\(hour):30"
    }.joined(separator: ",")

    private static let refusals = [
        (rules, "has 21 rules; at most 20 are allowed"),
        ("Sa " + times, "has a rule with 21 times of a day; at most 20 are allowed"),
        // The limit applies however few times are left without those that others cover.
        ("week 1-53 00:00-24:00," + times, "has a rule with 22 times of a day; at most 20 are allowed"),
    ]

    private func refused(_ pointer: String, _ detail: String) -> String {
        problem(
            400, "Bad Request", "invalid_body", "\(pointer): \(detail)",
            #"{"pointer":"\#(pointer)","code":"too_many","detail":"\#(detail)"}"#)
    }

    @Test("Timetables of people and groups have at most 20 rules of 20 times") func timetables() async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["ana"])
            for (hours, detail) in Self.refusals {
                let timetable = #""timetable":{"hours":"\#(hours)","timezone":"UTC"}"#
                for method in ["PATCH", "PUT"] {
                    let sharing = try await server.send(
                        "\(method) /v1/people/ana", #"{"sharing":{\#(timetable)}}"#, token: keys.person("ana"))
                    #expect(sharing.text == refused("/sharing/timetable/hours", detail))
                }
                let group = try await server.send(
                    "POST /v1/groups", #"{"name":"T",\#(timetable)}"#, token: keys.person("ana"))
                #expect(group.text == refused("/timetable/hours", detail))
            }
            for hours in [Self.rules.replacing("; Jan 21 10:00-12:00", with: ""), "Sa " + Self.times.dropLast(12)] {
                let body = #"{"sharing":{"timetable":{"hours":"\#(hours)","timezone":"UTC"}}}"#
                let reply = try await server.send("PATCH /v1/people/ana", body, token: keys.person("ana"))
                #expect(reply.status == 200, "\(reply.body)")
            }
        }
    }

    @Test("People keep longer timetables that services and imports wrote") func longTimetables() async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["ana"])
            let (service, ana) = (keys.service, keys.person("ana"))
            for (hours, _) in Self.refusals {
                let timetable = #""timetable":{"hours":"\#(hours)","timezone":"UTC"}"#
                let sharing = #"{"name":"Ana","sharing":{\#(timetable)}}"#
                #expect(try await server.send("PATCH /v1/people/ana", sharing, token: service).status == 200)
                for patch in [#"{"sharing":{"precision":"hidden"}}"#, #"{"name":"Ana B"}"#] {
                    let reply = try await server.send("PATCH /v1/people/ana", patch, token: ana)
                    #expect(reply.status == 200, "\(patch): \(reply.body)")
                }
                let document = try await server.send("GET /v1/people/ana", token: ana).body
                #expect(try await server.send("PUT /v1/people/ana", document, token: ana).status == 200)
                let export = try await server.send("GET /v1/exports/people", token: service).body
                #expect(try await server.send("DELETE /v1/people/ana", token: service).status == 204)
                let reply = try await server.send(
                    "POST /v1/imports/people", export, token: service, type: "application/x-ndjson")
                #expect(reply.text == #"200 {"rows":1,"created":1,"updated":0,"refused":[],"refused_count":0}"#)
                #expect(try await server.send("GET /v1/people/ana", token: ana).body == document)
            }
        }
    }

    @Test("A group keeps a longer timetable that a service wrote") func longTimetableOfGroup() async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["ana"])
            for (number, (hours, detail)) in Self.refusals.enumerated() {
                let timetable = #""timetable":{"hours":"\#(hours)","timezone":"UTC"}"#
                let group = #"{"id":"g\#(number)","name":"T","owner":"ana",\#(timetable)}"#
                #expect(try await server.send("POST /v1/groups", group, token: keys.service).status == 201)
                func patch(_ body: String) async throws -> TestServer.Reply {
                    try await server.send("PATCH /v1/groups/g\(number)", body, token: keys.person("ana"))
                }
                #expect(try await patch(#"{"name":"U"}"#).status == 200)
                let other = hours.replacing("10:00", with: "10:01").replacing("00:00-00:30", with: "00:01-00:30")
                let reply = try await patch(#"{"timetable":{"hours":"\#(other)","timezone":"UTC"}}"#)
                #expect(reply.text == refused("/timetable/hours", detail))
            }
        }
    }

    @Test("Hours of places by people are short, and those by services may be longer")
    func hoursOfPlaces() async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["ana"])
            let ana = keys.person("ana")
            for (hours, detail) in Self.refusals {
                let place = #"{"kind":"recipe","name":"P","owner":"ana","hours":"\#(hours)"}"#
                let own = try await server.send("PUT /v1/places/own", place, token: ana)
                #expect(own.text == refused("/hours", detail))
                #expect(try await server.send("PUT /v1/places/p", place, token: keys.service).status < 300)
                let renamed = try await server.send("PATCH /v1/places/p", #"{"name":"Q"}"#, token: ana)
                #expect(renamed.status == 200, "the hours are not hers: \(renamed.body)")
                let again = try await server.send(
                    "PUT /v1/places/p", place.replacing(#""name":"P""#, with: #""name":"R""#), token: ana)
                #expect(again.status == 200, "\(again.body)")
                let other = try await server.send("PATCH /v1/places/p", #"{"hours":"\#(hours) "}"#, token: ana)
                #expect(other.text == refused("/hours", detail))
            }
        }
    }
}
