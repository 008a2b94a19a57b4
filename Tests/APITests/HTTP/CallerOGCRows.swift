/// The answers to every caller of the endpoints of OGC API - Features.
extension CallerRows {
    /// The challenge for which browsers ask for the token as a password.
    static let password = #"Basic realm="cerca", charset="UTF-8""#

    static let ogc: [CallerRow] = [
        CallerRow.known(
            "GET /ogc", "/ogc",
            #"200 {"title":"Cerca","description":"Places, and for services people and their stored positions","links":["#
                + [
                    both("/ogc"), described, link("/docs", "service-doc", "text/html", "The reference"),
                    link("/ogc/conformance", "conformance", "application/json", "Conformance classes"),
                    link("/ogc/collections", "data", "application/json", "Collections"),
                ].joined(separator: ",") + "]}"),
        .known(
            "GET /ogc/conformance", "/ogc/conformance",
            #"200 {"conformsTo":["#
                + ["core", "oas30", "html", "geojson"].map {
                    "\"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/\($0)\""
                }.joined(separator: ",") + #"],"links":[\#(both("/ogc/conformance"))]}"#),
        // The document itself is long.
        .known(
            "GET /ogc/api", "/ogc/api?f=json",
            problem(
                400, "Bad Request", "unknown_parameter", "'f' is not a parameter here; known: none.")),
        CallerRow(
            "GET /ogc/collections", "/ogc/collections",
            own:
                #"200 {"collections":[{\#(stores),"links":[\#(link("/ogc/collections/places_store", "self", "application/json")),\#(items)]}],"#
                + #""links":[\#(both("/ogc/collections"))]}"#,
            others: #"200 {"collections":[],"links":[\#(both("/ogc/collections"))]}"#),
        CallerRow(
            "GET /ogc/collections/{id}", "/ogc/collections/places_store",
            own: #"200 {\#(stores),"links":[\#(both("/ogc/collections/places_store")),\#(items)]}"#, others: none),
        CallerRow(
            "GET /ogc/collections/{id}/items", "/ogc/collections/places_store/items",
            own: #"200 {"type":"FeatureCollection","features":[{\#(feature)}],"numberMatched":1,"numberReturned":1,"#
                + #""links":[\#(both("/ogc/collections/places_store/items", "application/geo+json")),\#(collection)]}"#,
            others: none),
        CallerRow(
            "GET /ogc/collections/{id}/items/{feature}", "/ogc/collections/places_store/items/sol",
            own: #"200 {\#(feature),"links":["#
                + #"\#(both("/ogc/collections/places_store/items/sol", "application/geo+json")),\#(collection)]}"#,
            others: none),
    ]

    private static let none = problem(404, "Not Found", "not_found", "There is no collection 'places_store'.")
    private static let stores =
        #""id":"places_store","title":"Places: store","description":"Places of this kind that have a position; people do not see those of other people","itemType":"feature","crs":["http://www.opengis.net/def/crs/OGC/1.3/CRS84"]"#
    private static let feature =
        #""type":"Feature","id":"sol","geometry":{"type":"Point","coordinates":[-0.376,39.47]},"properties":{"id":"sol","kind":"store","name":"Sol","owner":"ana","created":"2026-11-20T10:00:00Z"}"#
    private static let described = link(
        "/ogc/api", "service-desc", "application/vnd.oai.openapi+json;version=3.0",
        "The description of these endpoints")
    private static let collection = link("/ogc/collections/places_store", "collection", "application/json")
    private static let items = ["json", "html"].map { word in
        let type = word == "json" ? "application/geo+json" : "text/html"
        return link("/ogc/collections/places_store/items?f=\(word)", "items", type, "Features")
    }.joined(separator: ",")

    /// The links to a resource as data and as a page.
    private static func both(_ path: String, _ type: String = "application/json") -> String {
        link("\(path)?f=json", "self", type) + "," + link("\(path)?f=html", "alternate", "text/html")
    }

    private static func link(_ path: String, _ relation: String, _ type: String, _ title: String? = nil) -> String {
        let title = title.map { #","title":"\#($0)""# } ?? ""
        return #"{"href":"…\#(path)","rel":"\#(relation)","type":"\#(type)"\#(title)}"#
    }
}
