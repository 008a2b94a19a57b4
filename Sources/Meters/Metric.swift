/// A metric of the service, whose raw value is its Prometheus name.
///
/// Every metric is declared here, once. Code gets a handle from ``Meters``; docs/operations.md has the table.
package enum Metric: String, CaseIterable, Sendable {
    case requests = "cerca_http_requests_total"
    case requestSeconds = "cerca_http_request_duration_seconds"
    case scansCutOff = "cerca_http_scans_cut_off_total"
    case rateRefusals = "cerca_http_rate_refusals_total"
    case running = "cerca_http_running_requests"
    case queued = "cerca_http_waiting_requests"
    case shed = "cerca_http_shed_total"
    case connections = "cerca_http_connections"
    case streams = "cerca_http_streams"
    case readers = "cerca_event_readers"
    case webhooks = "cerca_webhooks"
    case webhookDeliveries = "cerca_webhook_deliveries_total"
    case webhookLag = "cerca_webhook_lag_seconds"
    case pings = "cerca_pings_total"
    case commitSeconds = "cerca_commit_duration_seconds"
    case syncSeconds = "cerca_commit_sync_seconds"
    case commitItems = "cerca_commit_items"
    case commitFailures = "cerca_commit_failures_total"
    case writerBacklog = "cerca_writer_backlog"
    case publishWait = "cerca_publish_wait_seconds"
    case longestReading = "cerca_longest_reading_steps"
    case longestTurn = "cerca_longest_turn_steps"
    case foldBacklog = "cerca_fold_backlog_pings"
    case foldLag = "cerca_fold_lag_seconds"
    case walBytes = "cerca_wal_bytes"
    case logPosition = "cerca_log_position"
    case logLag = "cerca_log_lag_seconds"
    case logDiffers = "cerca_log_differs"
    case backupTime = "cerca_backup_newest_timestamp_seconds"
    case backupFailures = "cerca_backup_failures_total"
    case entities = "cerca_entities"
    case memory = "process_resident_memory_bytes"
    case processor = "process_cpu_seconds_total"
    case startTime = "process_start_time_seconds"
    case openFiles = "process_open_fds"
    case mostOpenFiles = "process_max_fds"

    /// The meaning and format of a metric.
    package struct Declaration: Sendable {
        /// A Prometheus metric type.
        package enum Kind: String, Sendable { case counter, gauge, histogram }

        package let kind: Kind
        /// The unit of a value; durations are reported in seconds, and sizes in bytes.
        package let unit: String
        /// A sentence without its full stop.
        package let help: String
        /// The names of the labels, in the order of their values in ``Meters``.
        package let labels: [String]
        /// The upper bounds of a histogram's buckets, in the unit, ascending.
        let bounds: [Double]

        /// Whether empty series are omitted, because there is a series for each route.
        var isSparse: Bool { labels.contains("route") }

        static func counter(_ unit: String, _ help: String, by labels: String...) -> Declaration {
            Declaration(kind: .counter, unit: unit, help: help, labels: labels, bounds: [])
        }

        static func gauge(_ unit: String, _ help: String, by labels: String...) -> Declaration {
            Declaration(kind: .gauge, unit: unit, help: help, labels: labels, bounds: [])
        }

        static func histogram(
            _ unit: String, _ help: String, in bounds: [Double], by labels: String...
        ) -> Declaration {
            Declaration(kind: .histogram, unit: unit, help: help, labels: labels, bounds: bounds)
        }
    }

    private static let seconds = [
        0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
    ]

    package var declaration: Declaration {
        switch self {
        case .requests:
            .counter(
                "requests",
                "Answers begun, by the route's template (none for what has no route) and the kind of status",
                by: "method", "route", "status")
        case .requestSeconds:
            .histogram(
                "seconds", "Time from the head of a request to the beginning of its answer", in: Self.seconds,
                by: "method", "route")
        case .scansCutOff:
            .counter("answers", "Answers that say truncated, because a scan read limits.scan entities", by: "route")
        case .rateRefusals:
            .counter("requests", "Requests refused because their caller sent too many", by: "caller")
        case .running: .gauge("requests", "Requests that are worked on, by the kind of work", by: "work")
        case .queued: .gauge("requests", "Requests that wait to be worked on", by: "work")
        case .shed: .counter("requests", "Requests refused because too many waited, or they for too long", by: "work")
        case .connections: .gauge("connections", "Connections that are open")
        case .streams: .gauge("answers", "Long answers that are being sent")
        case .readers: .gauge("streams", "Streams of events that are followed")
        case .webhooks: .gauge("webhooks", "Webhooks, by whether they take events", by: "state")
        case .webhookDeliveries:
            .counter("deliveries", "Attempts to deliver, and events given up, by what came of them", by: "outcome")
        case .webhookLag: .gauge("seconds", "Age of the oldest event that waits to be delivered to a webhook")
        case .pings: .counter("pings", "Positions judged and stored, or not stored, by verdict", by: "verdict")
        case .commitSeconds:
            .histogram("seconds", "Time of a commit from its first turn until it is on disk", in: Self.seconds)
        case .syncSeconds:
            .histogram(
                "seconds", "Of that the time of COMMIT: writing and syncing the write-ahead log", in: Self.seconds)
        case .commitItems:
            .histogram(
                "turns", "Turns of callers that share a commit",
                in: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096])
        case .commitFailures: .counter("commits", "Commits of which nothing was stored")
        case .writerBacklog: .gauge("pings", "Work that waits for the writer, in pings that cost as much")
        case .publishWait:
            .histogram("seconds", "Time that a commit waits for readers of the old picture", in: Self.seconds)
        case .longestReading: .gauge("steps", "The longest reading of the picture since the start")
        case .longestTurn: .gauge("steps", "The longest turn of the writer since the start")
        case .foldBacklog: .gauge("pings", "Positions in the ping log that are to be folded into the tables")
        case .foldLag: .gauge("seconds", "Time since a fold last came to its end")
        case .walBytes: .gauge("bytes", "Size of the write-ahead log")
        case .logPosition: .gauge("messages", "The last message of the log that was followed; 0 where none is")
        case .logLag: .gauge("seconds", "Time since the end of the log was last reached; 0 where none is followed")
        case .logDiffers: .gauge("", "1 if another node came to something else when all last compared, else 0")
        case .backupTime:
            .gauge("seconds", "When the newest backup of the service began, since 1970; 0 if there is none")
        case .backupFailures: .counter("backups", "Backups of the service that could not be written")
        case .entities: .gauge("entities", "People, places and products in the picture", by: "kind")
        case .memory: .gauge("bytes", "Resident memory of the process, the picture with its indexes included")
        case .processor: .counter("seconds", "Processor time of all threads")
        case .startTime: .gauge("seconds", "When the process started, since 1970")
        case .openFiles: .gauge("files", "Open files, connections included")
        case .mostOpenFiles: .gauge("files", "Files that may be open")
        }
    }
}
