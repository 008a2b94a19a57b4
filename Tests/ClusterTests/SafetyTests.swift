#if Cluster
    import Foundation
    import Testing

    import Cluster

    /// Detection of logs that may lose acknowledged messages.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct SafetyTests {
        private static let stream =
            #""name": "CERCA", "retention": "limits", "storage": "file", "discard": "old", "num_replicas": 3"#
            + #", "deny_delete": true, "deny_purge": true"#

        private func info(_ old: String, _ new: String) throws -> StreamInfo {
            let stream = Self.stream.replacing(old, with: new)
            return try StreamJSON.value(
                of: Array(
                    #"""
                    {"created": "now", "config": {\#(stream)}, "state": {"first_seq": 0, "last_seq": 0},
                     "cluster": {"leader": "n0", "replicas": [{"name": "n1"}, {"name": "n2"}]}}
                    """#.utf8))
        }

        private func report(_ name: String, version: String = "2.12.0", always: Bool = true) throws -> ServerReport {
            let config = always ? #"{"sync_always": true}"# : "{}"
            return try StreamJSON.value(
                of: Array(
                    #"""
                    {"server": {"name": "\#(name)", "ver": "\#(version)"}, "data": {"jetstream": {"config": \#(config)}}}
                    """#.utf8))
        }

        @Test("A safe log has no findings") func safeLog() throws {
            let all = try ["n0", "n1", "n2", "other"].map { try report($0, always: $0 != "other") }
            #expect(Unsafety.all(of: try info("", ""), reported: all) == [])
            #expect(Unsafety.all(of: try info("", ""), reported: Array(all[1...2])) == [], "one may be down")
        }

        @Test(
            "An unsafe setting of the stream is reported",
            arguments: [
                (#""num_replicas": 3"#, #""num_replicas": 1"#, "num_replicas"), (#""file""#, #""memory""#, "storage"),
                (#""limits""#, #""workqueue""#, "retention"),
                (#""deny_purge": true"#, #""deny_purge": false"#, "deny_purge"),
                (#""deny_delete": true"#, #""deny_delete": false"#, "deny_delete"),
                (#""storage""#, #""persist_mode": "async", "storage""#, "persist_mode"),
                (#""storage""#, #""max_msgs_per_subject": 1, "storage""#, "max_msgs_per_subject"),
            ])
        func unsafeStream(old: String, new: String, setting: String) throws {
            let found = Unsafety.all(of: try info(old, new), reported: try ["n0", "n1", "n2"].map { try report($0) })
            #expect(found.count == 1)
            guard case .stream(setting, _, _) = found.first else {
                Issue.record("\(found)")
                return
            }
        }

        @Test("An unsafe setting or version of a server is reported") func unsafeServers() throws {
            let good = try report("n1")
            let safe = try info("", "")
            for version in ["2.11.9", "2.9.10", "1.99.0"] {
                #expect(
                    Unsafety.all(of: safe, reported: [good, try report("n0", version: version)])
                        == [.server("n0", setting: "version", is: version, needed: "2.12")])
            }
            for version in ["2.12.0-RC.1", "2.15.1", "3.0.0"] {
                #expect(Unsafety.all(of: safe, reported: [good, try report("n0", version: version)]) == [])
            }
            #expect(
                Unsafety.all(of: safe, reported: [good, try report("n0", always: false)])
                    == [.server("n0", setting: "sync_interval", is: "an interval", needed: "always")])
            #expect(Unsafety.all(of: safe, reported: [good]) == [.unseen(servers: 1, needed: 2)])
        }

        @Test("Real servers report how they sync", arguments: ["always", "2m"])
        func realServers(sync: String) async throws {
            try await withFolder { folder in
                let servers = try Servers(1, in: folder, sync: sync)
                let log = try await servers.open(trial())
                let few: [Unsafety] = [
                    .stream(setting: "num_replicas", is: "1", needed: "3"), .unseen(servers: 1, needed: 2),
                ]
                let late = Unsafety.server("n0", setting: "sync_interval", is: "an interval", needed: "always")
                let expected = sync == "always" ? few : [few[0], late, few[1]]
                #expect(log.unsafeties == expected)
                var careful = trial()
                careful.allowsUnsafe = false
                await #expect(throws: LogError.unsafe(expected)) {
                    _ = try await CommandLog.open(careful, on: servers.log)
                }
                var silent = servers.log
                silent.systemCredentials = nil
                let blind = try await CommandLog.open(trial(), on: silent)
                #expect(blind.unsafeties == [few[0], .unseen(servers: 0, needed: 2)])
            }
        }

        @Test("Position, time, and backlog of a message are read from its reply subject") func replySubject() {
            let (prefix, rest) = ("$JS.ACK.", "CERCA.x.1.42.7.1700000000000000000.3")
            for subject in [prefix + rest, prefix + "hub.ACC." + rest + ".rnd"] {
                let numbers = Pull.numbers(in: subject)
                #expect(numbers?.position == 42, "\(subject)")
                #expect(numbers?.time == 1_700_000_000_000_000_000)
                #expect(numbers?.behind == 3)
            }
            for subject in [
                "", "$JS.ACK.CERCA.x.1.42.7.17", "a.ACK.CERCA.x.1.42.7.17.3", "$JS.ACK.CERCA.x.1.-2.7.17.3",
            ] {
                #expect(Pull.numbers(in: subject) == nil, "\(subject)")
            }
        }
    }
#endif
