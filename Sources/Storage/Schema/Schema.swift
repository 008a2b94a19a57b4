package import GRDB
internal import Model

/// The forms of the database file since release 0.2.0, oldest first.
///
/// Migrations are only ever appended. A test compares the effect of each with its recorded effect.
package enum Schema {
    /// The version of the oldest file that this program reads.
    package static let oldest = 25
    /// The version that this program writes.
    package static let version = oldest + migrations.count - 1

    /// Files of release 0.2.0 have applied the first one as ``oldest`` steps, of which it has the name of the last.
    package static let migrations: [(String, @Sendable (Database) throws -> Void)] = [
        ("25 stays of a stop", create),
        ("26 events", addEvents),
        ("27 fences", addFences),
        ("28 fences of friends", addWatches),
        ("29 links", addShares),
        ("30 webhooks", addWebhooks),
        ("31 live positions", addLivePositions),
        ("32 areas of places", addAreas),
        ("33 how far a log was followed", addFollowedLog),
        ("34 ended tokens", addEndedTokens),
        ("35 areas of fences", addFenceAreas),
        ("36 when devices were last heard", addLastHeard),
        ("37 whose fences may tell of a person, by friend", addFriendAlerts),
        ("38 finding events of groups and comments", indexEvents),
        ("39 indexes without triggers", dropIndexTriggers),
        ("40 names of hidden and remembered places", renameHidden),
        ("41 attributes of products", addProductAttributes),
        ("42 ended tokens of deleted people", addEndedTokensOfDeleted),
    ]

    /// Migrates a file to ``version``.
    ///
    /// - Throws: ``StorageError/newerSchema(found:known:)`` for a file that a later program wrote, and
    ///   ``StorageError/olderSchema(found:)`` for one of a program before 0.2.0.
    static func migrate(_ writer: some DatabaseWriter) throws {
        _ = try writer.read { db in try appliedVersion(of: db) }
        try migrator.migrate(writer)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, migration) in migrations {
            // No migration rebuilds a table, so the references of the whole file need no check after each.
            migrator.registerMigration(name, foreignKeyChecks: .immediate, migrate: migration)
        }
        return migrator
    }

    /// The version of a file; nil for an empty one.
    private static func appliedVersion(of db: Database) throws -> Int? {
        let applied = try migrator.appliedIdentifiers(db)
        guard let found = applied.compactMap({ Int($0.prefix { $0.isNumber }) }).max() else { return nil }
        if found > version { throw StorageError.newerSchema(found: found, known: version) }
        if found < oldest { throw StorageError.olderSchema(found: found) }
        return found
    }

    /// The version of a file.
    ///
    /// - Throws: as ``migrate(_:)``, and ``StorageError/damaged(_:)`` for a file that Cerca did not create.
    static func version(of db: Database) throws -> Int {
        guard let version = try appliedVersion(of: db) else { throw StorageError.damaged("Cerca did not create it") }
        return version
    }

    @Sendable private static func addEndedTokens(_ db: Database) throws {
        try db.execute(
            sql: "ALTER TABLE people ADD COLUMN tokens_not_before_ms INTEGER CHECK (tokens_not_before_ms >= 0)")
    }

    /// By a keyed hash of the deleted person's id.
    @Sendable private static func addEndedTokensOfDeleted(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE ended_tokens (
                    person_hash INTEGER PRIMARY KEY,
                    not_before_ms INTEGER NOT NULL CHECK (not_before_ms >= 0)
                ) STRICT
                """)
    }
}
