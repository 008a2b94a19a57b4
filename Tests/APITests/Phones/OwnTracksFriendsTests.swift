import API
import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Friends in the OwnTracks app.
@Suite struct OwnTracksFriendsTests {
    private static let own =
        #"{"_type":"location","tid":"AN","lat":39.47,"lon":-0.376,"tst":1795168700,"topic":"owntracks/ana/phone"},{"_type":"card","tid":"AN","name":"Ana"}"#
    private static let lula =
        #"{"_type":"location","tid":"kb","lat":39.47,"lon":-0.38,"tst":1795168200,"topic":"owntracks/lula/cerca"},{"_type":"card","tid":"kb","name":"Lula"}"#
    private static let luis =
        #"{"_type":"location","tid":"LU","lat":39.48,"lon":-0.376,"tst":1795168200,"topic":"owntracks/luis/cerca"},{"_type":"card","tid":"LU","name":"Luis"}"#

    private func perform(_ action: some Action, _ server: TestServer) async throws {
        try await server.engine.perform(action, by: .service, at: morning)
    }

    /// Ana's friends are Luis, Lula, Rosa, who has no position, and Bea, who has blocked her since; Eva is a stranger.
    private func withFriends(_ body: (TestServer, _ token: String) async throws -> Void) async throws {
        try await withServer { server in
            try await server.add([
                ("luis", try place(39.48, -0.376)), ("lula", try place(39.47, -0.38)), ("rosa", nil),
                ("bea", try place(39.47, -0.376)), ("eva", try place(39.47, -0.376)),
            ])
            let token = try await server.phone(of: "ana", named: "Ana")
            let ana = try PersonID("ana")
            for friend in ["luis", "lula", "rosa", "bea"] {
                try await perform(MakeFriends(ana, try ID(friend)), server)
            }
            try await perform(Block(try ID("bea"), ana), server)
            try await body(server, token)
        }
    }

    private func ask(_ server: TestServer, _ token: String, _ members: String = #""tst":1795168700"#) async throws
        -> String
    {
        let body = #"{"_type":"location","lat":39.47,"lon":-0.376,\#(members)}"#
        let send = PhoneSend("POST /ingest/owntracks", ["authorization": "Bearer {token}"], body, reply: "")
        return try await server.send(send, token).text
    }

    @Test("An answer has the caller and the friends with known places, nearest first")
    func nearestFirst() async throws {
        try await withFriends { server, token in
            #expect(try await ask(server, token) == "200 [\(Self.own),\(Self.lula),\(Self.luis)]")
            // The phone has the name that Luis would get, so he gets his next choice.
            let other = try await ask(server, token, #""tst":1795168700,"tid":"LU","topic":"owntracks/x/y""#)
            #expect(other.contains(#""tid":"LU","lat":39.47,"lon":-0.376,"tst":1795168700,"topic":"owntracks/x/y""#))
            #expect(!other.contains(Self.luis) && other.contains(#""name":"Luis""#))
            try await perform(Unfriend(try ID("luis"), try ID("ana")), server)
            let less = try await ask(server, token)
            #expect(!less.contains("Luis") && !less.contains("Bea") && !less.contains("Eva") && !less.contains("Rosa"))
        }
    }

    @Test("A person without a position sees friends too") func withoutPosition() async throws {
        try await withFriends { server, token in
            let reply = try await ask(server, token, #""tst":1795198700"#)
            #expect(reply == #"200 [{"_type":"card","tid":"AN","name":"Ana"},\#(Self.lula),\#(Self.luis)]"#)
        }
    }

    @Test("A friend is at the newest known fix") func newestFix() async throws {
        try await withFriends { server, token in
            let luis = try PersonID("luis")
            var fix = PingReport(person: luis, time: morning - .seconds(300), place: try place(39.5, -0.4))
            fix.details.accuracy = 12.3
            var confirmed = PingReport(person: luis, time: morning - .seconds(60), place: try place(39.5, -0.4))
            confirmed.details.accuracy = 12.3
            try await perform(Record([fix, confirmed]), server)
            #expect(
                try await ask(server, token).contains(
                    #""lat":39.5,"lon":-0.4,"tst":1795168740,"acc":13,"topic":"owntracks/luis/cerca""#))
        }
    }

    @Test("An inexact place has the radius in which the friend is") func accuracy() async throws {
        try await withFriends { server, token in
            let patch = { (precision: String) in #"{"sharing":{"precision":"\#(precision)"}}"# }
            for (precision, radius) in [("approximate", 1900), ("city", 47_000)] {
                try await server.send("PATCH /v1/people/luis", patch(precision))
                let reply = try await ask(server, token)
                #expect(!reply.contains(Self.luis) && reply.contains(Self.lula))
                let form =
                    #/"tid":"LU","lat":([-.\d]+),"lon":([-.\d]+),"tst":\d+,"acc":(\d+),"topic":"owntracks\/luis\/cerca"/#
                let match = try #require(reply.firstMatch(of: form), "\(reply)")
                let (latitude, longitude) = (try #require(Double(match.1)), try #require(Double(match.2)))
                #expect(Int(match.3) == radius)
                let distance = Geodesic.distance(
                    from: try place(latitude, longitude), to: try place(39.48, -0.376))
                #expect(distance < Double(radius) && distance > 1)
            }
            try await server.send("PATCH /v1/people/luis", patch("hidden"))
            let reply = try await ask(server, token)
            #expect(!reply.contains("Luis") && reply.contains(Self.lula))
        }
    }

    /// Where cells are longest, near the corner of a face, and beyond the farthest corner of a cell by the hysteresis.
    @Test("The radius includes a friend beyond the corner of a cell") func cellCorner() async throws {
        try await withFriends { server, token in
            let cell = CubeCell(containing: try place(35.2, 45.1), level: 13)
            let farthest = (0..<360).map { bearing in
                var metres = 0.0
                func place() -> Coordinate {
                    Geodesic.destination(from: cell.centre, bearing: Double(bearing), metres: metres)
                }
                while cell.overshoot(of: place()) < 0.14 { metres += 10 }
                return (metres, place())
            }.max { $0.0 < $1.0 }
            let (metres, corner) = try #require(farthest)
            #expect(metres > 1200 && cell.overshoot(of: corner) < 0.15)
            try await server.send("PATCH /v1/people/luis", #"{"sharing":{"precision":"approximate"}}"#)
            let luis = try PersonID("luis")
            for (place, second) in [(cell.centre, 100_000), (corner, 101_000)] {
                let report = PingReport(person: luis, time: morning + .seconds(second), place: place)
                try await server.engine.perform(Record([report]), by: .service, at: morning + .seconds(200_000))
            }
            let reply = try await ask(server, token)
            let form = #/"tid":"LU","lat":([-.\d]+),"lon":([-.\d]+),"tst":\d+,"acc":(\d+)/#
            let match = try #require(reply.firstMatch(of: form), "\(reply)")
            #expect(Double(match.1) == cell.centre.latitude && Double(match.2) == cell.centre.longitude)
            #expect(try #require(Double(match.3)) >= metres + 200, "also if the receiver was off")
        }
    }

    @Test("Characters with a meaning in topics are encoded") func encodedTopics() async throws {
        try await withServer { server in
            try await server.add([("a/b+c#d%", try place(1, 1))])
            let token = try await server.phone(of: "ana", named: "Ana")
            try await perform(MakeFriends(try ID("ana"), try ID("a/b+c#d%")), server)
            #expect(try await ask(server, token).contains(#""topic":"owntracks/a%2Fb%2Bc%23d%25/cerca""#))
        }
    }

    @Test("Tracker ids have two characters and are unique") func trackerIDs() throws {
        func person(_ id: String, _ name: String?, _ surname: String? = nil) throws -> Person {
            var person = Person(id: try ID(id))
            (person.name, person.surname) = (name, surname)
            return person
        }
        let some = try [
            person("a", "Álvaro", "Núñez"), person("b", "Ana"), person("c", nil), person("dd", "Ольга"),
            person("e", "Ana", "Ñ"), person("f", "3 PO"),
        ]
        let ids = TrackerIDs(for: some, besides: "DD")
        #expect(some.prefix(2).map { ids[$0.id] } == ["AN", "Kn"])
        #expect(ids[some[5].id] == "3P")
        for seed in RandomCases.seeds(0..<50) {
            var random = SeededGenerator(seed: seed)
            let people = try (0..<random.integer(1...1500)).map { number in
                try person(
                    "p\(number)", random.pick(["Ana", "Luis", "Eva", ""]), random.pick(["García", "López", nil]))
            }
            let own = random.pick(["AG", "AN", "me"])
            let ids = TrackerIDs(for: people, besides: own)
            let given = people.compactMap { ids[$0.id] }
            #expect(Set(given + [own]).count == people.count + 1, "seed \(seed)")
            #expect(given.allSatisfy { $0.utf8.count == 2 }, "seed \(seed)")
            let again = TrackerIDs(for: people.shuffled(using: &random), besides: own)
            #expect(people.allSatisfy { again[$0.id] == ids[$0.id] }, "seed \(seed)")
        }
    }

    @Test("Beyond 2,500 friends there are no tracker ids") func trackerLimit() throws {
        let people = try (0..<4000).map { Person(id: try ID("p\($0)")) }
        let ids = TrackerIDs(for: people, besides: "AN")
        #expect(people.count { ids[$0.id] != nil } == 2500)
    }
}
