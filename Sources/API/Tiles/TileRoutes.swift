internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// Vector tiles of places, and their descriptions for map libraries.
struct TileRoutes {
    private static let mediaType = "application/vnd.mapbox-vector-tile"
    /// The bytes encoded in a step.
    private static let bytesInStep = 50

    let engine: Engine
    let documents: TileDocuments
    private let cache = TileCache()

    init(engine: Engine, documents: TileDocuments) { (self.engine, self.documents) = (engine, documents) }

    func add(to routes: inout RouteTable) {
        routes.chapter = "Tiles"
        let kind = ["kind": Schema.text(1...Call.longestPlaceKind)]
        let number = Schema.integer(0...(1 << Int64(MapTile.zooms.upperBound) - 1))
        let zoom = Schema.integer(0...Int64(MapTile.zooms.upperBound))
        routes.on(
            .get, "/v1/tiles/{kind}/{z}/{x}/{y}.mvt", for: .reading,
            .init(
                "Returns a vector tile of the places of a kind", as: "getTile",
                path: kind.merging(["z": zoom, "x": number, "y": number]) { own, _ in own },
                answers: [
                    Reply(status: .ok, summary: "The tile", content: [Self.mediaType: .anything], isTagged: true),
                    Reply(status: .notModified, summary: "Not modified: it has a tag in `If-None-Match`"),
                ]), tile)
        routes.on(
            .get, "/v1/tiles/{kind}.json", for: .reading,
            .init(
                "Describes the vector tiles of a kind (TileJSON 3.0)", as: "describeTiles", path: kind,
                answers: .ok(.tileJSON)),
            documents.tileJSON)
        routes.on(
            .get, "/v1/tiles/{kind}/style.json", for: .reading,
            .init(
                "Returns a MapLibre style that shows the tiles of a kind", as: "getMapStyle", path: kind,
                answers: .ok(.mapStyle)),
            documents.style)
    }

    private enum Found {
        case kept(TileCache.Entry)
        /// The items of a tile, and the steps to find them; without a summary if the caller sees owned places.
        case items([PlaceCluster], steps: Int, TileSummary?)
    }

    @Sendable private func tile(_ call: Call) throws -> Answer {
        let (tile, kind) = (try call.tile, try call.placeKind)
        let places = PlaceTile(tile, ofKind: kind, for: call.caller)
        let key = TileCache.Key(kind: PlainText.of(kind), tile: tile)
        let found = engine.read { state in
            let summary = places.publicSummary(in: state)
            if let entry = summary.flatMap({ cache.entry(for: key, $0) }) { return Found.kept(entry) }
            let (items, steps) = WorkBudget.measure { places.items(in: state) }
            return .items(items, steps: steps, summary)
        }
        switch found {
        case .kept(let entry):
            WorkBudget.charge(entry.steps)
            return Self.answer(entry.body, tagged: entry.tag, call)
        case .items(let items, var steps, let summary):
            let body = VectorTile(items, in: tile).bytes
            WorkBudget.count(body.count / Self.bytesInStep)
            steps += body.count / Self.bytesInStep
            // A tile with owned places must not remain in a cache when its caller signs out.
            guard let summary else { return Answer(headers: [.contentType: Self.mediaType], body: body).unstored }
            let tag = Answer(body: body).digest
            if !items.isEmpty { cache.put(.init(summary: summary, body: body, tag: tag, steps: steps), for: key) }
            return Self.answer(body, tagged: tag, call)
        }
    }

    /// The tile, or `304` for a caller who has it.
    private static func answer(_ body: [UInt8], tagged tag: Int64, _ call: Call) -> Answer {
        let headers: HTTPFields = [.cacheControl: "private, no-cache", .vary: "Authorization, Cerca-Acting-As"]
        if call.knows(tag) { return Answer(status: .notModified, headers: headers).tagged(weakly: tag) }
        return Answer(headers: headers, body: body).with(.contentType, mediaType).tagged(weakly: tag)
    }
}

extension Call {
    /// The bytes that the kind of a place may have.
    fileprivate static let longestPlaceKind = 64

    /// The kind of places in the path.
    var placeKind: String {
        get throws(Problem) {
            let kind = word("kind")
            guard kind.utf8.count <= Self.longestPlaceKind else {
                throw Problem(
                    .invalidParameter,
                    detail: "'{kind}' in the path has more than \(Self.longestPlaceKind) bytes.")
            }
            return kind
        }
    }

    /// The tile in the path.
    fileprivate var tile: MapTile {
        get throws(Problem) {
            let zoom = try number("z", MapTile.zooms)
            let last = 1 << zoom - 1
            guard
                let tile = MapTile(
                    zoom: zoom, x: try number("x", 0...last, " at zoom \(zoom)"),
                    y: try number("y", 0...last, " at zoom \(zoom)"))
            else { throw Problem(.notFound) }
            return tile
        }
    }

    /// The whole number in a path parameter; `place` says where the range holds.
    func number(_ name: String, _ range: ClosedRange<Int>, _ place: String = "") throws(Problem) -> Int {
        let text = word(name)
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            throw Problem(
                .invalidParameter,
                detail: "'{\(name)}' in the path is '\(text)'; must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)\(place).")
        }
        return number
    }
}
