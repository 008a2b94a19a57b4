import Foundation
import Model

/// A request to an endpoint with the maximum cost.
struct EffortRow {
    /// An area of 1,000 vertices around all of Spain.
    fileprivate static let spanishFence = "{\(spanishArea)}"
    fileprivate static let spain = "{\(spanishArea),\"kind\":\"topic\",\"name\":\"Spain\",\"owner\":\"ana\"}"
    private static let spanishArea: String = {
        let ring = (0..<999).map { index in
            let angle = Double(index) * 2 * .pi / 999
            let radius = index.isMultiple(of: 2) ? 6.0 : 5.5
            // As short as a document may be.
            return String(format: "[%.2f,%.2f]", -4 + radius * cos(angle), 40 + radius * sin(angle) / 2)
        }
        let closed = (ring + ring.prefix(1)).joined(separator: ",")
        return #""area":{"type":"Polygon","coordinates":[[\#(closed)]]}"#
    }()

    enum Caller { case ana, luis, phone, service }

    let endpoint: String
    var request: String
    var body: String?
    var type = "application/json"
    var accept = "*/*"
    var caller = Caller.ana
    /// The expected statuses; a request that is refused at once would cost nothing.
    var statuses = [200, 201, 204]

    /// Identifies the row in failures.
    var name: String { "\(caller): \(request.prefix(120)) \(body?.prefix(120) ?? "")" }

    init(_ endpoint: String, _ address: String? = nil, _ body: String? = nil, by caller: Caller = .ana) {
        self.endpoint = endpoint
        let words = endpoint.split(separator: " ").map(String.init)
        request = "\(words[0]) \(address ?? words[1])"
        self.body = body
        self.caller = caller
    }

    fileprivate func type(_ type: String) -> EffortRow {
        var row = self
        row.type = type
        return row
    }

    func answered(_ status: Int) -> EffortRow {
        var row = self
        row.statuses = [status]
        return row
    }
}

extension EffortRow {
    private static let here = "lat=39.47&lon=-0.376"
    /// The maximum number of vertices around the center, alternately near and far.
    private static let polygon: String = {
        let ring = (0..<9999).map { index in
            let (angle, radius) = (Double(index) / 9999 * 2 * Double.pi, index.isMultiple(of: 2) ? 0.1 : 0.01)
            return String(format: "[%.6f,%.6f]", -0.376 + radius * cos(angle), 39.47 + radius * sin(angle))
        }
        return #"{"type":"Polygon","coordinates":[[\#((ring + ring.prefix(1)).joined(separator: ","))]]}"#
    }()
    private static let pings: String = {
        let pings = (0..<3000).map { index in
            #"{"t":\#(1_792_000_000 + index * 131),"lat":\#(index / 3 % 2 == 0 ? 39.47 : -39.47),"lon":-0.376,"person":"ana"}"#
        }
        return "[\(pings.joined(separator: ","))]"
    }()
    /// The maximum number of values of a filter.
    private static let values = (0..<100).map { "value\($0)" }.joined(separator: ",")
    private static let location = #"{"_type":"location","lat":39.47,"lon":-0.376,"tst":1795168800,"tid":"AN"}"#
    private static let topic = #"{"kind":"topic","name":"T","owner":"ana","lat":39.47,"lon":-0.376}"#

    /// One query of each kind.
    static let queries = [
        #"{"nearest":"friends","person":"ana","limit":100}"#,
        #"{"nearest":"strangers","person":"ana","limit":100}"#,
        #"{"nearest":"people","lat":39.47,"lon":-0.376,"limit":100}"#,
        #"{"nearest":"places","lat":39.47,"lon":-0.376,"limit":1000}"#,
        #"{"nearest":"stores","lat":39.47,"lon":-0.376,"limit":100}"#,
        #"{"list":"people","q":"anselm","limit":100}"#, #"{"list":"places","limit":100}"#,
        #"{"list":"products","limit":100}"#, #"{"list":"cities","q":"val"}"#,
        #"{"facets":"places","facet":"attr"}"#, #"{"clusters":"places","bbox":"-1,39,0,40"}"#,
        #"{"facets":"products"}"#,
        #"{"person":"friend0"}"#, #"{"position":"friend0"}"#, #"{"place":"place0"}"#, #"{"product":"pump"}"#,
    ]

    /// First reads, then changes, and deletions at the end.
    static let all: [EffortRow] = reading + own + asking + ogc + changing + shares + noting + deleting

    /// Reads of the table of callers, which Ana also sends here.
    private static let own: [EffortRow] = CallerRows.all.compactMap { row in
        row.costly.map { EffortRow(row.endpoint, "\(row.request.dropFirst("GET ".count))\($0)") }
    }

    private static let reading = [
        EffortRow("GET /livez"), EffortRow("GET /readyz"), EffortRow("GET /readyz", by: .service),
        EffortRow("GET /metrics", by: .service),
        EffortRow("GET /v1/ingest", by: .service), EffortRow("GET /v1/service", by: .service),
        EffortRow("GET /v1/people/{id}", "/v1/people/ana"),
        EffortRow("GET /v1/people/{id}", "/v1/people/ana", by: .luis),
        EffortRow("GET /v1/people/{id}/position", "/v1/people/friend7/position"),
        EffortRow("GET /v1/people/{id}/position", "/v1/people/ana/position?at=2026-11-20T09:30:00Z", by: .luis),
        EffortRow("GET /v1/people/{id}/history", "/v1/people/ana/history?limit=10000"),
        EffortRow("GET /v1/people/{id}/encounters", "/v1/people/luis/encounters?with=ana&limit=1000", by: .luis),
        EffortRow("GET /v1/people/{id}/discovery", "/v1/people/ana/discovery?limit=100"),
        EffortRow("GET /v1/people/{id}/cell", "/v1/people/ana/cell", by: .service),
        EffortRow("GET /v1/people/{id}/discovery", "/v1/people/ana/discovery?limit=100&age_min=30&sex=female"),
        EffortRow("GET /v1/people/{id}/friends", "/v1/people/ana/friends?limit=1&label=colleague"),
        EffortRow("GET /v1/people/{id}/friends/nearest", "/v1/people/ana/friends/nearest?limit=1000"),
        EffortRow("GET /v1/people/{id}/friends/nearest", "/v1/people/ana/friends/nearest?group=group0&label=colleague"),
        EffortRow(
            "GET /v1/people/{id}/friends/nearest", "/v1/people/ana/friends/nearest?limit=100&at=2026-11-20T09:55:00Z"),
        EffortRow("GET /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/blocked77"),
        EffortRow("GET /v1/people/{id}/favourites/{kind}", "/v1/people/ana/favourites/people?limit=1000"),
        EffortRow("GET /v1/people/{id}/favourites/{kind}", "/v1/people/ana/favourites/places?limit=1000"),
        EffortRow("GET /v1/people/{id}/favourites/{kind}", "/v1/people/ana/favourites/products?limit=1000"),
        EffortRow("GET /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/liked11000"),
        EffortRow("GET /v1/groups/{id}", "/v1/groups/group0"),
        EffortRow("GET /v1/groups/{id}/members", "/v1/groups/group0/members?limit=1000"),
        EffortRow("GET /v1/groups/{id}/invitations", "/v1/groups/group0/invitations?limit=1000"),
        EffortRow("GET /v1/people", "/v1/people?q=anselm&limit=100"),
        EffortRow("GET /v1/cities", "/v1/cities?q=val&limit=100"),
        EffortRow("GET /v1/events", "/v1/events?limit=1000"), EffortRow("GET /v1/events", "/v1/events", by: .service),
        EffortRow("POST /v1/events/tickets"),
        EffortRow("GET /v1/places/{id}", "/v1/places/place0"),
        EffortRow("GET /v1/places/{id}/comments", "/v1/places/place0/comments?limit=100&count=true"),
        EffortRow("GET /v1/places/{id}/comments", "/v1/places/place0/comments?limit=100&count=true", by: .luis),
        EffortRow("GET /v1/places/{id}/comments/{comment}", "/v1/places/place0/comments/own"),
        EffortRow("GET /v1/exports/{kind}", "/v1/exports/people", by: .service),
        EffortRow("GET /v1/exports/{kind}", "/v1/exports/pings", by: .service),
        EffortRow("GET /v1/exports/tracks", "/v1/exports/tracks?person=ana"),
        EffortRow(
            "GET /v1/people/nearest", "/v1/people/nearest?\(here)&limit=100&attr.texts=none", by: .service),
        EffortRow(
            "GET /v1/nearby", "/v1/nearby?\(here)&within_m=20000&at=2026-11-20T09:55:00Z&limit=100", by: .service),
        EffortRow(
            "GET /v1/nearby", "/v1/nearby?\(here)&within_m=20000&datetime=2026-11-20T08:55:00Z/2026-11-20T09:55:00Z",
            by: .service),
    ]

    private static let asking =
        [
            EffortRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&limit=1000"),
            EffortRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&limit=100&owner=ana"),
            EffortRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&limit=100&attr.texts=none"),
            EffortRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&tag=\(values)&attr.texts=\(values)"),
            EffortRow("GET /v1/places", "/v1/places?limit=100&sort=name&category=\(values)&attr.texts=\(values)"),
            EffortRow("GET /v1/products", "/v1/products?limit=100&brand=\(values)&color=\(values)"),
            EffortRow("GET /v1/places", "/v1/places?limit=1000&sort=name"),
            EffortRow("GET /v1/places", "/v1/places?limit=100&q=place"),
            EffortRow("GET /v1/places", "/v1/places?limit=100&contains=39.47,-0.376"),
            EffortRow("GET /v1/places/facets", "/v1/places/facets?contains=39.47,-0.376"),
            EffortRow("GET /v1/places/facets", "/v1/places/facets?owner=ana&facet=attr"),
            EffortRow("GET /v1/places/facets", "/v1/places/facets?facet=attr"),
            EffortRow("GET /v1/places/clusters", "/v1/places/clusters?bbox=-180,-90,180,90"),
            EffortRow("GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt", "/v1/tiles/topic/0/0/0.mvt"),
            EffortRow("GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt", "/v1/tiles/topic/0/0/0.mvt", by: .luis),
            EffortRow("GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt", "/v1/tiles/topic/0/0/0.mvt", by: .service),
            EffortRow("GET /v1/tiles/{kind}.json", "/v1/tiles/topic.json"),
            EffortRow("GET /v1/tiles/{kind}/style.json", "/v1/tiles/topic/style.json"),
            EffortRow(
                "GET /v1/places/clusters", "/v1/places/clusters?bbox=-1,39,0,40&attr.texts=\(values)&tag=\(values)"),
            EffortRow("GET /v1/stores/nearest", "/v1/stores/nearest?\(here)&limit=1000"),
            EffortRow(
                "GET /v1/stores/nearest",
                "/v1/stores/nearest?\(here)&limit=1000&store.category=\(values)&tag=\(values)&attr.texts=\(values)&store.attr.texts=\(values)"
            ),
            EffortRow("GET /v1/stores/{id}/stock", "/v1/stores/store/stock"),
            EffortRow("GET /v1/stores/{id}/stock/{product}", "/v1/stores/store/stock/pump"),
            EffortRow("GET /v1/products", "/v1/products?limit=100"),
            EffortRow("GET /v1/products", "/v1/products?limit=100&attr.texts=\(values)"),
            EffortRow("GET /v1/people", "/v1/people?limit=1000", by: .service),
            EffortRow("GET /v1/products/{id}", "/v1/products/pump"),
            EffortRow("GET /v1/products/facets", "/v1/products/facets"),
            EffortRow("GET /v1/products/facets", "/v1/products/facets?facet=attr&attr.texts=\(values)"),
            EffortRow(
                "POST /v1/query", "/v1/query",
                #"{"queries":[{"nearest":"places","lat":39.47,"lon":-0.376,"in":\#(polygon)},{"list":"places","in":\#(polygon)}]}"#
            ),
            EffortRow("POST /v1/query", "/v1/query", #"{"queries":[\#((queries + queries).joined(separator: ","))]}"#),
        ] + queries.map { EffortRow("POST /v1/query", "/v1/query", #"{"queries":[\#($0),\#($0)]}"#) }

    private static let changing = [
        EffortRow("POST /v1/pings", "/v1/pings", pings), EffortRow("POST /v1/pings", "/v1/pings", pings),
        EffortRow("POST /ingest/owntracks", nil, location, by: .phone),
        EffortRow("POST /ingest/owntracks/pub", nil, location, by: .phone),
        EffortRow("POST /pub", nil, location, by: .phone),
        EffortRow("GET /ingest/osmand", "/ingest/osmand?\(here)&timestamp=1795168800", by: .phone),
        EffortRow("POST /ingest/osmand", "/ingest/osmand?\(here)&timestamp=1795168800", "", by: .phone),
        EffortRow("GET /ingest/osmand/**", "/ingest/osmand/x?\(here)", by: .phone),
        EffortRow("POST /ingest/osmand/**", "/ingest/osmand/x?\(here)", "", by: .phone),
        EffortRow("POST /ingest/overland", nil, #"{"locations":[]}"#, by: .phone),
        EffortRow("GET /ingest/gpslogger", "/ingest/gpslogger?\(here)", by: .phone),
        EffortRow("POST /ingest/gpslogger", nil, here, by: .phone),
        EffortRow("PUT /v1/people/{id}", "/v1/people/luis", #"{"name":"Luis","discoverable":true}"#, by: .luis),
        EffortRow("PATCH /v1/people/{id}", "/v1/people/luis", #"{"about":"More"}"#, by: .luis),
        EffortRow("POST /v1/groups", nil, #"{"name":"New","owner":"luis"}"#, by: .luis),
        EffortRow("PATCH /v1/groups/{id}", "/v1/groups/group0", #"{"name":"G2"}"#),
        EffortRow("PUT /v1/groups/{id}/invitations/{person}", "/v1/groups/group1/invitations/friend300"),
        EffortRow("DELETE /v1/groups/{id}/invitations/{person}", "/v1/groups/group1/invitations/friend300"),
        EffortRow("PUT /v1/people/{id}/friends/{other}", "/v1/people/ana/friends/eva"),
        EffortRow("PUT /v1/people/{id}/decisions/{other}", "/v1/people/ana/decisions/eva", #"{"like":true}"#),
        EffortRow("DELETE /v1/people/{id}/decisions/{other}", "/v1/people/ana/decisions/eva"),
        EffortRow("PUT /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/eva"),
        EffortRow("DELETE /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/eva"),
        EffortRow("PUT /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/eva"),
        EffortRow("DELETE /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/eva"),
        EffortRow("POST /v1/people/{id}/devices", "/v1/people/ana/devices", #"{"id":"watch"}"#),
        EffortRow(
            "PUT /v1/fences/{id}", "/v1/fences/spain", spanishFence.replacing("}}", with: #"},"everybody":true}"#),
            by: .service),
        EffortRow("GET /v1/fences", "/v1/fences?limit=1000", by: .service),
        EffortRow("GET /v1/fences/{id}", "/v1/fences/spain", by: .service),
        EffortRow("PUT /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/spain", spanishFence),
        EffortRow("GET /v1/people/{id}/fences", "/v1/people/ana/fences?limit=1000"),
        EffortRow("GET /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/spain"),
        EffortRow("DELETE /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/spain"),
        EffortRow("DELETE /v1/fences/{id}", "/v1/fences/spain", by: .service),
        EffortRow("GET /v1/people/{id}/watchers", "/v1/people/ana/watchers"),
        EffortRow("PUT /v1/people/{id}/watchers/{owner}/{fence}", "/v1/people/ana/watchers/friend7/w"),
        EffortRow("DELETE /v1/people/{id}/watchers/{owner}/{fence}", "/v1/people/ana/watchers/friend7/w"),
        EffortRow("PUT /v1/webhooks/{id}", "/v1/webhooks/h", #"{"url":"https://localhost/"}"#, by: .service),
        EffortRow("GET /v1/webhooks", "/v1/webhooks?limit=1000", by: .service),
        EffortRow("GET /v1/webhooks/{id}", "/v1/webhooks/h", by: .service),
        EffortRow("POST /v1/webhooks/{id}/rotate", "/v1/webhooks/h/rotate", by: .service),
        EffortRow("POST /v1/webhooks/{id}/test", "/v1/webhooks/h/test", by: .service),
        EffortRow("POST /v1/webhooks/{id}/redeliver", "/v1/webhooks/h/redeliver?from=1", by: .service),
        EffortRow("GET /v1/webhooks/{id}/deliveries", "/v1/webhooks/h/deliveries", by: .service),
        EffortRow("DELETE /v1/webhooks/{id}", "/v1/webhooks/h", by: .service),
        EffortRow("POST /v1/people/{id}/devices/{device}/rotate", "/v1/people/ana/devices/watch/rotate"),
        EffortRow("DELETE /v1/people/{id}/devices/{device}", "/v1/people/ana/devices/watch"),
        EffortRow("PUT /v1/places/{id}", "/v1/places/place1", topic),
        EffortRow("POST /v1/places", nil, spain, by: .service),
        EffortRow("POST /v1/people", nil, #"{"name":"New","discoverable":true}"#, by: .service),
        EffortRow("PUT /v1/places/{id}", "/v1/places/place3", spain),
        EffortRow("PATCH /v1/places/{id}", "/v1/places/place2", #"{"name":"Luna"}"#),
        EffortRow("POST /v1/places/{id}/comments", "/v1/places/place0/comments", #"{"text":"Again"}"#),
        EffortRow("PATCH /v1/places/{id}/comments/{comment}", "/v1/places/place0/comments/own", #"{"text":"Hot"}"#),
        EffortRow("PUT /v1/products/{id}", "/v1/products/boot", #"{"id":"boot","name":"Boot"}"#, by: .service),
        EffortRow(
            "PUT /v1/stores/{id}/stock/{product}", "/v1/stores/store/stock/boot", #"{"quantity":3}"#, by: .service),
        EffortRow("POST /v1/imports/{kind}", "/v1/imports/people", "id\nnew\n", by: .service).type("text/csv"),
        EffortRow("POST /v1/imports/tracks", "/v1/imports/tracks?person=ana", pings),
    ]

    private static let noting = FriendAttribute.samples.flatMap { name, text in
        let (route, path) = ("/v1/people/{id}/friends/{other}/\(name)", "/v1/people/ana/friends/friend9/\(name)")
        return [EffortRow("PUT \(route)", path, #"{"\#(name)":"\#(text)"}"#), EffortRow("DELETE \(route)", path)]
    }

    private static let deleting = [
        EffortRow("DELETE /v1/stores/{id}/stock/{product}", "/v1/stores/store/stock/boot", by: .service),
        EffortRow("DELETE /v1/products/{id}", "/v1/products/pump", by: .service),
        EffortRow("DELETE /v1/places/{id}/comments/{comment}", "/v1/places/place0/comments/own"),
        EffortRow("DELETE /v1/places/{id}", "/v1/places/place0"),
        EffortRow("PUT /v1/groups/{id}/members/{person}", "/v1/groups/foreign0/members/ana").answered(200),
        EffortRow("DELETE /v1/groups/{id}/members/{person}", "/v1/groups/group0/members/ana"),
        EffortRow("DELETE /v1/groups/{id}", "/v1/groups/group2"),
        EffortRow("DELETE /v1/people/{id}/friends/{other}", "/v1/people/ana/friends/friend0"),
        EffortRow("DELETE /v1/people/{id}/history", "/v1/people/ana/history?datetime=../.."),
        EffortRow("DELETE /v1/people/{id}", "/v1/people/ana"),
    ]
}
