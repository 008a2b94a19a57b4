import Discovery
import Model
import TestSupport
import Testing

/// Visibility of people to each other.
@Suite struct VisibilityTests {
    /// A person with all properties set.
    private func open(_ name: String) -> Person {
        person(name) { person in
            person.surname = "S"
            person.city = "Gandia"
            person.sex = .female
            person.relationship = .single
            person.email = "\(name)@example.com"
            person.phone = "1"
            person.photo = "https://example.com/p"
            person.about = "a"
            person.attributes = ["size": .text("EU:37")]
            person.throttle = ThrottleOverride(distance: 900)
            person.retention = .seconds(86_400)
        }
    }

    private func stranger(_ name: String) -> Person {
        var person = Person(id: id(name))
        person.name = name
        person.city = "Gandia"
        return person
    }

    private func friend(_ name: String) -> Person {
        var person = stranger(name)
        (person.surname, person.email, person.phone) = ("S", "\(name)@example.com", "1")
        (person.photo, person.about) = ("https://example.com/p", "a")
        return person
    }

    private func part(_ name: String, for viewer: String, _ engine: TestEngine) throws -> Person? {
        let view = try engine.engine.read { state throws(Refusal) in
            try state.person(id(name), for: .person(id(viewer)))
        }
        guard case .part(let person) = view else { return nil }
        return person
    }

    @Test("Strangers see name and city, friends also contact details") func profiles() async throws {
        try await withEngine { engine in
            try await engine.add(open("ana"), open("luis"), open("eva"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(Befriend(id("eva"), id("ana")))
            #expect(try part("ana", for: "luis", engine) == friend("ana"))
            #expect(try part("ana", for: "eva", engine) == stranger("ana"), "who has asked is no friend yet")
            #expect(try part("ana", for: "nobody", engine) == stranger("ana"))
            let own = try engine.engine.read { state throws(Refusal) in
                try state.person(id("ana"), for: .person(id("ana")))
            }
            guard case .whole(let record) = own else { return #expect(Bool(false), "it is her own") }
            #expect(record.value == open("ana"))
        }
    }

    @Test("Lists show no more than profiles, except photos of matches") func lists() async throws {
        try await withEngine { engine in
            try await engine.add(open("ana"), open("luis"), open("eva"), open("bea"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(Befriend(id("eva"), id("ana")))
            try await engine.perform(Decide(id("ana"), id("eva"), likes: true))
            try await engine.perform(Decide(id("eva"), id("ana"), likes: true))
            func people(_ tie: Tie) async throws -> [Person] {
                try await engine.engine.people(tie, of: id("ana"), at: morning).people.map(\.person)
            }
            var match = stranger("eva")
            match.photo = "https://example.com/p"
            #expect(try await people(.friends) == [friend("luis")])
            #expect(try await people(.askedBy) == [stranger("eva")])
            #expect(try await people(.matches) == [match])
            for hidden in ["ana", "eva"] {
                var shy = open(hidden)
                shy.isDiscoverable = false
                try await engine.add(shy)
                #expect(try await people(.matches) == [stranger("eva")], "no picture while \(hidden) cannot be found")
                try await engine.add(open(hidden))
            }
            try await engine.perform(Block(id("ana"), id("bea")))
            #expect(try await people(.blocks) == [stranger("bea")])
            let blocked = try engine.engine.read { state throws(Refusal) in try state.blocked(id("bea"), by: id("ana"))
            }
            #expect(blocked == stranger("bea"))
        }
    }

    @Test("Positions are visible to friends only") func positions() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            _ = try await engine.send(ping(0, valencia))
            func place(of name: String, for viewer: String) -> Result<Position, Refusal> {
                Result { () throws(Refusal) in
                    try engine.engine.read { state throws(Refusal) in
                        try state.position(of: id(name), for: .person(id(viewer)), at: morning)
                    }
                }
            }
            #expect(try place(of: "ana", for: "ana").get().place == valencia)
            #expect(try place(of: "ana", for: "luis").get().place == valencia)
            #expect(place(of: "luis", for: "ana") == .failure(.unknown(.position, id("luis"))))
            #expect(place(of: "ana", for: "eva") == .failure(.unknown(.position, id("ana"))))
            #expect(place(of: "ghost", for: "eva") == .failure(.unknown(.position, id("ghost"))))
            try await engine.perform(Block(id("luis"), id("ana")))
            #expect(place(of: "ana", for: "luis") == .failure(.unknown(.position, id("ana"))))
        }
    }

    @Test("Only services set thresholds below the service's") func thresholds() async throws {
        try await withEngine { engine async throws in
            let ana = Caller.person(id("ana"))
            func write(_ distance: Double?, _ interval: Duration?, by caller: Caller) async throws -> Bool {
                let document = person("ana") { $0.throttle = ThrottleOverride(distance: distance, interval: interval) }
                switch try await engine.perform(PutPeople([Write(document)]), by: caller)[0] {
                case .success: return true
                case .failure(let refusal):
                    #expect(refusal == .throttleTooLow(distance: 500, interval: .seconds(120)))
                    return false
                }
            }
            #expect(try await write(499, nil, by: ana) == false)
            #expect(try await write(nil, .seconds(119), by: ana) == false)
            #expect(try await write(500, .seconds(120), by: ana))
            #expect(try await write(100, .seconds(30), by: .service))
            #expect(try await write(100, .seconds(30), by: ana), "what a service set may stay")
            #expect(try await write(99, .seconds(30), by: ana) == false)
            #expect(try await write(nil, nil, by: ana))
            #expect(try await write(100, nil, by: ana) == false, "and is gone when it was taken away")
        }
    }
}
