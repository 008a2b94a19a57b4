import Foundation
import Model

/// A request to an endpoint with the maximum cost.
struct BudgetRow {
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

    fileprivate func type(_ type: String) -> BudgetRow {
        var row = self
        row.type = type
        return row
    }

    func answered(_ status: Int) -> BudgetRow {
        var row = self
        row.statuses = [status]
        return row
    }
}

extension BudgetRow {
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
    static let all: [BudgetRow] = reading + own + asking + ogc + changing + shares + noting + deleting

    /// Reads of the table of callers, which Ana also sends here.
    private static let own: [BudgetRow] = CallerRows.all.compactMap { row in
        row.costly.map { BudgetRow(row.endpoint, "\(row.request.dropFirst("GET ".count))\($0)") }
    }

    private static let reading = [
        BudgetRow("GET /livez"), BudgetRow("GET /readyz"), BudgetRow("GET /readyz", by: .service),
        BudgetRow("GET /metrics", by: .service),
        BudgetRow("GET /v1/ingest", by: .service), BudgetRow("GET /v1/service", by: .service),
        BudgetRow("GET /v1/people/{id}", "/v1/people/ana"),
        BudgetRow("GET /v1/people/{id}", "/v1/people/ana", by: .luis),
        BudgetRow("GET /v1/people/{id}/position", "/v1/people/friend7/position"),
        BudgetRow("GET /v1/people/{id}/position", "/v1/people/ana/position?at=2026-11-20T09:30:00Z", by: .luis),
        BudgetRow("GET /v1/people/{id}/history", "/v1/people/ana/history?limit=10000"),
        BudgetRow("GET /v1/people/{id}/encounters", "/v1/people/luis/encounters?with=ana&limit=1000", by: .luis),
        BudgetRow("GET /v1/people/{id}/discovery", "/v1/people/ana/discovery?limit=100"),
        BudgetRow("GET /v1/people/{id}/cell", "/v1/people/ana/cell", by: .service),
        BudgetRow("GET /v1/people/{id}/discovery", "/v1/people/ana/discovery?limit=100&age_min=30&sex=female"),
        BudgetRow("GET /v1/people/{id}/friends", "/v1/people/ana/friends?limit=1&label=colleague"),
        BudgetRow("GET /v1/people/{id}/friends/nearest", "/v1/people/ana/friends/nearest?limit=1000"),
        BudgetRow("GET /v1/people/{id}/friends/nearest", "/v1/people/ana/friends/nearest?group=group0&label=colleague"),
        BudgetRow(
            "GET /v1/people/{id}/friends/nearest", "/v1/people/ana/friends/nearest?limit=100&at=2026-11-20T09:55:00Z"),
        BudgetRow("GET /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/blocked77"),
        BudgetRow("GET /v1/people/{id}/favourites/{kind}", "/v1/people/ana/favourites/people?limit=1000"),
        BudgetRow("GET /v1/people/{id}/favourites/{kind}", "/v1/people/ana/favourites/places?limit=1000"),
        BudgetRow("GET /v1/people/{id}/favourites/{kind}", "/v1/people/ana/favourites/products?limit=1000"),
        BudgetRow("GET /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/liked11000"),
        BudgetRow("GET /v1/groups/{id}", "/v1/groups/group0"),
        BudgetRow("GET /v1/groups/{id}/members", "/v1/groups/group0/members?limit=1000"),
        BudgetRow("GET /v1/groups/{id}/invitations", "/v1/groups/group0/invitations?limit=1000"),
        BudgetRow("GET /v1/people", "/v1/people?q=anselm&limit=100"),
        BudgetRow("GET /v1/cities", "/v1/cities?q=val&limit=100"),
        BudgetRow("GET /v1/events", "/v1/events?limit=1000"), BudgetRow("GET /v1/events", "/v1/events", by: .service),
        BudgetRow("POST /v1/events/tickets"),
        BudgetRow("GET /v1/places/{id}", "/v1/places/place0"),
        BudgetRow("GET /v1/places/{id}/comments", "/v1/places/place0/comments?limit=100&count=true"),
        BudgetRow("GET /v1/places/{id}/comments", "/v1/places/place0/comments?limit=100&count=true", by: .luis),
        BudgetRow("GET /v1/places/{id}/comments/{comment}", "/v1/places/place0/comments/own"),
        BudgetRow("GET /v1/exports/{kind}", "/v1/exports/people", by: .service),
        BudgetRow("GET /v1/exports/{kind}", "/v1/exports/pings", by: .service),
        BudgetRow("GET /v1/exports/tracks", "/v1/exports/tracks?person=ana"),
        BudgetRow(
            "GET /v1/people/nearest", "/v1/people/nearest?\(here)&limit=100&attr.texts=none", by: .service),
        BudgetRow(
            "GET /v1/nearby", "/v1/nearby?\(here)&within_m=20000&at=2026-11-20T09:55:00Z&limit=100", by: .service),
        BudgetRow(
            "GET /v1/nearby", "/v1/nearby?\(here)&within_m=20000&datetime=2026-11-20T08:55:00Z/2026-11-20T09:55:00Z",
            by: .service),
    ]

    private static let asking =
        [
            BudgetRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&limit=1000"),
            BudgetRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&limit=100&owner=ana"),
            BudgetRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&limit=100&attr.texts=none"),
            BudgetRow("GET /v1/places/nearest", "/v1/places/nearest?\(here)&tag=\(values)&attr.texts=\(values)"),
            BudgetRow("GET /v1/places", "/v1/places?limit=100&sort=name&category=\(values)&attr.texts=\(values)"),
            BudgetRow("GET /v1/products", "/v1/products?limit=100&brand=\(values)&color=\(values)"),
            BudgetRow("GET /v1/places", "/v1/places?limit=1000&sort=name"),
            BudgetRow("GET /v1/places", "/v1/places?limit=100&q=place"),
            BudgetRow("GET /v1/places", "/v1/places?limit=100&contains=39.47,-0.376"),
            BudgetRow("GET /v1/places/facets", "/v1/places/facets?contains=39.47,-0.376"),
            BudgetRow("GET /v1/places/facets", "/v1/places/facets?owner=ana&facet=attr"),
            BudgetRow("GET /v1/places/facets", "/v1/places/facets?facet=attr"),
            BudgetRow("GET /v1/places/clusters", "/v1/places/clusters?bbox=-180,-90,180,90"),
            BudgetRow("GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt", "/v1/tiles/topic/0/0/0.mvt"),
            BudgetRow("GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt", "/v1/tiles/topic/0/0/0.mvt", by: .luis),
            BudgetRow("GET /v1/tiles/{kind}/{z}/{x}/{y}.mvt", "/v1/tiles/topic/0/0/0.mvt", by: .service),
            BudgetRow("GET /v1/tiles/{kind}.json", "/v1/tiles/topic.json"),
            BudgetRow("GET /v1/tiles/{kind}/style.json", "/v1/tiles/topic/style.json"),
            BudgetRow(
                "GET /v1/places/clusters", "/v1/places/clusters?bbox=-1,39,0,40&attr.texts=\(values)&tag=\(values)"),
            BudgetRow("GET /v1/stores/nearest", "/v1/stores/nearest?\(here)&limit=1000"),
            BudgetRow(
                "GET /v1/stores/nearest",
                "/v1/stores/nearest?\(here)&limit=1000&store.category=\(values)&tag=\(values)&attr.texts=\(values)&store.attr.texts=\(values)"
            ),
            BudgetRow("GET /v1/stores/{id}/stock", "/v1/stores/store/stock"),
            BudgetRow("GET /v1/stores/{id}/stock/{product}", "/v1/stores/store/stock/pump"),
            BudgetRow("GET /v1/products", "/v1/products?limit=100"),
            BudgetRow("GET /v1/products", "/v1/products?limit=100&attr.texts=\(values)"),
            BudgetRow("GET /v1/people", "/v1/people?limit=1000", by: .service),
            BudgetRow("GET /v1/products/{id}", "/v1/products/pump"),
            BudgetRow("GET /v1/products/facets", "/v1/products/facets"),
            BudgetRow("GET /v1/products/facets", "/v1/products/facets?facet=attr&attr.texts=\(values)"),
            BudgetRow(
                "POST /v1/query", "/v1/query",
                #"{"queries":[{"nearest":"places","lat":39.47,"lon":-0.376,"in":\#(polygon)},{"list":"places","in":\#(polygon)}]}"#
            ),
            BudgetRow("POST /v1/query", "/v1/query", #"{"queries":[\#((queries + queries).joined(separator: ","))]}"#),
        ] + queries.map { BudgetRow("POST /v1/query", "/v1/query", #"{"queries":[\#($0),\#($0)]}"#) }

    private static let changing = [
        BudgetRow("POST /v1/pings", "/v1/pings", pings), BudgetRow("POST /v1/pings", "/v1/pings", pings),
        BudgetRow("POST /ingest/owntracks", nil, location, by: .phone),
        BudgetRow("POST /ingest/owntracks/pub", nil, location, by: .phone),
        BudgetRow("POST /pub", nil, location, by: .phone),
        BudgetRow("GET /ingest/osmand", "/ingest/osmand?\(here)&timestamp=1795168800", by: .phone),
        BudgetRow("POST /ingest/osmand", "/ingest/osmand?\(here)&timestamp=1795168800", "", by: .phone),
        BudgetRow("GET /ingest/osmand/**", "/ingest/osmand/x?\(here)", by: .phone),
        BudgetRow("POST /ingest/osmand/**", "/ingest/osmand/x?\(here)", "", by: .phone),
        BudgetRow("POST /ingest/overland", nil, #"{"locations":[]}"#, by: .phone),
        BudgetRow("GET /ingest/gpslogger", "/ingest/gpslogger?\(here)", by: .phone),
        BudgetRow("POST /ingest/gpslogger", nil, here, by: .phone),
        BudgetRow("PUT /v1/people/{id}", "/v1/people/luis", #"{"name":"Luis","discoverable":true}"#, by: .luis),
        BudgetRow("PATCH /v1/people/{id}", "/v1/people/luis", #"{"about":"More"}"#, by: .luis),
        BudgetRow("POST /v1/groups", nil, #"{"name":"New","owner":"luis"}"#, by: .luis),
        BudgetRow("PATCH /v1/groups/{id}", "/v1/groups/group0", #"{"name":"G2"}"#),
        BudgetRow("PUT /v1/groups/{id}/invitations/{person}", "/v1/groups/group1/invitations/friend300"),
        BudgetRow("DELETE /v1/groups/{id}/invitations/{person}", "/v1/groups/group1/invitations/friend300"),
        BudgetRow("PUT /v1/people/{id}/friends/{other}", "/v1/people/ana/friends/eva"),
        BudgetRow("PUT /v1/people/{id}/decisions/{other}", "/v1/people/ana/decisions/eva", #"{"like":true}"#),
        BudgetRow("DELETE /v1/people/{id}/decisions/{other}", "/v1/people/ana/decisions/eva"),
        BudgetRow("PUT /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/eva"),
        BudgetRow("DELETE /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/eva"),
        BudgetRow("PUT /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/eva"),
        BudgetRow("DELETE /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/eva"),
        BudgetRow("POST /v1/people/{id}/devices", "/v1/people/ana/devices", #"{"id":"watch"}"#),
        BudgetRow(
            "PUT /v1/fences/{id}", "/v1/fences/spain", spanishFence.replacing("}}", with: #"},"everybody":true}"#),
            by: .service),
        BudgetRow("GET /v1/fences", "/v1/fences?limit=1000", by: .service),
        BudgetRow("GET /v1/fences/{id}", "/v1/fences/spain", by: .service),
        BudgetRow("PUT /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/spain", spanishFence),
        BudgetRow("GET /v1/people/{id}/fences", "/v1/people/ana/fences?limit=1000"),
        BudgetRow("GET /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/spain"),
        BudgetRow("DELETE /v1/people/{id}/fences/{fence}", "/v1/people/ana/fences/spain"),
        BudgetRow("DELETE /v1/fences/{id}", "/v1/fences/spain", by: .service),
        BudgetRow("GET /v1/people/{id}/watchers", "/v1/people/ana/watchers"),
        BudgetRow("PUT /v1/people/{id}/watchers/{owner}/{fence}", "/v1/people/ana/watchers/friend7/w"),
        BudgetRow("DELETE /v1/people/{id}/watchers/{owner}/{fence}", "/v1/people/ana/watchers/friend7/w"),
        BudgetRow("PUT /v1/webhooks/{id}", "/v1/webhooks/h", #"{"url":"https://localhost/"}"#, by: .service),
        BudgetRow("GET /v1/webhooks", "/v1/webhooks?limit=1000", by: .service),
        BudgetRow("GET /v1/webhooks/{id}", "/v1/webhooks/h", by: .service),
        BudgetRow("POST /v1/webhooks/{id}/rotate", "/v1/webhooks/h/rotate", by: .service),
        BudgetRow("POST /v1/webhooks/{id}/test", "/v1/webhooks/h/test", by: .service),
        BudgetRow("POST /v1/webhooks/{id}/redeliver", "/v1/webhooks/h/redeliver?from=1", by: .service),
        BudgetRow("GET /v1/webhooks/{id}/deliveries", "/v1/webhooks/h/deliveries", by: .service),
        BudgetRow("DELETE /v1/webhooks/{id}", "/v1/webhooks/h", by: .service),
        BudgetRow("POST /v1/people/{id}/devices/{device}/rotate", "/v1/people/ana/devices/watch/rotate"),
        BudgetRow("DELETE /v1/people/{id}/devices/{device}", "/v1/people/ana/devices/watch"),
        BudgetRow("PUT /v1/places/{id}", "/v1/places/place1", topic),
        BudgetRow("POST /v1/places", nil, spain, by: .service),
        BudgetRow("POST /v1/people", nil, #"{"name":"New","discoverable":true}"#, by: .service),
        BudgetRow("PUT /v1/places/{id}", "/v1/places/place3", spain),
        BudgetRow("PATCH /v1/places/{id}", "/v1/places/place2", #"{"name":"Luna"}"#),
        BudgetRow("POST /v1/places/{id}/comments", "/v1/places/place0/comments", #"{"text":"Again"}"#),
        BudgetRow("PATCH /v1/places/{id}/comments/{comment}", "/v1/places/place0/comments/own", #"{"text":"Hot"}"#),
        BudgetRow("PUT /v1/products/{id}", "/v1/products/boot", #"{"id":"boot","name":"Boot"}"#, by: .service),
        BudgetRow(
            "PUT /v1/stores/{id}/stock/{product}", "/v1/stores/store/stock/boot", #"{"quantity":3}"#, by: .service),
        BudgetRow("POST /v1/imports/{kind}", "/v1/imports/people", "id\nnew\n", by: .service).type("text/csv"),
        BudgetRow("POST /v1/imports/tracks", "/v1/imports/tracks?person=ana", pings),
    ]

    private static let noting = FriendAttribute.samples.flatMap { name, text in
        let (route, path) = ("/v1/people/{id}/friends/{other}/\(name)", "/v1/people/ana/friends/friend9/\(name)")
        return [BudgetRow("PUT \(route)", path, #"{"\#(name)":"\#(text)"}"#), BudgetRow("DELETE \(route)", path)]
    }

    private static let deleting = [
        BudgetRow("DELETE /v1/stores/{id}/stock/{product}", "/v1/stores/store/stock/boot", by: .service),
        BudgetRow("DELETE /v1/products/{id}", "/v1/products/pump", by: .service),
        BudgetRow("DELETE /v1/places/{id}/comments/{comment}", "/v1/places/place0/comments/own"),
        BudgetRow("DELETE /v1/places/{id}", "/v1/places/place0"),
        BudgetRow("PUT /v1/groups/{id}/members/{person}", "/v1/groups/foreign0/members/ana").answered(200),
        BudgetRow("DELETE /v1/groups/{id}/members/{person}", "/v1/groups/group0/members/ana"),
        BudgetRow("DELETE /v1/groups/{id}", "/v1/groups/group2"),
        BudgetRow("DELETE /v1/people/{id}/friends/{other}", "/v1/people/ana/friends/friend0"),
        BudgetRow("DELETE /v1/people/{id}/history", "/v1/people/ana/history?datetime=../.."),
        BudgetRow("DELETE /v1/people/{id}", "/v1/people/ana"),
    ]
}
