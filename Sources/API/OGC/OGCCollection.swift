internal import Interchange
internal import Model

/// A feature collection: the places of a kind, or for services the people or their stored positions.
enum OGCCollection: Hashable {
    case people, history
    /// The kind is folded.
    case places(kind: String)

    private static let prefix = "places_"

    /// Returns nil for a name that no collection can have.
    init?(_ id: String) {
        switch id {
        case "people": self = .people
        case "history": self = .history
        default:
            guard id.utf8.starts(with: Self.prefix.utf8) else { return nil }
            let kind = String(decoding: id.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
            self = .places(kind: PlainText.of(kind))
        }
    }

    var id: String {
        switch self {
        case .people: "people"
        case .history: "history"
        case .places(let kind): Self.prefix + kind
        }
    }

    private var title: String {
        switch self {
        case .people: "People"
        case .history: "Stored positions"
        case .places(let kind): "Places: \(kind)"
        }
    }

    private var summary: String {
        switch self {
        case .people: "People at their newest positions, with the time of each"
        case .history: "The stored positions of all people"
        case .places: "Places of this kind that have a position; people do not see those of other people"
        }
    }

    /// The names of the parameters that only some collections have.
    var parameters: [String] {
        switch self {
        case .people: ["attr.*"]
        case .history: ["person"]
        case .places: OGCItems.ofPlaces.map(\.name)
        }
    }

    func links(_ page: OGCPage) -> [OGCLink] {
        let items = ["collections", id, "items"]
        return [
            page.link("items", items, as: .geoJSON, title: "Features"),
            page.link("items", items, as: .html, title: "Features"),
        ]
    }

    func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("title", title)
        json.member("description", summary)
        json.member("itemType", "feature")
        json.member("crs", [OGCRoutes.crs])
    }
}
