internal import Geo
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange

/// The descriptions of vector tiles for map libraries, with absolute addresses.
struct TileDocuments {
    let addresses: Addresses
    /// The tiles below the places; nil for none.
    let base: MapTiles?

    /// The latitude up to which a Web Mercator map reaches.
    private static let edge = 85.051129

    @Sendable func tileJSON(_ call: Call) throws -> Answer {
        let kind = try call.placeKind
        return Answer.object { json in
            json.member("tilejson", "3.0.0")
            json.member("name", kind)
            json.member("tiles", [address("\(Self.path(kind))/{z}/{x}/{y}.mvt", call)])
            json.member("minzoom", Int64(MapTile.zooms.lowerBound))
            json.member("maxzoom", Int64(MapTile.zooms.upperBound))
            json.member("bounds") { json in
                json.list([-180, -Self.edge, 180, Self.edge]) { $0.value($1) }
            }
            json.objects("vector_layers", [VectorTile.layer]) { json, layer in
                json.member("id", layer)
                json.member("description", "places, and clusters with a count")
                json.object("fields") { json in
                    for name in VectorTile.attributes { json.member(name, name == "count" ? "Number" : "String") }
                }
            }
        }
    }

    @Sendable func style(_ call: Call) throws -> Answer {
        let kind = try call.placeKind
        return Answer.object { json in
            json.member("version", Int64(8))
            json.member("name", kind)
            json.object("sources") { json in
                json.object("places") { json in
                    json.member("type", "vector")
                    json.member("url", address("\(Self.path(kind)).json", call))
                    json.member("promoteId", "id")
                }
                if let base { json.object("base") { write(base, to: &$0, call) } }
            }
            json.member("layers") { json in
                json.list(layers) { $0.value($1) }
            }
        }
    }

    /// Writes the source of raster tiles below the places.
    private func write(_ base: MapTiles, to json: inout JSONWriter, _ call: Call) {
        json.member("type", "raster")
        json.member("tiles", base.templates.map { $0.hasPrefix("/") ? address($0, call) : $0 })
        json.member("tileSize", Int64(256))
        json.member("attribution", base.credit)
        json.member("minzoom", base.zooms.map { Int64($0.lowerBound) })
        json.member("maxzoom", Int64(base.zooms?.upperBound ?? 19))
    }

    /// The layers from the lowest to the highest: the ground, clusters that grow with their count, and places.
    private var layers: [JSON] {
        func layer(_ id: String, _ type: String, _ more: [String: JSON]) -> JSON {
            .object(["id": .text(id), "type": .text(type)].merging(more) { $1 })
        }
        let source: [String: JSON] = ["source": .text("places"), "source-layer": .text(VectorTile.layer)]
        let isCluster = JSON.list([.text("has"), .text("count")])
        let radius: [JSON] = [
            .text("interpolate"), .list([.text("linear")]),
            .list([.text("log10"), .list([.text("get"), .text("count")])]), .number(0), .number(6), .number(6),
            .number(30),
        ]
        func paint(_ color: String, _ opacity: Double, _ radius: JSON) -> JSON {
            .object([
                "circle-color": .text(color), "circle-opacity": .number(opacity), "circle-radius": radius,
                "circle-stroke-color": .text("#ffffff"), "circle-stroke-width": .number(1),
            ])
        }
        let ground = layer(
            "ground", "background", ["paint": .object(["background-color": .text("#f2efe9")])])
        let base = base.map { _ in layer("base", "raster", ["source": .text("base")]) }
        let places = [
            layer(
                "clusters", "circle",
                source.merging(["filter": isCluster, "paint": paint("#2563a8", 0.65, .list(radius))]) { $1 }),
            layer(
                "places", "circle",
                source.merging(["filter": .list([.text("!"), isCluster]), "paint": paint("#b0341c", 0.9, .number(5))]) {
                    $1
                }),
        ]
        return [ground] + [base].compactMap(\.self) + places
    }

    /// The path of a kind, without an ending.
    private static func path(_ kind: String) -> String { "/v1/tiles/\(kind.pathSegment)" }

    private func address(_ path: String, _ call: Call) -> String { addresses.base(for: call) + path }
}

extension Schema {
    /// A description of vector tiles (TileJSON 3.0).
    static let tileJSON = object(
        [
            "tilejson": text(), "name": text(), "tiles": list(of: text()), "minzoom": integer(), "maxzoom": integer(),
            "bounds": list(of: number()),
            "vector_layers": list(
                of: object(
                    ["id": text(), "description": text(), "fields": map(of: text())], required: ["id", "fields"])),
        ], required: ["tilejson", "tiles", "vector_layers"]
    ).named("TileJSON")

    /// A style for MapLibre (version 8 of its specification).
    static let mapStyle = object(
        [
            "version": integer(), "name": text(), "sources": map(of: anything),
            "layers": list(of: map(of: anything)),
        ], required: ["version", "sources", "layers"]
    ).named("MapStyle")
}
