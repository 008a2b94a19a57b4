internal import Foundation

/// The baseline of PostgreSQL with PostGIS, which inserts the same batches.
struct PostGISBaseline {
    /// Rows per second.
    let rate: Int

    /// Runs the baseline; nil if it is not installed.
    init?(clients: Int, batch: Int, seconds: Int, people: Int) throws {
        let run = try Run("bash", "tools/postgis.sh", "\(clients)", "\(batch)", "\(seconds)", "\(people)")
        if run.status == EX_UNAVAILABLE { return nil }
        guard run.status == 0, let rate = Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw MeasurementError("tools/postgis.sh ended with \(run.status): \(run.output)")
        }
        self.rate = rate
    }
}
