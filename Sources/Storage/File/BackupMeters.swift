internal import CoreMetrics
internal import Meters
internal import Model

/// Metrics of the service's own backups.
package struct BackupMeters: Sendable {
    private let newest: Meter
    private let failures: Counter

    /// Registers the metrics of a store; the newest backup is from an earlier run, nil for none.
    package init(of store: Store, newest backup: BackupFolder.Backup?) {
        newest = store.meters.gauge(.backupTime)
        failures = store.meters.counter(.backupFailures)
        newest.set(Double(backup?.time.milliseconds ?? 0) / 1000)
    }

    /// Records a successful backup.
    package func wrote(_ backup: BackupFolder.Backup) { newest.set(Double(backup.time.milliseconds) / 1000) }

    /// Records a failed backup.
    package func failed() { failures.increment() }
}
