/// The images of a map that another server draws, or that are in a file, for the map of the page at `/`.
public struct MapTiles: Sendable, Equatable {
    /// The URL of a tile, with `{z}`, `{x}` and `{y}`, and optionally `{s}` and `{r}`.
    let template: String
    /// The credit that the map shows.
    let attribution: String
    /// The page that the credit leads to; nil for none.
    let attributionURL: String?
    /// The values of `{s}`.
    let subdomains: [String]
    /// The origins of the tiles, which the content security policy admits; none for tiles of a file.
    let origins: [String]
    /// Whether the pages of links show the tiles too.
    let isOnLinks: Bool
    /// The zoom levels that exist; nil if unknown.
    private(set) var zooms: ClosedRange<Int>?
    /// West, south, east and north of the map, in degrees; nil if unknown.
    private(set) var bounds: [Double]?

    /// An error in the settings of tiles or photos.
    public struct Fault: Error, Equatable {
        /// The setting, and what is wrong with it.
        public let setting: String, detail: String
    }

    /// Parses the settings.
    ///
    /// - Parameters:
    ///   - template: a URL, or `osm` for the server of OpenStreetMap.
    ///   - attribution: the credit in plain text; required except for `osm`.
    ///   - subdomains: the values of `{s}`, separated by commas.
    ///   - isOnLinks: whether the pages of links show the tiles too.
    /// - Throws: ``Fault`` for a URL that could admit more than the hosts of the tiles.
    public init(_ template: String, attribution: String, subdomains: String, isOnLinks: Bool) throws(Fault) {
        let isOSM = template == "osm"
        self.template = isOSM ? "https://tile.openstreetmap.org/{z}/{x}/{y}.png" : template
        self.attribution = isOSM && attribution.isEmpty ? "© OpenStreetMap contributors" : attribution
        attributionURL = isOSM ? "https://www.openstreetmap.org/copyright" : nil
        self.subdomains =
            subdomains.isEmpty
            ? [] : subdomains.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        self.isOnLinks = isOnLinks
        guard self.subdomains.allSatisfy({ $0.wholeMatch(of: #/[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?/#) != nil }) else {
            throw Fault(setting: "map.subdomains", detail: "is '\(subdomains)', which is not a list such as a,b,c")
        }
        origins = try Self.origins(of: self.template, self.subdomains)
        guard !self.attribution.isEmpty else {
            throw Fault(setting: "map.attribution", detail: "is empty; whoever made the tiles must be credited")
        }
    }

    /// The tiles of a file, which this service sends; pages of links show them, as no other server learns of it.
    init(ofFileWith attribution: String, zooms: ClosedRange<Int>, bounds: [Double]?) {
        template = "/tiles/base/{z}/{x}/{y}"
        (self.attribution, self.zooms, self.bounds) = (attribution, zooms, bounds)
        (attributionURL, subdomains, origins, isOnLinks) = (nil, [], [], true)
    }

    /// The origins that a template names, checked so that each is one source of a content security policy.
    private static func origins(of template: String, _ subdomains: [String]) throws(Fault) -> [String] {
        func fault(_ detail: String) -> Fault { Fault(setting: "map.tiles", detail: detail) }
        let url: ImageURL
        do throws(ImageURL.Fault) { url = try ImageURL(template) } catch {
            throw fault(error.detail(of: template, unlike: "https://tiles.example/{z}/{x}/{y}.png"))
        }
        let path = url.path
        let names = path.matches(of: #/\{([^{}]*)\}/#).map { String($0.1) }
        let rest = path.replacing(#/\{[^{}]*\}/#, with: "")
        guard Set(names).isSuperset(of: ["z", "x", "y"]), Set(names).isSubset(of: ["z", "x", "y", "r"]),
            !rest.contains(where: { "{}".contains($0) })
        else { throw fault("is '\(template)'; must have {z}, {x} and {y}, and may have {r}, and {s}. before the host") }
        guard url.host.hasPrefix("{s}.") else {
            guard subdomains.isEmpty else {
                throw Fault(setting: "map.subdomains", detail: "is set, but map.tiles has no {s}")
            }
            return [url.origin]
        }
        guard !subdomains.isEmpty else { throw fault("has {s}; map.subdomains must list its values") }
        return subdomains.map { url.origin.replacing("{s}", with: $0) }
    }

    /// The URLs of a tile without `{s}` and `{r}`, one for each subdomain.
    var templates: [String] {
        let plain = template.replacing("{r}", with: "")
        return subdomains.isEmpty ? [plain] : subdomains.map { plain.replacing("{s}", with: $0) }
    }

    /// The credit as HTML.
    var credit: String {
        let text = HTMLPage.escaped(attribution)
        return attributionURL.map { "<a href=\"\(HTMLPage.escaped($0))\">\(text)</a>" } ?? text
    }
}
