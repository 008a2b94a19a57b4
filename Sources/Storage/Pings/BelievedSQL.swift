/// Queries for a person's believed pings, which skip suspect pings without reading them.
///
/// The parameters are the person and, except for ``newest``, an instant.
package enum BelievedSQL {
    /// The index is named so that statistics cannot make SQLite choose the index of all pings.
    private static let believed = "SELECT \(PingRow.columns) FROM pings INDEXED BY believed_pings WHERE suspect = 0"

    /// The pings up to an instant, latest first.
    package static let before =
        "\(believed) AND person = ? AND time_ms <= ? ORDER BY time_ms DESC, sequence DESC"

    /// The pings after an instant, earliest first.
    package static let after = "\(believed) AND person = ? AND time_ms > ? ORDER BY time_ms, sequence"

    /// All pings, latest first.
    package static let newest = "\(believed) AND person = ? ORDER BY time_ms DESC, sequence DESC"

    /// The suspect pings at an instant.
    package static let suspects = """
        SELECT \(PingRow.columns) FROM pings INDEXED BY suspect_pings WHERE person = ? AND time_ms = ? AND suspect = 1
        """
}
