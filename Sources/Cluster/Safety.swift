#if Cluster
    extension Unsafety {
        /// The oldest server version that is known to keep acknowledged messages.
        static let oldest = (major: 2, minor: 12)

        /// The reasons why a stream on such servers may lose acknowledged messages; empty if there are none.
        ///
        /// Only a majority of its servers must report their configuration, so that a node can start while one is down.
        package static func all(of info: StreamInfo, reported reports: [ServerReport]) -> [Unsafety] {
            // Without clustering a stream has no peers, and one server stores it.
            let ours = info.peers.isEmpty ? reports : reports.filter { info.peers.contains($0.server.name) }
            let needed = max(info.config.numReplicas, 3) / 2 + 1
            return all(of: info.config) + ours.flatMap(all(of:))
                + (ours.count < needed ? [.unseen(servers: ours.count, needed: needed)] : [])
        }

        private static func all(of stream: StreamConfiguration) -> [Unsafety] {
            let rows: [(setting: String, is: String, needed: String, holds: Bool)] = [
                ("num_replicas", "\(stream.numReplicas)", "3", stream.numReplicas >= 3),
                ("storage", stream.storage, "file", stream.storage == "file"),
                ("retention", stream.retention, "limits", stream.retention == "limits"),
                (
                    "persist_mode", stream.persistMode ?? "default", "default",
                    stream.persistMode ?? "default" == "default"
                ),
                (
                    "max_msgs_per_subject", "\(stream.maxMsgsPerSubject ?? -1)", "-1",
                    stream.maxMsgsPerSubject ?? -1 == -1
                ),
                ("deny_delete", "\(stream.denyDelete ?? false)", "true", stream.denyDelete == true),
                ("deny_purge", "\(stream.denyPurge ?? false)", "true", stream.denyPurge == true),
            ]
            return rows.filter { !$0.holds }.map { .stream(setting: $0.setting, is: $0.is, needed: $0.needed) }
        }

        private static func all(of report: ServerReport) -> [Unsafety] {
            var found: [Unsafety] = []
            if !isRecent(report.server.ver) {
                let needed = "\(oldest.major).\(oldest.minor)"
                found.append(.server(report.server.name, setting: "version", is: report.server.ver, needed: needed))
            }
            if !report.syncsAlways {
                found.append(
                    .server(report.server.name, setting: "sync_interval", is: "an interval", needed: "always"))
            }
            return found
        }

        private static func isRecent(_ version: String) -> Bool {
            let parts = version.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
            return parts.count == 2 && (parts[0], parts[1]) >= (oldest.major, oldest.minor)
        }
    }

    extension CommandLog {
        /// The reports of servers in the system account that arrive within a second; none without credentials for it.
        static func reports(of servers: LogServers, atMost count: Int) async throws(LogError) -> [ServerReport] {
            guard let credentials = servers.systemCredentials else { return [] }
            return try await Connection.waiting { () throws(LogError) in
                let connection = try Connection(to: servers, credentials: credentials)
                let inbox = try connection.inbox()
                try connection.send([], to: "$SYS.REQ.SERVER.PING.VARZ", answeredTo: inbox.subject + ".all")
                var reports: [ServerReport] = []
                let end = ContinuousClock.now + .seconds(1)
                while reports.count < count, let item = try inbox.next(within: end - ContinuousClock.now) {
                    if item.status == nil { reports.append(try StreamJSON.value(of: item.bytes)) }
                }
                return reports
            }
        }
    }
#endif
