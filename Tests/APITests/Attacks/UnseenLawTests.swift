import Discovery
import Foundation
import Model
import TestSupport
import Testing

/// Noninterference: neither the answers to a person nor their cost depend on what the person is not shown.
///
/// Eve calls every endpoint in two worlds that differ only in what she is not shown. Status, headers, bodies, remaining
/// limits, and the work charged to her are compared.
@Suite(.serialized) struct UnseenLawTests {
    /// Returns all answers to Eve on a walk.
    private func walk(_ side: UnseenWorld.Side) async throws -> Answers {
        let all = Answers()
        try await UnseenWorld.run(side) { world in
            var requests = UnseenRequests(world.server)
            func ask(_ some: [UnseenRequest]) async throws {
                for request in some { all.add(try await world.ask(request), to: request) }
            }
            try await ask(requests.reading(withParameters: true))
            try await ask(UnseenRequests.upload(0, at: world.clock.now.milliseconds))
            try await ask(UnseenRequests.fences)
            try await ask(requests.writing(lasting: false))
            for round in 1...6 {
                if round == 4 { try await ask([UnseenRequests.fenceOfGroup]) }
                try await world.stir(round)
                try await ask(UnseenRequests.upload(round, at: world.clock.now.milliseconds))
            }
            try await ask(requests.reading(withParameters: false))
            try await ask(requests.writing(lasting: true))
        }
        return all
    }

    @Test("Neither answers nor their cost depend on what a person is not shown") func unseen() async throws {
        let walks = (near: try await walk(.near), far: try await walk(.far))
        let (near, far) = (walks.near.list, walks.far.list)
        // Eve has no number of an event, and only services may search a collection for a person.
        let untried = ["GET /ogc/collections/{id}/items?person", "GET /v1/events?lastEventId"]
        #expect(walks.near.refused == untried, "a parameter without a valid sample value is not tried")
        #expect(near.count == far.count && near.count > 300)
        for (one, other) in zip(near, far) {
            if one.text != other.text { Issue.record("\(one.text)\nor \(other.text)") }
            // An export is charged per piece, whose bytes are rounded each time.
            let tolerance = one.text.contains("/export") ? 8 : 0
            if abs(one.steps - other.steps) > tolerance {
                Issue.record("\(one.steps) or \(other.steps) steps: \(one.text.prefix(300))")
            }
        }
        // Visible people must appear, or the law would hold for silence.
        #expect(near.contains { $0.text.contains("near.enter") && $0.text.contains("open0000") })
        #expect(near.contains { $0.text.contains("discovery") && $0.text.contains("plain000") })
        print("law of the unseen: \(near.count) requests")
    }

    /// Checks that the walk distinguishes worlds that differ in what she is shown.
    @Test("The walk detects a friend who becomes visible") func seen() async throws {
        let (near, shown) = (try await walk(.near).list, try await walk(.shown).list)
        let differing = zip(near, shown).filter { $0.text != $1.text }
        #expect(differing.contains { $0.0.text.hasPrefix("GET /v1/people/eve/friends/nearest") })
        #expect(differing.contains { $0.1.text.contains("near.enter") && $0.1.text.contains("hidden00") })
    }

    /// Returns what a stream of Eve's sends while others move, up to a link of hers.
    private func follow(_ side: UnseenWorld.Side) async throws -> [String] {
        let all = Answers()
        try await UnseenWorld.run(side) { world in
            for request in UnseenRequests.fences { _ = try await world.ask(request) }
            var stream = try await EventSource(
                world.server, "/v1/events", headers: ["authorization": "Bearer \(world.token)"])
            // Whether the stream began before the moves that made the world is not compared.
            let opening = UnseenRequest("POST /v1/people/eve/shares", #"{"for_s":60}"#)
            _ = try await world.ask(opening)
            while try await stream.next().type != "share.opened" {}
            for round in 1...4 {
                try await world.stir(round)
                for request in UnseenRequests.upload(round, at: world.clock.now.milliseconds).prefix(1) {
                    all.add(try await world.ask(request))
                }
                all.add(try await world.ask(opening))
                var reported: [String] = []
                repeat {
                    let event = try await stream.next()
                    reported.append("\(event.type) \(event.data.replacing(#/"id":\d+/#, with: "…"))")
                } while !(reported.last?.hasPrefix("share.opened") ?? true)
                for line in reported.sorted() { all.add(UnseenWorld.Answer(text: line, steps: 0)) }
            }
            stream.close()
        }
        // The stream's own polls are charged whenever they occur, so the work is not compared.
        return all.list.map { $0.text.replacing(#/[-_A-Za-z0-9]{22,}/#, with: "…") }
    }

    @Test("A stream does not depend on people who are not shown") func streams() async throws {
        let (near, far) = (try await follow(.near), try await follow(.far))
        #expect(near == far)
        #expect(near.contains { $0.hasPrefix("ping.moved") && $0.contains("open0000") })
    }
}

/// Answers that a closure collects.
private final class Answers {
    private(set) var list: [UnseenWorld.Answer] = []
    /// Whether any request with a parameter was valid, by endpoint and parameter.
    private var tried: [String: Bool] = [:]

    /// The parameters whose requests were all invalid.
    var refused: [String] { tried.filter { !$0.value }.keys.sorted() }

    func add(_ answer: UnseenWorld.Answer, to request: UnseenRequest? = nil) {
        list.append(answer)
        guard let parameter = request?.tried else { return }
        tried[parameter] = tried[parameter, default: false] || !answer.text.contains("\"status\":400")
    }
}
