import Discovery
import Model
import Storage
import TestSupport
import Testing

/// Fences about people with given attributes.
@Suite struct AttributeFenceTests {
    private func become(_ role: String, _ shift: Double, _ engine: TestEngine) async throws {
        let ana = person("ana") { $0.attributes = ["role": .text(role), "shift": .number(shift)] }
        try await engine.perform(PutPeople([Write(ana)]))
    }

    private func reported(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 100).compactMap { event in
            guard event.payload.type.rawValue.hasPrefix("fence"), let time = event.payload.happened else {
                return nil
            }
            let (type, person) = (event.payload.type.rawValue, event.payload.person?.id.text ?? "")
            return "\(type) \(person) \(Int((time - morning).seconds.rounded()))"
        }
    }

    @Test("A fence about attributes watches the people who have them at the time")
    func currentAttributes() async throws {
        try await withEngine { engine in
            let couriers = Fence(
                id: id("couriers"), .circle(valencia, metres: 200),
                watching: .attributes(["role": ["courier", "driver"], "shift": ["1"]]))
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(PutFence(Write(couriers)))
            try await become("Driver", 2, engine)
            let far = try await engine.hinted(ping(-900, east(-2000), accuracy: 0), at: morning).hints.first
            #expect(far?.notBefore == morning - .seconds(885), "whoever may get the attributes may reach the border")
            _ = try await engine.send(ping(0, east(-1000), accuracy: 0), ping(100, valencia, accuracy: 0))
            #expect(try await reported(engine) == [], "of the other shift")
            try await become("Driver", 1, engine)
            _ = try await engine.send(ping(200, valencia, accuracy: 0), ping(200, valencia, accuracy: 0, of: "luis"))
            #expect(try await reported(engine) == ["fence.enter ana 100"], "she was there before")
            try await become("cook", 1, engine)
            _ = try await engine.send(ping(300, east(1000), accuracy: 0))
            #expect(try await reported(engine).last == "fence.exit ana 220", "who came in also leaves")
        }
    }
}
