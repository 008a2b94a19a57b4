import Foundation
import Testing

/// Settings of the map that could admit more than was meant.
@Suite(.timeLimit(.minutes(60))) struct MapSettingTests {
    @Test(
        "A bad setting of the map ends the start by its name",
        arguments: [
            (
                ["CERCA_MAP_TILES": "http://tiles.example/{z}/{x}/{y}"],
                "map.tiles: is 'http://tiles.example/{z}/{x}/{y}'; http is only for this machine, others need https"
            ),
            (
                ["CERCA_MAP_TILES": "https://*.example/{z}/{x}/{y}"],
                "map.tiles: is 'https://*.example/{z}/{x}/{y}', which is not a URL such as"
            ),
            (
                ["CERCA_MAP_TILES": "https://tiles.example"],
                "map.tiles: is 'https://tiles.example'; must have {z}, {x} and {y}"
            ),
            (
                ["CERCA_MAP_TILES": "https://{s}.tiles.example/{z}/{x}/{y}"],
                "map.tiles: has {s}; map.subdomains must list its values"
            ),
            (
                ["CERCA_MAP_TILES": "osm", "CERCA_MAP_SUBDOMAINS": "a"],
                "map.subdomains: is set, but map.tiles has no {s}"
            ),
            (["CERCA_MAP_TILES": "https://tiles.example/{z}/{x}/{y}"], "map.attribution: is empty"),
            (["CERCA_MAP_TILES_ON_LINKS": "perhaps"], "map.tiles_on_links: is 'perhaps'; must be yes or no"),
            (
                ["CERCA_MAP_PHOTOS": "https://a.example,http://b.example"],
                "map.photos: is 'http://b.example'; http is only for this machine, others need https"
            ),
            (
                ["CERCA_MAP_PHOTOS": "*"], "map.photos: is '*', which is not a URL such as https://photos.example"
            ),
        ]) func refused(_ settings: [String: String], _ message: String) async throws
    {
        try await withFolder { folder in
            let data = folder.appending(path: "data").path
            let result = try Program.run("serve", "--data", data, "--port", "0", environment: settings)
            #expect(result.code == 78 && result.errors.contains(message), "\(result)")
        }
    }
}
