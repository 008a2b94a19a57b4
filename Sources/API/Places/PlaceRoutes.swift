internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

/// Places: their documents, and the nearest ones.
struct PlaceRoutes {
    let engine: Engine
    let seal: CursorSeal
    let lexicon: Lexicon

    func add(to routes: inout RouteTable) {
        routes.chapter = "Places"
        let nearby = RouteDescription(
            "Finds the nearest places", as: "findNearestPlaces",
            Call.nearestParameters + [Self.nearestFields] + Call.openingParameters + Call.placeParameters,
            answers: .page(of: .place, named: "Place", onMap: true))
        routes.ask(
            QueryRoute(
                member: "nearest", word: "places", path: "/v1/places/nearest", access: .known, description: nearby,
                watched: LiveList.places),
            of: engine, nearest)
        let document = "/v1/places/{id}"
        routes.ask(
            QueryRoute(
                member: "place", path: document, access: .known,
                description: .init("Returns a place", as: "getPlace", [Self.fields], answers: .document(.place))),
            of: engine, get)
        routes.on(
            .put, document, for: .known,
            .init(
                "Creates or replaces a place", as: "putPlace", takes: .json(.placeForm), headers: [.conditions],
                answers: .written(.place), problems: [.tooManyPlaces, .documentTooLarge]),
            put)
        routes.on(
            .patch, document, for: .known,
            .init(
                "Changes a place", as: "changePlace", takes: .patch(.placePatch), headers: [.conditions],
                answers: .written(.place), problems: [.tooManyPlaces, .documentTooLarge]),
            patch)
        routes.on(
            .post, "/v1/places", for: .known,
            .init(
                "Creates a place with a generated id", as: "createPlace", takes: .json(.newPlaceForm),
                headers: [.idempotencyKey], answers: .written(.place), problems: [.tooManyPlaces, .documentTooLarge]),
            post)
        routes.act(
            .delete, document, for: .known, .init("Deletes a place", as: "deletePlace", headers: [.conditions]),
            in: engine
        ) { try DeletePlace($0.id("id"), if: $0.condition) }
    }

    static let columns = [
        "id", "kind", "name", "lat", "lon", "address", "category", "tags", "hours", "timezone", "owner", "attributes",
        "area",
        "hours_understood", "hours_on_holidays", "hours_warnings", "timezone_guessed",
        "created", "favourites", "city",
    ]
    static let nearestColumns = columns + ["distance_m", "bearing", "open", "opens_at", "closes_at"]

    private static let fields = Paging.fields(columns)
    private static let nearestFields = Paging.fields(nearestColumns)

    @Sendable private func nearest(_ call: Call) async throws -> Query {
        let origin = try call.query.place()
        var query = try call.nearestQuery()
        query.after = try seal.position(call)?.last
        let filter = try await call.placeFilter(engine, lexicon)
        let opening = try call.openingQuery()
        let columns = try call[Self.nearestFields]
        return Query(NearestPlaces(to: origin, filter, opening, query)) { places in
            try answer(places.page, columns, call)
        }
    }

    private func answer(_ page: Page<PlaceNearby>, _ columns: Set<String>?, _ call: Call) throws -> Answer {
        PageAnswer(
            items: page.items, cursor: try seal.seal(page, call), isTruncated: page.isTruncated, columns: columns,
            place: { $0.place.value.coordinate },
            write: { json, item in
                json.place(item.place.value, to: call.caller)
                json.member("distance_m", tenths: item.decimetres)
                json.member("bearing", Int64(item.bearing))
                json.hours(item.hours, of: item.place.value, engine.gazetteer)
                json.favourites(item.favourites)
                if columns != nil { json.member("created", item.place.value.created) }
                if columns?.contains("area") ?? false { json.area(of: item.place.value) }
                if columns?.contains("city") ?? false { json.city(of: item.place.value, engine.gazetteer) }
            }
        ).answer(to: call)
    }

    @Sendable private func get(_ call: Call) async throws -> Query {
        let id: PlaceID = try call.id("id")
        let columns = try call[Self.fields]
        return Query { state in
            let record = try state.place(id)
            let favourites = state.favourites(.places, record.number.any)
            return {
                let isOwners = record.value.owner.map(call.caller.mayAct) ?? false
                let isWhole = isOwners || call.caller == .service
                let answer = Document(record).answer(to: call, columns, isWhole: isWhole) { json, place in
                    json.place(place, to: call.caller, engine.gazetteer)
                    json.area(of: place)
                    // Members that change independently of the document must not be among the bytes that its tag names.
                    guard let columns else { return }
                    json.about(place, favourites: favourites)
                    if columns.contains("city") { json.city(of: place, engine.gazetteer) }
                }
                // Shared caches must not store what only the owner sees.
                return isOwners ? answer.unstored : answer
            }
        }
    }

    @Sendable private func put(_ call: Call) async throws -> Answer {
        let id: PlaceID = try call.id("id")
        let former = try? engine.read { state throws(Refusal) in try state.place(id) }
        let place = try Self.place(await call.json(), id, keeping: former?.value, call)
        return try await write(Write(place, if: call.condition), former?.value, call)
    }

    @Sendable private func post(_ call: Call) async throws -> Answer {
        let id: PlaceID = try call.newID(of: "place") { id in
            // Another person may own a place with this id.
            let known = try? engine.read { state throws(Refusal) in try state.place(id).value }
            return known.map { $0.owner == call.caller.person } ?? false
        }
        let isRepeatable = try call.idempotencyKey != nil
        let place = try Self.place(
            await call.jsonWithoutID(chosenAt: "/v1/places/{id}"), id, keeping: nil, call)
        do {
            return try await write(Write(place, if: .isAbsent), nil, call).locating("places", id.text)
        } catch Refusal.conditionFailed where isRepeatable { return try repeated(place, call) }
    }

    /// The answer to a repeated request by the creator of a place.
    private func repeated(_ place: Place, _ call: Call) throws -> Answer {
        let known = try engine.read { state throws(Refusal) in try state.place(place.id) }
        var sent = place
        sent.created = known.value.created
        let isAsMade = known.revision == known.value.created?.milliseconds
        guard known.value == sent || !isAsMade else { throw Problem.keyReused(forAnother: "place") }
        let answer = Answer.object { json in
            json.place(known.value, to: call.caller, engine.gazetteer)
            json.area(of: known.value)
        }
        return answer.tagged(known.revision).locating("places", place.id.text)
    }

    @Sendable private func patch(_ call: Call) async throws -> Answer {
        let id: PlaceID = try call.id("id")
        let patch = try await call.mergePatch()
        return try await call.retryingConflicts { condition in
            let record = try engine.read { state throws(Refusal) in try state.place(id) }
            let merged = try Document(record).json { $0.placeDocument($1, to: .service) }.merged(with: patch)
            let place = try Self.place(merged, id, keeping: record.value, call)
            return try await write(Write(place, if: condition ?? .isRevision([record.revision])), record.value, call)
        }
    }

    private func write(_ write: Write<Place>, _ former: Place?, _ call: Call) async throws -> Answer {
        try call.refuseTooLong(write.value, former) { $0.placeDocument($1, to: .service) }
        return try await engine.write(PutPlace(write), call) { json in
            json.place(write.value, to: call.caller, engine.gazetteer)
            json.area(of: write.value)
        }
    }

    /// Parses a place; new hours and a new area must not exceed the limits for people, if the caller is a person.
    private static func place(
        _ json: JSON, _ id: PlaceID, keeping former: Place?, _ call: Call
    ) throws(FormError) -> Place {
        let most = call.caller == .service ? call.limits.vertices : call.limits.verticesOfPerson
        return try Fields.read(json) { fields in
            let place = Place(&fields, id: id, vertices: max(most, former?.area?.vertexCount ?? 0))
            fields.refuseLong(place?.hours, keeping: former?.hours, by: call.caller, at: "/hours")
            return place
        }
    }
}
