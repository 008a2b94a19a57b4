internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Hours
internal import Interchange
internal import Model
internal import Normaliser

/// The features of collections.
struct OGCItems {
    let engine: Engine
    let seal: CursorSeal
    let lexicon: Lexicon
    let addresses: Addresses

    /// The filters of places except the kind, which the collection determines.
    static let ofPlaces = Call.placeParameters.filter { $0.name != "kind" }
    private static let box = Parameter<Region?>(
        "bbox", "the area, as west,south,east,north in degrees, or with a height after each pair, which is ignored",
        .list(of: .number(), atLeast: 4, atMost: 6)
    ) { call throws(Problem) in try call.ogcBox() }
    private static let times = Parameter<Range<Timestamp>>(
        "datetime", "a time, or `from/to`, `../to` or `from/..` inclusive, of RFC 3339 times; places have no times",
        .text()
    ) { call throws(Problem) in try call.ogcTimes() }
    private static let person: Parameter<PersonID?> = .id("person", "stored positions of this person")
    /// A larger limit counts as the maximum (OGC 17-069r4, requirement `/req/core/fc-limit-response-1`).
    private static let limit = Parameter<Int>(
        "limit", "the maximum number of features; a larger one counts as 1000",
        .integer(1...most).with("default", .number(100))
    ) { call throws(Problem) in min(try call.query.limit(1...Int64(Int32.max), default: 100), Int(most)) }
    private static let most: Int64 = 1000
    private static let common: [any QueryParameter] = [OGCPage.form, box, times, limit, Paging.cursor]

    func add(to routes: inout RouteTable) {
        let path = "\(OGCRoutes.path)/collections/{id}/items"
        routes.on(
            .get, path, for: .reading,
            RouteDescription(
                "Lists the features of a collection", as: "listFeatures", Self.common + Self.ofPlaces + [Self.person],
                path: ["id": .text()], answers: .ogc(.ogcFeatures, as: .geoJSON), problems: [.notAcceptable],
                work: .long), items)
        routes.on(
            .get, "\(path)/{feature}", for: .reading,
            RouteDescription(
                "Returns a feature", as: "getFeature", [OGCPage.form], path: ["id": .text(), "feature": .text()],
                answers: .ogc(.ogcFeature, as: .geoJSON), problems: [.notAcceptable]), item)
    }

    private struct Feature {
        let id: String
        let place: Coordinate?
        /// Whether it is about a person, or owned by one.
        let isPersonal: Bool
        let properties: (inout JSONWriter) -> Void
    }

    private struct Page {
        var features: [Feature]
        var cursor: String?
        /// The number of features of all pages, if it is known.
        var matched: Int?
    }

    /// The parameters of every collection.
    private struct Selection {
        let region: Region?
        let times: Range<Timestamp>
        let limit: Int

        init(_ call: Call) throws(Problem) {
            (region, times, limit) = (try call[OGCItems.box], try call[OGCItems.times], try call[OGCItems.limit])
        }
    }

    @Sendable private func items(_ call: Call) async throws -> Answer {
        let page = try OGCPage(call, addresses, isOfFeatures: true)
        let selection = try Selection(call)
        let (collection, count) = try await engine.collection(call)
        try call.refuseParameters(except: Self.common.map(\.name) + collection.parameters, of: collection)
        let found =
            switch collection {
            case .places(let kind): try await places(ofKind: kind, selection, of: count, call)
            case .people: try await people(selection, call)
            case .history: try await history(selection, call)
            }
        let features = found.features
        let up = page.link("collection", ["collections", collection.id])
        return try await page.answer(
            collection.id, [up], before: found.cursor, isPersonal: features.contains(where: \.isPersonal)
        ) { json in
            json.member("type", "FeatureCollection")
            json.member("features") { json in
                json.list(features) { json, feature in
                    json.object { json in
                        json.featureMembers(feature.id, at: feature.place, properties: feature.properties)
                        guard page.form == .html else { return }
                        let own = page.link("self", ["collections", collection.id, "items", feature.id], as: .html)
                        json.objects("links", [own]) { json, link in link.write(to: &json) }
                    }
                }
            }
            json.member("numberMatched", found.matched.map(Int64.init))
            json.member("numberReturned", Int64(features.count))
        }
    }

    @Sendable private func item(_ call: Call) async throws -> Answer {
        let page = try OGCPage(call, addresses, isOfFeatures: true)
        let collection = try await engine.collection(call).collection
        let feature =
            switch collection {
            case .places(let kind):
                feature(
                    of: try engine.placeToRead(
                        call.id("feature"), ofKind: kind, by: call.caller,
                        OpeningQuery(at: call.received, isFilter: false)), call)
            case .people: try feature(of: engine.placedPerson(call.id("feature")))
            case .history: try await pastFeature(call)
            }
        let up = page.link("collection", ["collections", collection.id])
        return try await page.answer(feature.id, [up], isPersonal: feature.isPersonal) { json in
            json.featureMembers(feature.id, at: feature.place, properties: feature.properties)
        }
    }

    // MARK: - Collections

    private func places(ofKind kind: String, _ selection: Selection, of count: Int?, _ call: Call) async throws -> Page
    {
        var filter = try await call.placeFilter(engine, lexicon)
        filter.kind = kind
        filter.isPlaced = true
        if case .person(let person) = call.caller { filter.reader = person }
        // A page without features would end the list for some programs, so the search is not cut off.
        let query = PlaceListQuery(
            filter, OpeningQuery(at: call.received, isFilter: false), in: selection.region, maxScan: .max)
        let listing = try await engine.readInParts(
            PlaceListing(query, by: .newest, after: seal.placePosition(call), limit: selection.limit))
        let isWhole = selection.region == nil && !call.query.gives(OGCCollection.places(kind: kind).parameters)
        return Page(
            features: listing.page.items.map { feature(of: $0, call) },
            cursor: try listing.page.next.map { try seal.seal($0, call) }, matched: isWhole ? count : nil)
    }

    private func feature(of listed: PlaceListed, _ call: Call) -> Feature {
        let place = listed.place.value
        return Feature(id: place.id.text, place: place.coordinate, isPersonal: place.owner != nil) { [engine] json in
            json.place(place, to: call.caller)
            json.about(place, favourites: listed.favourites)
            json.hours(listed.hours, of: place, engine.gazetteer)
        }
    }

    private func people(_ selection: Selection, _ call: Call) async throws -> Page {
        let filter = EveryPerson.Filter(in: selection.region, selection.times, having: try call[Call.attribute])
        let search = try await engine.readInParts(
            EveryPerson(after: seal.number(call), limit: selection.limit, filter))
        return Page(
            features: search.items.compactMap { item in
                item.position.map { feature(of: (person: item.person, position: $0)) }
            }, cursor: try search.next.map { try seal.seal(number: $0, call) })
    }

    private func feature(of placed: (person: Person, position: Position)) -> Feature {
        Feature(id: placed.person.id.text, place: placed.position.place, isPersonal: true) { json in
            json.found(placed.person, at: placed.position)
        }
    }

    private func history(_ selection: Selection, _ call: Call) async throws -> Page {
        let found = try await engine.historyOfAll(
            try call[Self.person], in: selection.times, selection.region, after: seal.pingOfAll(call),
            limit: selection.limit)
        return Page(
            features: found.items.map { feature(of: $0.ping, $0.person) },
            cursor: try found.next.map { try seal.seal($0, call) })
    }

    private func feature(of ping: StoredPing, _ person: PersonID) -> Feature {
        let id = "\(person.text):\(ping.time.milliseconds):\(ping.sequence)"
        return Feature(id: id, place: ping.place, isPersonal: true) { json in
            json.member("person", person.text)
            json.ping(ping)
        }
    }

    /// The stored position whose id is in the path: the person, the time in milliseconds since 1970, and a number.
    private func pastFeature(_ call: Call) async throws -> Feature {
        let id = call.word("feature")
        let parts = id.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 2, let sequence = UInt8(parts[parts.count - 1]), let time = Int64(parts[parts.count - 2]),
            let person = try? PersonID(parts.dropLast(2).joined(separator: ":")),
            (0...Timestamp.latest.milliseconds).contains(time)
        else { throw Problem(.notFound, detail: "There is no feature '\(id)'.") }
        let start = Timestamp(milliseconds: time)
        let pings = try await engine.history(of: person, from: start, to: start + .milliseconds(1), limit: 256)
        guard let ping = pings.first(where: { $0.sequence == sequence }) else {
            throw Problem(.notFound, detail: "There is no feature '\(id)'.")
        }
        return feature(of: ping, person)
    }
}

extension Call {
    /// The box in `bbox`; nil for everywhere.
    fileprivate func ogcBox() throws(Problem) -> Region? {
        guard let text = query.text("bbox") else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { $0.decimalNumber }
        guard numbers.count == text.split(separator: ",", omittingEmptySubsequences: false).count,
            [4, 6].contains(numbers.count)
        else { throw query.invalid("bbox", "four numbers: west,south,east,north in degrees, or six with heights") }
        let half = numbers.count / 2
        return try region(west: numbers[0], south: numbers[1], east: numbers[half], north: numbers[half + 1])
    }

    /// The times in `datetime`; all time if it is not given.
    fileprivate func ogcTimes() throws(Problem) -> Range<Timestamp> {
        let (first, last) = (Timestamp(milliseconds: 0), Timestamp.latest)
        guard let text = query.text("datetime") else { return first..<(last + .milliseconds(1)) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        func end(_ part: String?, orElse open: Timestamp) -> Timestamp? {
            guard let part else { return nil }
            return parts.count == 2 && ["", ".."].contains(part) ? open : Timestamp(rfc3339: part)
        }
        guard parts.count <= 2, let from = end(parts.first, orElse: first), let to = end(parts.last, orElse: last)
        else {
            throw query.invalid("datetime", "an RFC 3339 time, or 'from/to', '../to' or 'from/..'")
        }
        guard from <= to else { throw query.invalid("datetime", "an interval that begins before its end") }
        return from..<(to + .milliseconds(1))
    }

    /// Refuses parameters that other collections have.
    fileprivate func refuseParameters(except known: [String], of collection: OGCCollection) throws(Problem) {
        for name in query.names(beginningWith: "") where !known.contains(where: { Parameters.covers($0, name) }) {
            throw Problem(
                .unknownParameter,
                detail: "'\(name)' is not a parameter of the collection '\(collection.id)'; "
                    + "known: \(known.joined(separator: ", ")).")
        }
    }
}

extension Parameters {
    /// Whether any of some declared parameters is given.
    fileprivate func gives(_ declared: [String]) -> Bool {
        names(beginningWith: "").contains { name in declared.contains { Self.covers($0, name) } }
    }
}
