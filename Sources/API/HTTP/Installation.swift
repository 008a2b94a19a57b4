internal import Discovery
public import Model

/// The state of a service's installation, without paths and secrets.
public struct Installation: Sendable {
    /// The version of the database's schema.
    public var schema: Int
    /// The bytes of the database.
    public var databaseBytes: Int
    /// The newest backup: the time of its start, and its bytes; nil for none.
    public var backup: (at: Timestamp, bytes: Int)?
    /// The checks of the doctor with their results, each one of ``states``.
    public var findings: [(subject: String, state: String)]

    /// The possible results of a check.
    static let states = ["ok", "warning", "fault"]

    /// Creates the state of an installation.
    public init(
        schema: Int, databaseBytes: Int, backup: (at: Timestamp, bytes: Int)?,
        findings: [(subject: String, state: String)]
    ) {
        (self.schema, self.databaseBytes, self.backup, self.findings) = (schema, databaseBytes, backup, findings)
    }
}

/// Examines an installation on the background threads, at most once a minute.
actor Examination {
    private static let pause = Duration.seconds(60)

    private let examine: @Sendable () async -> Installation
    private var newest: (start: ContinuousClock.Instant, result: Task<(Installation, at: Timestamp), Never>)?

    init(_ examine: @escaping @Sendable () async -> Installation) { self.examine = examine }

    /// The result of the last minute, or of an examination that begins now.
    func result(at now: Timestamp) async -> (Installation, at: Timestamp) {
        if let newest, .now - newest.start < Self.pause { return await newest.result.value }
        let result = Task { [examine] in (await BackgroundExecutor.run { await examine() }, at: now) }
        newest = (.now, result)
        return await result.value
    }
}
