public import Foundation
internal import GRDB
internal import Model

/// A file of map tiles in the format MBTiles 1.3, opened read-only.
public struct MBTiles: Sendable {
    /// An error in a file.
    public struct Fault: Error, Hashable {
        /// The fault, as the end of a sentence about the file.
        public let detail: String

        /// An error with this detail.
        public init(detail: String) { self.detail = detail }
    }

    /// The credit, perhaps in HTML; empty if the file has none.
    public let attribution: String
    /// The zoom levels of the tiles.
    public let zooms: ClosedRange<Int>
    /// West, south, east and north in degrees; nil if the file does not say.
    public let bounds: [Double]?
    /// Any of the tiles.
    public let sample: Data
    private let queue: DatabaseQueue

    /// Opens a file.
    ///
    /// - Throws: ``Fault`` for a file without raster tiles.
    public init(_ file: URL) throws(Fault) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
            throw Fault(detail: "does not exist")
        }
        guard !isFolder.boolValue, FileManager.default.isReadableFile(atPath: file.path) else {
            throw Fault(detail: isFolder.boolValue ? "is a folder" : "cannot be read")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "map"
        do {
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
            (attribution, bounds, zooms, sample) = try queue.read { db in
                let metadata = try Self.metadata(db)
                let (zooms, sample) = try Self.tiles(db, metadata)
                return (metadata["attribution"] ?? "", Self.bounds(metadata["bounds"]), zooms, sample)
            }
        } catch let fault as Fault { throw fault } catch {
            guard let error = error as? DatabaseError else { throw Fault(detail: "cannot be read: \(error)") }
            let isNone = error.resultCode.primaryResultCode == .SQLITE_NOTADB
            throw Fault(detail: isNone ? "is not an SQLite database" : "cannot be read: \(error.message ?? "\(error)")")
        }
    }

    /// Reads the image of a tile, off the caller's thread.
    ///
    /// - Parameters:
    ///   - zoom: the zoom level.
    ///   - x: the column from the west.
    ///   - y: the row from the north.
    /// - Returns: nil if the file has no such tile.
    /// - Throws: an error of SQLite.
    public func image(zoom: Int, x: Int, y: Int) async throws -> Data? {
        // MBTiles counts rows from the south.
        let row = (1 << zoom) - 1 - y
        return try await queue.read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?")
            return try Data.fetchOne(statement, arguments: [zoom, x, row])
        }
    }

    private static func metadata(_ db: Database) throws -> [String: String] {
        guard try db.columns(of: "metadata").isSuperset(of: ["name", "value"]) else {
            throw Fault(detail: "is not an MBTiles file: it has no table 'metadata' with the columns name and value")
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM metadata WHERE name IS NOT NULL AND value IS NOT NULL
                """)
        return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    private static func tiles(_ db: Database, _ metadata: [String: String]) throws -> (ClosedRange<Int>, Data) {
        guard try db.columns(of: "tiles").isSuperset(of: ["zoom_level", "tile_column", "tile_row", "tile_data"]) else {
            throw Fault(
                detail: "is not an MBTiles file: it has no table 'tiles' with the columns zoom_level, tile_column, "
                    + "tile_row and tile_data")
        }
        guard metadata["format"] != "pbf" else {
            throw Fault(detail: "has vector tiles (format pbf); must have images: png, jpg or webp")
        }
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT CAST(min(zoom_level) AS INTEGER), CAST(max(zoom_level) AS INTEGER) FROM tiles
                    """),
            let least = row[0] as Int?, let most = row[1] as Int?,
            let sample = try Data.fetchOne(db, sql: "SELECT tile_data FROM tiles LIMIT 1")
        else { throw Fault(detail: "has no tiles") }
        guard 0 <= least, most <= 30 else { throw Fault(detail: "has a zoom level that is not from 0 to 30") }
        return (least...most, sample)
    }

    private static func bounds(_ text: String?) -> [Double]? {
        let numbers = text?.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) } ?? []
        let known = numbers.compactMap(\.self)
        return known.count == 4 && numbers.count == 4 && known.allSatisfy(\.isFinite) ? known : nil
    }
}

extension Database {
    /// The names of the columns of a table or view; empty if there is none.
    fileprivate func columns(of table: String) throws -> Set<String> {
        Set(try String.fetchAll(self, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]))
    }
}
