/// The servers from which the page at `/` loads photos of people and products.
///
/// Owners choose the URLs of photos, so the server of each learns who looks and when.
public struct PhotoServers: Sendable, Equatable {
    /// The origins, which the content security policy admits.
    let origins: [String]

    /// No servers.
    public init() { origins = [] }

    /// Parses a list of origins, separated by commas.
    ///
    /// - Throws: ``MapTiles/Fault`` for an entry that is not the origin of one server.
    public init(_ list: String) throws(MapTiles.Fault) {
        var origins: [String] = []
        for entry in list.isEmpty ? [] : list.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            do throws(ImageURL.Fault) {
                let url = try ImageURL(entry)
                guard url.path.isEmpty, !url.host.hasPrefix("{") else { throw .malformed }
                origins.append(url.origin)
            } catch {
                let detail = error.detail(of: entry, unlike: "https://photos.example")
                throw MapTiles.Fault(setting: "map.photos", detail: detail)
            }
        }
        self.origins = origins
    }
}
