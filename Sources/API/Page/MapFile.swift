public import Foundation
internal import HTTPTypes

/// Raster tiles in a file, which the service sends to anyone at `/tiles/base/{z}/{x}/{y}`.
public struct MapFile: Sendable {
    /// Returns the image of a tile, whose row counts from the north; nil if the file has none.
    public typealias Reader = @Sendable (_ zoom: Int, _ x: Int, _ y: Int) async throws -> Data?

    /// The tiles as the page shows them.
    public let tiles: MapTiles
    private let read: Reader

    /// - Parameters:
    ///   - attribution: the credit, in which markup is removed.
    ///   - zooms: the zoom levels of the file.
    ///   - bounds: west, south, east and north in degrees; nil if unknown.
    ///   - read: reads an image, off the event loops.
    public init(attribution: String, zooms: ClosedRange<Int>, bounds: [Double]?, read: @escaping Reader) {
        tiles = MapTiles(ofFileWith: Self.plain(attribution), zooms: zooms, bounds: bounds)
        self.read = read
    }

    /// The text of HTML.
    private static func plain(_ html: String) -> String {
        let entities = [
            ("&copy;", "©"), ("&#169;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""),
            ("&#39;", "'"), ("&amp;", "&"),
        ]
        let text = html.replacing(#/<[^>]*>/#, with: "")
        return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func add(to routes: inout RouteTable) {
        routes.serve("/tiles/base/{z}/{x}/{y}", isCounted: false) { call in try await image(call) }
    }

    private func image(_ call: Call) async throws -> Answer {
        let zoom = try call.number("z", 0...30)
        let last = 1 << zoom - 1
        let x = try call.number("x", 0...last, " at zoom \(zoom)")
        let y = try call.number("y", 0...last, " at zoom \(zoom)")
        guard let data = try await read(zoom, x, y) else {
            throw Problem(.notFound, detail: "The map has no tile \(zoom)/\(x)/\(y).")
        }
        guard let type = Self.mediaType(of: data) else {
            throw Problem(.notFound, detail: "The tile \(zoom)/\(x)/\(y) of the map is not a PNG, JPEG or WebP image.")
        }
        var answer = Answer(headers: [.contentType: type, .cacheControl: "public, max-age=3600"], body: Array(data))
        answer.headers[.xContentTypeOptions] = "nosniff"
        let tag = answer.digest
        if call.knows(tag) {
            (answer.status, answer.body) = (.notModified, [])
            answer.headers[.contentType] = nil
        }
        return answer.tagged(tag)
    }

    /// The media type of an image by its first bytes; nil for anything but PNG, JPEG and WebP.
    public static func mediaType(of data: Data) -> String? {
        if data.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "image/png" }
        if data.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
        if data.starts(with: "RIFF".utf8), data.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        return nil
    }
}
