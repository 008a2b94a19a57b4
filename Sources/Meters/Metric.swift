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
    case compactionBacklog = "cerca_compaction_backlog_pings"
    case compactionLag = "cerca_compaction_lag_seconds"
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
                "Answers begun, by the route's template (none without a route) and the class of the status",
                by: "method", "route", "status")
        case .requestSeconds:
            .histogram(
                "seconds", "Time from the head of a request to the beginning of its answer", in: Self.seconds,
                by: "method", "route")
        case .scansCutOff:
            .counter("answers", "Truncated answers, whose scan read limits.scan entities", by: "route")
        case .rateRefusals:
            .counter("requests", "Requests refused because their caller sent too many", by: "caller")
        case .running: .gauge("requests", "Requests in progress, by the kind of work", by: "work")
        case .queued: .gauge("requests", "Requests that wait for processing", by: "work")
        case .shed: .counter("requests", "Requests refused because the queue was full or the wait too long", by: "work")
        case .connections: .gauge("connections", "Open connections")
        case .streams: .gauge("answers", "Streamed answers in progress")
        case .readers: .gauge("streams", "Open streams of events")
        case .webhooks: .gauge("webhooks", "Webhooks, by whether they are enabled", by: "state")
        case .webhookDeliveries:
            .counter("deliveries", "Attempts to deliver, and events given up, by outcome", by: "outcome")
        case .webhookLag: .gauge("seconds", "Age of the oldest event that waits to be delivered to a webhook")
        case .pings: .counter("pings", "Positions received, by verdict", by: "verdict")
        case .commitSeconds:
            .histogram("seconds", "Time of a commit from its first turn until it is on disk", in: Self.seconds)
        case .syncSeconds:
            .histogram(
                "seconds", "Time of COMMIT within a commit: writing and syncing the write-ahead log", in: Self.seconds)
        case .commitItems:
            .histogram(
                "turns", "Turns of callers that share a commit",
                in: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096])
        case .commitFailures: .counter("commits", "Commits that failed, so that nothing was stored")
        case .writerBacklog: .gauge("pings", "Work that waits for the writer, in equivalent pings")
        case .publishWait:
            .histogram("seconds", "Time that a commit waits for readers of the previous live state", in: Self.seconds)
        case .longestReading: .gauge("steps", "The longest reading of the live state since the start")
        case .longestTurn: .gauge("steps", "The longest turn of the writer since the start")
        case .compactionBacklog: .gauge("pings", "Positions in the ping log that wait for compaction")
        case .compactionLag: .gauge("seconds", "Time since the last compaction finished")
        case .walBytes: .gauge("bytes", "Size of the write-ahead log")
        case .logPosition: .gauge("messages", "The last applied message of the followed log; 0 without a log")
        case .logLag: .gauge("seconds", "Time since the end of the followed log was last reached; 0 without a log")
        case .logDiffers: .gauge("", "1 if another node had another result at the last comparison, else 0")
        case .backupTime:
            .gauge("seconds", "When the newest backup of the service began, since 1970; 0 without backups")
        case .backupFailures: .counter("backups", "Backups of the service that could not be written")
        case .entities: .gauge("entities", "People, places and products in the live state", by: "kind")
        case .memory: .gauge("bytes", "Resident memory of the process, including the live state with its indexes")
        case .processor: .counter("seconds", "Processor time of all threads")
        case .startTime: .gauge("seconds", "When the process started, since 1970")
        case .openFiles: .gauge("files", "Open files, including connections")
        case .mostOpenFiles: .gauge("files", "The maximum number of open files")
        }
    }
}
