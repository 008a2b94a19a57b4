internal import API
internal import Configuration
internal import Foundation
internal import Storage

/// Settings of the map of the page.
extension Settings {
    static let mapKeys = Group(
        "Map",
        [
            Key(
                "map.tiles", .string(""),
                "the URL of tiles of another server with `{z}`, `{x}` and `{y}`, optionally `{s}.` before the host and `{r}`, or `osm` for OpenStreetMap's; none for the land that Cerca has"
            ),
            Key(
                "map.file", .string(""),
                "a file of map images (MBTiles with png, jpg or webp), in place of `map.tiles`; none for the land that Cerca has"
            ),
            Key(
                "map.attribution", .string(""),
                "who made the tiles, as plain text; required except for `osm` and for a file that names them"),
            Key("map.subdomains", .string(""), "the values of `{s}`, separated by commas"),
            Key(
                "map.tiles_on_links", .string("no"),
                "`yes` shows the tiles also to those who open a link of a person or a place"),
            Key(
                "map.photos", .string(""),
                "the servers from which the page loads photos of people and products, separated by commas, such as `https://photos.example`; none for initials"
            ),
        ])

    /// Sets the tiles of the map, of another server or of a file, and the servers of photos.
    func setMap(_ server: inout Server.Configuration) throws {
        let photos = try text("map.photos")
        server.photos = try Self.checked { () throws(MapTiles.Fault) in try PhotoServers(photos) }
        let (template, path) = (try text("map.tiles"), try text("map.file"))
        guard template.isEmpty || path.isEmpty else {
            throw SettingsError("map.file: is '\(path)', but map.tiles is set, too; they exclude each other")
        }
        let attribution = try text("map.attribution")
        guard path.isEmpty else {
            guard try text("map.subdomains").isEmpty else {
                throw SettingsError("map.subdomains: is set, but is not for map.file")
            }
            let file = try Self.mapFile(path, attribution)
            (server.mapFile, server.tiles) = (file, file.tiles)
            return
        }
        server.tiles = try tiles(template, attribution)
    }

    private static func mapFile(_ path: String, _ attribution: String) throws -> MapFile {
        let tiles: MBTiles
        do throws(MBTiles.Fault) { tiles = try MBTiles(URL(fileURLWithPath: path)) } catch {
            throw SettingsError("map.file: \(path) \(error.detail)")
        }
        guard MapFile.mediaType(of: tiles.sample) != nil else {
            throw SettingsError("map.file: \(path) has tiles that are no PNG, JPEG or WebP images")
        }
        let credit = attribution.isEmpty ? tiles.attribution : attribution
        guard !credit.isEmpty else {
            throw SettingsError(
                "map.attribution: is empty, and \(path) does not say who made its tiles; they must be credited")
        }
        return MapFile(attribution: credit, zooms: tiles.zooms, bounds: tiles.bounds) { zoom, x, y in
            try await tiles.image(zoom: zoom, x: x, y: y)
        }
    }

    /// The tiles of another server; nil for none.
    private func tiles(_ template: String, _ attribution: String) throws -> MapTiles? {
        let onLinks = try text("map.tiles_on_links")
        guard ["yes", "no"].contains(onLinks) else {
            throw SettingsError("map.tiles_on_links: is '\(onLinks)'; must be yes or no")
        }
        let subdomains = try text("map.subdomains")
        guard !template.isEmpty else { return nil }
        return try Self.checked { () throws(MapTiles.Fault) in
            try MapTiles(template, attribution: attribution, subdomains: subdomains, isOnLinks: onLinks == "yes")
        }
    }

    /// The result of `parse`; its fault names the setting.
    private static func checked<Value>(_ parse: () throws(MapTiles.Fault) -> Value) throws -> Value {
        do throws(MapTiles.Fault) { return try parse() } catch {
            throw SettingsError("\(error.setting): \(error.detail)")
        }
    }
}
