internal import CoreMetrics
internal import Meters
internal import Model

/// What is measured of the service's own backups.
package struct BackupMeters: Sendable {
    private let newest: Meter
    private let failures: Counter

    /// Measures are told with those of a store; the newest backup is that of an earlier run, nil for none.
    package init(of store: Store, newest backup: BackupFolder.Backup?) {
        newest = store.meters.gauge(.backupTime)
        failures = store.meters.counter(.backupFailures)
        newest.set(Double(backup?.time.milliseconds ?? 0) / 1000)
    }

    /// Takes note of a backup.
    package func wrote(_ backup: BackupFolder.Backup) { newest.set(Double(backup.time.milliseconds) / 1000) }

    /// Takes note that one could not be written.
    package func failed() { failures.increment() }
}
