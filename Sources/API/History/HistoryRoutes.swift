internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model

/// The stored positions of a person.
struct HistoryRoutes {
    let engine: Engine
    let seal: CursorSeal

    private static let most: Int64 = 10_000
    /// The tolerances of simplification, in meters, up to half the way around the Earth.
    private static let tolerances = 0.0...20_040_000

    func add(to routes: inout RouteTable) {
        routes.chapter = "Positions"
        let pages = [Reply].page(of: .storedPing, named: "StoredPing", onMap: true)
        var types = pages[0].content
        for form in HistoryForm.allCases where !form.isPaged { types[form.mediaType] = .text() }
        routes.on(
            .get, "/v1/people/{id}/history", for: .own,
            .init(
                "Lists the positions of a person, in the order of time", as: "listHistory",
                [
                    Self.times, Call.polygon, Call.box, Self.tolerance, Self.limit, Paging.cursor, Self.fields,
                    Explanation.parameter,
                ], answers: .content(types), problems: [.notAcceptable]),
            { call in try await Explanation.explaining(call) { try await history(call) } })
    }

    private static let times = Parameter.interval("datetime", "the times of the positions")
    private static let tolerance = Parameter.number(
        "simplify_m", tolerances, "the maximum distance of omitted positions from the line, in meters")
    private static let limit = Paging.limit(most, standard: 1000)
    private static let fields = Paging.fields(PingColumn.allCases.map(\.rawValue))

    /// Answers with a page in JSON or GeoJSON.
    ///
    /// CSV and GPX cannot hold a cursor. They are streamed to the end unless a page is requested, whose `Link` header
    /// leads to the next one.
    @Sendable private func history(_ call: Call) async throws -> Answer {
        let form = try call.accepted(of: HistoryForm.allCases)
        var query = HistoryQuery(of: try call.id("id"), in: try call[Self.times])
        query.area = try call.region()
        query.tolerance = try call[Self.tolerance]
        query.isLine = form == .gpx
        let limit = try call[Self.limit]
        let columns = try call[Self.fields]
        let reader = try engine.history(query, after: try seal.historyPosition(call))
        let isPage = ["limit", "cursor"].contains { call.query.text($0) != nil }
        let writer = HistoryWriter(form, of: query.person, columns)
        guard form.isPaged || isPage else { return try await stream(reader, writer) }
        return try await page(reader, limit, columns, writer, call)
    }

    private func page(
        _ reader: HistoryReader, _ limit: Int, _ columns: Set<String>?, _ writer: HistoryWriter, _ call: Call
    ) async throws -> Answer {
        var reader = reader
        var points: [HistoryPoint] = []
        while points.count <= limit, let some = try await reader.next() { points += some }
        let listing = try PageAnswer(
            points, limit: limit, columns: columns, place: { $0.ping.place },
            seal: { try seal.seal($0.position, call) }, write: { $0.ping($1.ping) })
        guard !writer.form.isPaged else { return listing.answer(as: writer.form == .geoJSON, to: call).unstored }
        var writer = writer
        let body = writer.beginning + writer.rows(listing.items) + writer.end
        return Answer(headers: [.contentType: writer.form.contentType], body: body).negotiated
            .leading(to: listing.cursor.map(call.next)).unstored
    }

    private func stream(_ reader: HistoryReader, _ writer: HistoryWriter) async throws -> Answer {
        var reader = reader
        // An error of this read can still set the status.
        let first = try await reader.next()
        return .streamed(writer.form.contentType) { [reader] send in
            var (reader, writer, points) = (reader, writer, first)
            try await send(writer.beginning)
            while let some = points {
                try await send(writer.rows(some))
                points = try await reader.next()
            }
            try await send(writer.end)
        }.negotiated
    }
}
