#if Cluster
    import Cluster
    import Foundation
    import Testing

    /// The rules on which all users of a log must agree.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct AgreementTests {
        @Test("A node with other rules than its peers is refused") func exclusive() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                let (one, other) = (try await servers.open(trial()), try await servers.open(trial()))
                #expect(try await one.agree(on: "500 m") == nil)
                #expect(try await other.agree(on: "100 m") == "500 m")
                #expect(try await other.agree(on: "500 m") == nil)
                #expect(try await one.takeLease("work", as: "a") != nil, "a lease is something else")
            }
        }

        @Test("Rules that no node uses any longer can be replaced") func expiry() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                var settings = trial()
                settings.lease = .seconds(10)
                let (one, other) = (try await servers.open(settings), try await servers.open(settings))
                #expect(try await one.agree(on: "500 m") == nil)
                let begun = ContinuousClock.now
                while ContinuousClock.now < begun + .seconds(20) {
                    #expect(try await one.agree(on: "500 m") == nil)
                    #expect(try await other.agree(on: "100 m") == "500 m")
                    try await Task.sleep(for: .milliseconds(200))
                }
                while try await other.agree(on: "100 m") != nil { try await Task.sleep(for: .milliseconds(100)) }
                #expect(try await one.agree(on: "500 m") == "100 m")
            }
        }

        /// A replicated log reports a lost race in another way than a single server.
        @Test("Concurrent nodes with equal rules all agree") func concurrent() async throws {
            try await withFolder { folder in
                let servers = try Servers(3, in: folder)
                let log = try await servers.open(LogSettings())
                let reported = try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<16 { group.addTask { try await log.agree(on: "500 m") } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(reported == Array(repeating: nil, count: 16))
            }
        }
    }
#endif
