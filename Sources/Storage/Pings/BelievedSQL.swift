/// Queries for what is believed of a person's pings: none reads the suspect ones that lie between.
///
/// Parameters are the person and, but for the newest, an instant.
package enum BelievedSQL {
    /// Named, so that no statistics make SQLite take the index of all pings.
    private static let believed = "SELECT \(PingRow.columns) FROM pings INDEXED BY believed_pings WHERE suspect = 0"

    /// Those up to an instant, latest first.
    package static let before =
        "\(believed) AND person = ? AND time_ms <= ? ORDER BY time_ms DESC, sequence DESC"

    /// Those after an instant, earliest first.
    package static let after = "\(believed) AND person = ? AND time_ms > ? ORDER BY time_ms, sequence"

    /// All, latest first.
    package static let newest = "\(believed) AND person = ? ORDER BY time_ms DESC, sequence DESC"

    /// The suspect ones at an instant.
    package static let suspects = """
        SELECT \(PingRow.columns) FROM pings INDEXED BY suspect_pings WHERE person = ? AND time_ms = ? AND suspect = 1
        """
}
