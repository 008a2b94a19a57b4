internal import Cities
internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import Interchange

/// The web page at `/`, the reference at `/docs` and the JavaScript client at `/client.js`, with their files: embedded
/// ones, and the files of Leaflet and qrcode-generator, which are read from folders.
struct PageRoutes {
    let engine: Engine
    let configuration: Server.Configuration
    private let cache = PageFile.Cache()

    init(engine: Engine, configuration: Server.Configuration) {
        (self.engine, self.configuration) = (engine, configuration)
    }

    /// The tiles of the map; nil for none.
    private var tiles: MapTiles? { configuration.tiles }

    func add(to routes: inout RouteTable) {
        routes.serve("/") { call in try answer("index.html", showing: tiles, configuration.photos, to: call) }
        routes.serve("/docs") { call in try answer("docs.html", to: call) }
        for name in ["client.js", "client.d.ts"] {
            routes.serve("/\(name)") { call in try answer(name, to: call) }
        }
        // A browser loads dozens at once, before anyone can enter a token.
        routes.serve("/page/{file}", isCounted: false) { call in try answer(call.word("file"), to: call) }
    }

    /// Restricts pages to files and requests of this server, and to the images of tiles and photos; `data:` is for
    /// Leaflet's empty image.
    fileprivate static func policy(showing tiles: MapTiles? = nil, _ photos: PhotoServers = PhotoServers()) -> String {
        let images = ["'self'", "data:"] + (tiles?.origins ?? []) + photos.origins
        return """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images.joined(separator: " ")); \
            connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "d.ts": "application/typescript; charset=utf-8", "geojson": "application/geo+json", "json": "application/json",
    ]

    private func answer(
        _ name: String, showing tiles: MapTiles? = nil, _ photos: PhotoServers = PhotoServers(), to call: Call
    ) throws -> Answer {
        let isCompressed = PageFile.isCompressed(name) && call.takesGzip
        let made = try cache.file("\(name) \(isCompressed)") { () throws(Problem) in try bytes(of: name, isCompressed) }
        guard let file = made else { throw Problem(.notFound) }
        var answer = Answer(body: file.bytes)
        answer.headers[.contentType] = Self.types[String(name.drop { $0 != "." }.dropFirst())]
        answer.headers[.cacheControl] = "no-cache"
        answer.headers[.contentSecurityPolicy] = Self.policy(showing: tiles, photos)
        answer.headers[.xContentTypeOptions] = "nosniff"
        if PageFile.isCompressed(name) {
            answer.headers[.vary] = "Accept-Encoding"
            if isCompressed { answer.headers[.contentEncoding] = "gzip" }
        }
        if let policy = HTTPField.Name("Referrer-Policy") {
            // Servers of tiles ask for the name of the site; they learn no path.
            answer.headers[policy] = tiles?.origins.isEmpty ?? true ? "no-referrer" : "strict-origin"
        }
        let tag = file.digest
        if call.knows(tag) {
            (answer.status, answer.body) = (.notModified, [])
            answer.headers[.contentEncoding] = nil
        }
        return answer.tagged(tag)
    }

    private func bytes(of name: String, _ isCompressed: Bool) throws(Problem) -> [UInt8]? {
        switch name {
        case "leaflet.js": return try leaflet("leaflet.min.js", "leaflet.js")
        case "leaflet.css": return try leaflet("leaflet.css")
        case "qrcode.js":
            return try installed(
                configuration.qrcode, ["qrcode.js"], package: "node-qrcode-generator", setting: "qrcode")
        case "cities.json": return cities
        case "map.json": return map
        default: return PageFile.bytes(name, compressed: isCompressed)
        }
    }

    private func leaflet(_ names: String...) throws(Problem) -> [UInt8] {
        try installed(configuration.leaflet, names, package: "libjs-leaflet", setting: "leaflet")
    }

    /// The first of the files that exists in a folder of a package.
    private func installed(
        _ folder: URL, _ names: [String], package: String, setting: String
    ) throws(Problem) -> [UInt8] {
        for name in names { if let data = try? Data(contentsOf: folder.appending(path: name)) { return Array(data) } }
        throw Problem(
            .notFound, detail: "'\(package)' is not installed; the setting '\(setting)' names another folder.")
    }

    /// The least population of a city that the map shows when zoomed out.
    private static let large = 200_000

    /// The tiles as the map needs them, and the servers of photos; empty for none.
    private var map: [UInt8] {
        JSONWriter.object { json in
            json.member("photos", configuration.photos.origins)
            guard let tiles else { return }
            json.member("tiles", tiles.template)
            json.member("attribution", tiles.attribution)
            if let url = tiles.attributionURL { json.member("attribution_url", url) }
            json.member("subdomains", tiles.subdomains)
            json.member("on_links", tiles.isOnLinks)
            json.member("min_zoom", tiles.zooms.map { Int64($0.lowerBound) })
            json.member("max_zoom", tiles.zooms.map { Int64($0.upperBound) })
            if let bounds = tiles.bounds { json.member("bounds") { $0.list(bounds) { $0.value($1) } } }
        }
    }

    /// The large cities, most populous first.
    private var cities: [UInt8] {
        var json = JSONWriter()
        let large = engine.gazetteer.all.filter { $0.population >= Self.large }
        json.list(large.sorted { $0.population > $1.population }) { json, city in
            json.object { json in
                json.member("name", city.name)
                json.member("lat", city.coordinate.latitude)
                json.member("lon", city.coordinate.longitude)
                json.member("population", Int64(city.population))
            }
        }
        return json.bytes
    }
}

extension Answer {
    /// A page about what its URL names, which is not cached or indexed, and whose URL is not sent as a referrer.
    static func page(_ name: String, _ status: HTTPResponse.Status, tiles: MapTiles?) -> Answer {
        var answer = Answer(status: status, body: PageFile.bytes(name) ?? [])
        answer.headers[.contentType] = "text/html; charset=utf-8"
        answer.headers[.contentSecurityPolicy] = PageRoutes.policy(
            showing: tiles?.isOnLinks == true ? tiles : nil)
        answer.headers[.xContentTypeOptions] = "nosniff"
        for (name, value) in [("Referrer-Policy", "no-referrer"), ("X-Robots-Tag", "noindex, nofollow")] {
            if let name = HTTPField.Name(name) { answer.headers[name] = value }
        }
        return answer.unstored.negotiated
    }
}

extension Call {
    fileprivate var takesGzip: Bool { Gzip.isAccepted(by: request.headers[.acceptEncoding] ?? "") }
}
