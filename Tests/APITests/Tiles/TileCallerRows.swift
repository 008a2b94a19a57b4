/// The answers to every caller of the tiles of stores, of which Ana owns the only one.
extension CallerRows {
    static let tiles = [
        CallerRow(
            "GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt", "/v1/tiles/store/0/0/0.mvt",
            own: "200 \(String(decoding: wholeEarth, as: UTF8.self))", others: "200 "),
        .known(
            "GET /v1/tiles/{kind}.json", "/v1/tiles/store.json",
            """
            200 {"tilejson":"3.0.0","name":"store","tiles":["http://…/v1/tiles/store/{z}/{x}/{y}.mvt"],\
            "minzoom":0,"maxzoom":18,"bounds":[-180,-85.051129,180,85.051129],\
            "vector_layers":[{"id":"places","description":"places, and clusters with a count",\
            "fields":{"id":"String","name":"String","kind":"String","category":"String","count":"Number"}}]}
            """),
        .known(
            "GET /v1/tiles/{kind}/style.json", "/v1/tiles/store/style.json",
            """
            200 {"version":8,"name":"store",\
            "sources":{"places":{"type":"vector","url":"http://…/v1/tiles/store.json","promoteId":"id"}},\
            "layers":[\
            {"id":"ground","paint":{"background-color":"#f2efe9"},"type":"background"},\
            {"filter":["has","count"],"id":"clusters","paint":\(circles("#2563a8", "0.65", radius)),\
            "source":"places","source-layer":"places","type":"circle"},\
            {"filter":["!",["has","count"]],"id":"places","paint":\(circles("#b0341c", "0.9", "5")),\
            "source":"places","source-layer":"places","type":"circle"}]}
            """),
    ]

    private static let radius = #"["interpolate",["linear"],["log10",["get","count"]],0,6,6,30]"#

    private static func circles(_ color: String, _ opacity: String, _ radius: String) -> String {
        """
        {"circle-color":"\(color)","circle-opacity":\(opacity),"circle-radius":\(radius),\
        "circle-stroke-color":"#ffffff","circle-stroke-width":1}
        """
    }

    /// The tile of the whole Earth with Ana's store, byte by byte.
    private static let wholeEarth: [UInt8] = {
        func field(_ key: UInt8, _ content: [UInt8]) -> [UInt8] { [key, UInt8(content.count)] + content }
        // Column 2043 and row 1558 of 4096, in zigzag.
        let form: [UInt8] = [0x18, 1]
        let point = field(0x12, [0, 0, 1, 1, 2, 2]) + form + field(0x22, [9, 0xf6, 0x1f, 0xac, 0x18])
        let keys = ["id", "name", "kind", "category", "count"].flatMap { field(0x1a, Array($0.utf8)) }
        let values = ["sol", "Sol", "store"].flatMap { field(0x22, field(0x0a, Array($0.utf8))) }
        var layer: [UInt8] = [0x78, 2]
        layer += field(0x0a, Array("places".utf8))
        layer += field(0x12, point)
        layer += keys + values
        layer += [0x28, 0x80, 0x20]
        return field(0x1a, layer)
    }()
}
