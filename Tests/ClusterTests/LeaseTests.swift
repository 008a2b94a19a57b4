#if Cluster
    import Cluster
    import Foundation
    import Testing

    /// Leases for work that only one node may do.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct LeaseTests {
        @Test("A lease has one holder") func exclusive() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                let log = try await servers.open(trial())
                let first = try #require(try await log.takeLease("work", as: "a"))
                #expect(first.end > .now)
                #expect(try await log.takeLease("work", as: "b") == nil)
                #expect(try await log.takeLease("other", as: "b") != nil)
                let longer = try #require(try await log.renew(first))
                #expect(longer.revision > first.revision)
                #expect(try await log.renew(first) == nil, "it was renewed already")
                try await log.end(first)
                #expect(try await log.takeLease("work", as: "b") == nil, "only its last revision ends it")
                try await log.end(longer)
                let next = try #require(try await log.takeLease("work", as: "b"))
                #expect(next.revision > longer.revision)
                #expect(try await log.renew(longer) == nil)
            }
        }

        @Test("A lease that is not renewed expires") func expiry() async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder)
                var settings = trial()
                settings.lease = .seconds(1)
                let log = try await servers.open(settings)
                let first = try #require(try await log.takeLease("work", as: "a"))
                var next: Lease?
                while next == nil { next = try await log.takeLease("work", as: "b") }
                #expect(.now > first.end, "who had it knew before")
                #expect(try #require(next).revision > first.revision)
                #expect(try await log.renew(first) == nil)
            }
        }
    }
#endif
