import Foundation
import GRDB
import Storage

/// Databases as programs of earlier schemas left them, compressed, one per version.
///
/// ``make(_:at:)`` makes them with the migrations up to a version, and rows as that version's own program wrote them.
enum SchemaFile {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schemas")

    static func kept(_ version: Int) -> URL { folder.appending(path: "\(version).sqlite.gz") }

    /// Requests before the service is stopped, which moves their pings to the table; later pings stay in the log.
    static let folded = [
        """
        PUT /v1/people/ana {"name":"Ana","surname":"García","city":"Valencia, ES","born":"1990-05-04","sex":"female",\
        "relationship":"single","email":"ana@people.example","discoverable":true,"attributes":{"team":"red"},\
        "throttle":{"distance_m":0,"interval_s":0}}
        """,
        """
        PUT /v1/people/luis {"name":"Luis","born":"1985-01-02","discoverable":true,"throttle":{"distance_m":0,\
        "interval_s":0},"sharing":{"zones":[{"id":"home","lat":39.6,"lon":-0.5,"radius_m":500}]}}
        """,
        #"PUT /v1/people/eva {"name":"Eva","born":"1999-01-02","discoverable":true}"#,
        "PUT /v1/people/ana/friends/luis", "PUT /v1/people/luis/friends/ana", "PUT /v1/people/eva/friends/ana",
        "PUT /v1/people/eva/blocks/luis", #"PUT /v1/people/ana/decisions/eva {"like":true}"#,
        """
        POST /v1/pings [{"person":"ana","t":1577836800,"lat":39.47,"lon":-0.37,"accuracy_m":5},\
        {"person":"luis","t":1577836800,"lat":39.475,"lon":-0.375}]
        """,
        """
        PUT /v1/places/shop {"kind":"store","name":"Botines","lat":39.4705,"lon":-0.3784,"category":"shoes",\
        "tags":["handmade"],"hours":"Mo-Fr 10:00-14:00","timezone":"Europe/Madrid","attributes":{"floor":2}}
        """,
        """
        PUT /v1/products/pump {"brand":"Brinquesa","name":"Fuente pump","category":"pump","colors":["red"],\
        "sizes":["EU:37"],"price":5900,"currency":"EUR"}
        """,
        #"PUT /v1/stores/shop/stock/pump {"sizes":{"EU:37":2},"price":4950,"currency":"EUR"}"#,
        #"POST /v1/places/shop/comments {"author":"ana","text":"Good shoes"}"#,
        "PUT /v1/people/ana/favourites/places/shop", "PUT /v1/people/ana/favourites/products/pump",
        "PUT /v1/people/ana/favourites/people/luis", #"POST /v1/groups {"id":"team","name":"Team","owner":"ana"}"#,
        "PUT /v1/groups/team/invitations/luis?by=ana", #"PUT /v1/people/ana/friends/luis/label {"label":"work"}"#,
        #"POST /v1/people/ana/devices {"id":"phone"}"#,
        "GET /v1/people/ana/discovery?within_m=50000",
    ]
    static let logged = [
        """
        POST /v1/pings [{"person":"ana","t":1577840400,"lat":39.48,"lon":-0.38},\
        {"person":"ana","t":1577844000,"lat":39.49,"lon":-0.39}]
        """
    ]

    /// The answers from a file of each version, or their beginnings.
    static let answers: [(request: String, body: String)] = [
        (
            "/v1/people/ana?fields=id,name,surname,born,email,attributes",
            """
            {"id":"ana","name":"Ana","surname":"García","born":"1990-05-04","email":"ana@people.example",\
            "attributes":{"team":"red"}}
            """
        ),
        ("/v1/people/ana/friends?fields=id", #"{"items":[{"id":"luis"}]}"#),
        ("/v1/people/eva/blocks?fields=id", #"{"items":[{"id":"luis"}]}"#),
        (
            "/v1/people/ana/history?fields=t,lat,lon",
            """
            {"items":[{"t":"2020-01-01T00:00:00Z","lat":39.47,"lon":-0.37},\
            {"t":"2020-01-01T01:00:00Z","lat":39.48,"lon":-0.38},{"t":"2020-01-01T02:00:00Z","lat":39.49,"lon":-0.39}]}
            """
        ),
        (
            "/v1/people/ana/friends/nearest?fields=id,lat,lon,distance_m",
            #"{"items":[{"id":"luis","lat":39.475,"lon":-0.375,"distance_m":2106.9}]}"#
        ),
        (
            "/v1/nearby?lat=39.47&lon=-0.37&within_m=5000&at=2020-01-01T00:00:00Z&fields=id",
            #"{"items":[{"id":"ana"},{"id":"luis"}]}"#
        ),
        (
            "/v1/stores/nearest?lat=39.47&lon=-0.37&q=pump&fields=id,distance_m,products",
            """
            {"items":[{"id":"shop","distance_m":724.9,"products":[{"id":"pump","brand":"Brinquesa","name":"Fuente pump",\
            "price":4950,"currency":"EUR","sizes":{"EU:37":2}}]}]}
            """
        ),
        ("/v1/people?q=garcia&fields=id", #"{"items":[{"id":"ana"}]}"#),
        ("/v1/people/ana/devices", #"{"items":[{"id":"phone","since":""#),
        ("/v1/places/shop/comments?fields=author,text", #"{"items":[{"author":"ana","text":"Good shoes"}]}"#),
        ("/v1/people/ana/favourites/places?fields=id", #"{"items":[{"id":"shop"}]}"#),
        ("/v1/groups/team/members?fields=id", #"{"items":[{"id":"ana"}]}"#),
        ("/v1/people/ana/friends?fields=id,label", #"{"items":[{"id":"luis","label":"work"}]}"#),
    ]

    // MARK: - Making them

    /// Makes a folder with everything, ended by a kill so that pings wait in the log.
    static func makeData(_ data: URL) async throws {
        var service = try await Service(data: data)
        try await ask(folded, service)
        guard service.stop() == 0 else { throw Service.Failure(service.logText) }
        service = try await Service(data: data)
        try await ask(logged, service)
        service.kill()
    }

    private static func ask(_ requests: [String], _ service: Service) async throws {
        for request in requests {
            let parts = request.split(separator: " ", maxSplits: 2).map(String.init)
            let reply = try await service.send(parts[0] + " " + parts[1], parts.count > 2 ? parts[2] : nil)
            guard reply.status < 300 else { throw Service.Failure("\(request): \(reply)") }
        }
    }

    /// Makes the file of a version from a folder with everything.
    static func make(_ version: Int, of data: URL, at file: URL) throws {
        let queue = try empty(version, at: file)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF")
            try db.execute(sql: "ATTACH ? AS source", arguments: [data.appending(path: Store.fileName).path])
            for table in try tables(db) { try fill(table, db) }
            if version >= 39 { try fillIndexes(db) }
            try db.execute(sql: "DETACH source; PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
    }

    /// Makes the file of a version without rows.
    static func makeEmpty(_ version: Int, at file: URL) throws { try empty(version, at: file).close() }

    private static func empty(_ version: Int, at file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try SpatialConnection.prepare(db)
            db.add(tokenizer: WordTokenizer.self)
        }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        var migrator = DatabaseMigrator()
        for (name, migration) in Schema.migrations.prefix(version - Schema.oldest + 1) {
            migrator.registerMigration(name, foreignKeyChecks: .immediate, migrate: migration)
        }
        try migrator.migrate(queue)
        return queue
    }

    /// The tables that hold our rows, after those that they refer to.
    private static func tables(_ db: Database) throws -> [String] {
        let sql = """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (
                SELECT name FROM source.sqlite_schema WHERE type = 'table'
                AND sql NOT LIKE '%VIRTUAL%' AND name NOT LIKE '%\\_text%' ESCAPE '\\' AND name NOT LIKE 'idx_%'
                AND name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('shadow', 'virtual')))
            AND sql LIKE '%STRICT%' OR name IN ('pings', 'positions', 'places', 'discovery_positions') ORDER BY rowid
            """
        return try String.fetchAll(db, sql: sql).filter {
            // These rows were made by the file's own migrations.
            !["text_version", "text_erasures", "secrets"].contains($0)
        }
    }

    private static func fill(_ table: String, _ db: Database) throws {
        let columns = try db.columns(in: table).map(\.name).joined(separator: ", ")
        try db.execute(
            sql: """
                DELETE FROM main.\(table);
                INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM source.\(table);
                """)
    }

    /// Fills the indexes, because no trigger does so any longer.
    private static func fillIndexes(_ db: Database) throws {
        func list(_ column: String) -> String { "(SELECT group_concat(value, ' ') FROM json_each(\(column)))" }
        try db.execute(
            sql: """
                INSERT INTO idx_places_position
                    SELECT number, MbrMinX(position), MbrMaxX(position), MbrMinY(position), MbrMaxY(position)
                    FROM places WHERE position IS NOT NULL;
                INSERT INTO people_text (rowid, name, surname)
                    SELECT number, name, surname FROM people WHERE searchable = 1;
                INSERT INTO places_text (rowid, name, address, category, tags)
                    SELECT number, name, address, category, \(list("tags")) FROM places;
                INSERT INTO products_text (rowid, brand, name, category, description, colors, materials)
                    SELECT number, brand, name, category, description, \(list("colors")), \(list("materials"))
                    FROM products;
                """)
    }
}
