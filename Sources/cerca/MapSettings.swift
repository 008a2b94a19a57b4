internal import API
internal import Configuration

/// Settings of the map of the page.
extension Settings {
    static let mapKeys = Group(
        "Map",
        [
            Key(
                "map.tiles", .string(""),
                "the URL of tiles of another server with `{z}`, `{x}` and `{y}`, optionally `{s}.` before the host and `{r}`, or `osm` for OpenStreetMap's; none for the land that Cerca has"
            ),
            Key("map.attribution", .string(""), "who made the tiles, as plain text; required except for `osm`"),
            Key("map.subdomains", .string(""), "the values of `{s}`, separated by commas"),
            Key(
                "map.tiles_on_links", .string("no"),
                "`yes` shows the tiles also to those who open a link of a person or a place"),
        ])

    /// The tiles of another server; nil for none.
    var tiles: MapTiles? {
        get throws {
            let template = try text("map.tiles")
            let onLinks = try text("map.tiles_on_links")
            guard ["yes", "no"].contains(onLinks) else {
                throw SettingsError("map.tiles_on_links: is '\(onLinks)'; must be yes or no")
            }
            let (attribution, subdomains) = (try text("map.attribution"), try text("map.subdomains"))
            guard !template.isEmpty else { return nil }
            do throws(MapTiles.Fault) {
                return try MapTiles(
                    template, attribution: attribution, subdomains: subdomains, isOnLinks: onLinks == "yes")
            } catch { throw SettingsError("\(error.setting): \(error.detail)") }
        }
    }
}
