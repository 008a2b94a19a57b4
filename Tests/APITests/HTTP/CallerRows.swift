import Model

/// The answers to every caller of each endpoint.
enum CallerRows {
    static let notAllowed = problem(
        403, "Forbidden", "not_allowed", "You may act only for yourself, and change only your own places.")
    static let servicesOnly = problem(
        403, "Forbidden", "insufficient_scope", "This needs a token of scope 'service'; yours is of scope 'person'.")
    static let devicesSend = problem(
        403, "Forbidden", "insufficient_scope", "The token of a device may send pings and nothing else.")
    static let noDevice = problem(
        401, "Unauthorized", "invalid_token", "The device token is unknown, replaced or revoked.")
    private static let deviceRequired = problem(
        401, "Unauthorized", "token_required",
        "A device token is required: '?token=', 'Authorization: Bearer' or a Basic password.")

    /// The answer to a phone without a device token.
    static func refusal(_ header: String?) -> String { header == nil ? deviceRequired : noDevice }
    static let sol = #"{"id":"sol","kind":"store","name":"Sol","lat":39.47,"lon":-0.376,"owner":"ana"}"#
    /// The place as others see it.
    static let unowned = sol.replacing(#","owner":"ana""#, with: "")
    /// The members of Ana as she sees them.
    static let whole =
        #""id":"ana","name":"Ana","city":"Gandia","born":"1996-05-01","email":"ana@example.com","discoverable":true,"sharing":{"precision":"exact"}"#
    static let pump = #"{"id":"pump","name":"Pump"}"#
    static let boot = #"{"id":"boot","name":"Boot"}"#

    static func absent(_ what: String, _ id: String) -> String {
        problem(404, "Not Found", "not_found", "There is no \(what) '\(id)'.")
    }

    /// In an order in which Ana can make one request after the other.
    static let all =
        ogc + notes + fences + tiles + others.dropLast() + shares + making + others.suffix(1)

    private static let notes = FriendAttribute.samples.flatMap { name, text in
        let (route, friends) = ("/v1/people/{id}/friends/{other}/\(name)", "/v1/people/ana/friends")
        return [
            CallerRow.own(
                "PUT \(route)", "\(friends)/eva/\(name)", #"{"\#(name)":"\#(text)"}"#, absent("friend", "eva")),
            .own("DELETE \(route)", "\(friends)/luis/\(name)", "204 "),
        ]
    }

    private static let others: [CallerRow] = {
        let nowhere = #"200 {"items":[]}"#
        let healthy = #"200 {"status":"ok"}"#
        let seen = #""precision":"exact""#
        let ping = #"{"person":"ana","lat":39.5,"lon":-0.4}"#
        return [
            .anyone("GET /livez", "/livez", healthy), .anyone("GET /readyz", "/readyz", healthy),
            CallerRow(
                "GET /v1/people/{id}", own: "200 {\(whole)}",
                others: #"200 {"id":"ana","name":"Ana","city":"Gandia","email":"ana@example.com"}"#,
                stranger: #"200 {"id":"ana","name":"Ana","city":"Gandia"}"#),
            CallerRow(
                "GET /v1/people/{id}/position",
                own: #"200 {"id":"ana","lat":39.47,"lon":-0.376,"at":"2026-11-20T09:50:00Z",\#(seen)}"#,
                others: #"200 {"id":"ana","lat":39.47,"lon":-0.376,"at":"2026-11-20T09:50:00Z",\#(seen)}"#,
                stranger: problem(404, "Not Found", "not_found", "No position of 'ana' is visible to you.")),
            .own(
                "GET /v1/people/{id}/history", "/v1/people/ana/history",
                #"200 {"items":[{"t":"2026-11-20T09:50:00Z","lat":39.47,"lon":-0.376}]}"#),
            .own("GET /v1/people/{id}/encounters", "/v1/people/ana/encounters?with=luis", nowhere),
            .own(
                "GET /v1/people/{id}/discovery", "/v1/people/ana/discovery?within_m=1", #"200 {"items":[],"done":true}"#
            ),
            .own(
                "GET /v1/people/{id}/friends", "/v1/people/ana/friends",
                #"200 {"items":[{"id":"luis","name":"Luis","city":"Gandia"}]}"#, costly: "?limit=1000"),
            .own(
                "GET /v1/people/{id}/friends/requests", "/v1/people/ana/friends/requests",
                #"200 {"received":[],"sent":[]}"#, costly: ""
            ),
            .own(
                "GET /v1/people/{id}/friends/nearest", "/v1/people/ana/friends/nearest?fields=id,distance_m",
                #"200 {"items":[{"id":"luis","distance_m":0}]}"#),
            .own("GET /v1/people/{id}/matches", "/v1/people/ana/matches", nowhere, costly: "?limit=1000"),
            .own("GET /v1/people/{id}/blocks", "/v1/people/ana/blocks", nowhere, costly: "?limit=1000"),
            .own("GET /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/eva", absent("block", "eva")),
            .own(
                "GET /v1/people/{id}/devices", "/v1/people/ana/devices",
                #"200 {"items":[{"id":"phone","since":"2026-11-20T10:00:00Z"}]}"#, costly: ""),
            export,
            .own(
                "GET /v1/people/{id}/groups", "/v1/people/ana/groups",
                #"200 {"items":[{"id":"g","name":"G","owner":"ana","since":"2026-11-20T10:00:00Z","members":1}]}"#,
                costly: ""),
            .own(
                "GET /v1/people/{id}/invitations", "/v1/people/ana/invitations",
                #"200 {"items":[{"id":"h","name":"H","by":{"id":"luis","name":"Luis","city":"Gandia"},"at":"2026-11-20T10:00:00Z"}]}"#,
                costly: ""),
            .group("GET /v1/groups/{id}", "/v1/groups/g", #"200 {"id":"g","name":"G","owner":"ana"}"#),
            .group(
                "GET /v1/groups/{id}/members", "/v1/groups/g/members",
                #"200 {"items":[{"id":"ana","name":"Ana","city":"Gandia"}]}"#),
            .group("GET /v1/groups/{id}/invitations", "/v1/groups/g/invitations", nowhere),
            .group("PUT /v1/groups/{id}/invitations/{person}", "/v1/groups/g/invitations/eva", absent("friend", "eva")),
            .group(
                "DELETE /v1/groups/{id}/invitations/{person}", "/v1/groups/g/invitations/eva",
                absent("invitation", "eva")),
            .group(
                "PATCH /v1/groups/{id}", "/v1/groups/g", #"{"name":"G2"}"#, #"200 {"id":"g","name":"G2","owner":"ana"}"#
            ),
            .group("DELETE /v1/groups/{id}", "/v1/groups/g", "204 "),
            CallerRow(
                "POST /v1/groups", "/v1/groups", #"{"name":"New","owner":"ana"}"#,
                own: #"201 {"id":"…","name":"New","owner":"ana"}"#, others: notAllowed),
            CallerRow(
                "PUT /v1/groups/{id}/members/{person}", "/v1/groups/h/members/ana", own: #"200 {"state":"member"}"#,
                others: notAllowed, stranger: absent("group", "h")),
            CallerRow(
                "DELETE /v1/groups/{id}/members/{person}", "/v1/groups/h/members/ana", own: "204 ",
                others: absent("member", "ana"), stranger: absent("group", "h")),
            CallerRow("GET /v1/places/{id}", "/v1/places/sol", own: "200 \(sol)", others: "200 \(unowned)"),
            .known(
                "GET /v1/places/nearest", "/v1/places/nearest?lat=39.47&lon=-0.376&fields=id",
                #"200 {"items":[{"id":"sol"}]}"#),
            .known(
                "GET /v1/stores/nearest", "/v1/stores/nearest?lat=39.47&lon=-0.376&fields=id",
                #"200 {"items":[{"id":"sol"}]}"#),
            .known(
                "GET /v1/stores/{id}/stock", "/v1/stores/sol/stock", #"200 {"items":[{"product":"pump","quantity":2}]}"#
            ),
            .known(
                "GET /v1/stores/{id}/stock/{product}", "/v1/stores/sol/stock/pump",
                #"200 {"store":"sol","product":"pump","quantity":2}"#),
            CallerRow(
                "GET /v1/people", "/v1/people?q=AN", own: #"200 {"items":[{"id":"ana","name":"Ana","city":"Gandia"}]}"#,
                others: #"200 {"items":[{"id":"ana","name":"Ana","city":"Gandia"}]}"#),
            CallerRow(
                "POST /v1/query", "/v1/query",
                #"{"queries":[{"nearest":"friends","person":"ana","fields":"id"},{"place":"sol","fields":"id"}]}"#,
                own: #"200 {"answers":[{"items":[{"id":"luis"}]},{"id":"sol"}]}"#,
                others: #"200 {"answers":[\#(CallerRows.notAllowed.dropFirst(4)),{"id":"sol"}]}"#),
            .known("GET /v1/cities", "/v1/cities?q=valence&fields=country", #"200 {"items":[{"country":"FR"}]}"#),
            .service("GET /v1/webhooks", "/v1/webhooks"),
            .service("PUT /v1/webhooks/{id}", "/v1/webhooks/h", #"{"url":"https://localhost/"}"#),
            .service("GET /v1/webhooks/{id}", "/v1/webhooks/h"),
            .service("POST /v1/webhooks/{id}/rotate", "/v1/webhooks/h/rotate"),
            .service("POST /v1/webhooks/{id}/test", "/v1/webhooks/h/test"),
            .service("POST /v1/webhooks/{id}/redeliver", "/v1/webhooks/h/redeliver?from=1"),
            .service("GET /v1/webhooks/{id}/deliveries", "/v1/webhooks/h/deliveries"),
            .service("DELETE /v1/webhooks/{id}", "/v1/webhooks/h"),
            .known("GET /v1/events", "/v1/events?type=place.deleted", #"200 {"items":[],"cursor":"…"}"#),
            .known("GET /v1/products", "/v1/products", #"200 {"items":[\#(pump)]}"#),
            .known("GET /v1/products/{id}", "/v1/products/pump", "200 \(pump)"),
            .known(
                "GET /v1/products/facets", "/v1/products/facets?facet=brand", #"200 {"count":1,"facets":{"brand":[]}}"#),
            .service("PUT /v1/products/{id}", "/v1/products/boot", boot),
            .service("DELETE /v1/products/{id}", "/v1/products/pump"),
            .service("PUT /v1/stores/{id}/stock/{product}", "/v1/stores/sol/stock/pump", #"{"quantity":3}"#),
            .service("DELETE /v1/stores/{id}/stock/{product}", "/v1/stores/sol/stock/pump"),
            .service("GET /v1/people/{id}/cell", "/v1/people/ana/cell"),
            .service("GET /v1/people/nearest", "/v1/people/nearest?lat=39.47&lon=-0.376"),
            .service("GET /v1/nearby", "/v1/nearby?lat=39.47&lon=-0.376&within_m=100&at=2026-11-20T09:55:00Z"),
            .service("GET /v1/exports/{kind}", "/v1/exports/people"),
            .own(
                "GET /v1/exports/tracks", "/v1/exports/tracks?person=ana",
                """
                200 <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Cerca" xmlns="http://www.topografix.com/GPX/1/1" \
                xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:cerca="urn:cerca:gpx:1">
                <trk><name>ana</name><trkseg>
                <trkpt lat="39.47" lon="-0.376"><time>2026-11-20T09:50:00Z</time></trkpt>
                </trkseg></trk>
                </gpx>

                """),
            .own(
                "POST /v1/imports/tracks", "/v1/imports/tracks?person=ana&dry_run=true", ping,
                #"200 {"format":"json","rows":1,"stored":0,"verdicts":{},"without_time":1,"refused":[],"refused_count":0,"notes":["1 positions have no time and were skipped"]}"#
            ),
            .service("POST /v1/imports/{kind}", "/v1/imports/people", "id\nnew\n", type: "text/csv"),
            CallerRow("PUT /v1/places/{id}", "/v1/places/sol", sol, own: "200 \(sol)", others: notAllowed),
            CallerRow(
                "PATCH /v1/places/{id}", "/v1/places/sol", #"{"name":"Luna"}"#,
                own: "200 \(sol.replacing("\"Sol\"", with: "\"Luna\""))", others: notAllowed),
            CallerRow(
                "POST /v1/pings", "/v1/pings", ping,
                own:
                    #"200 {"stored":1,"throttled":0,"verdicts":["stored"],"hint":{"from":{"lat":39.5,"lon":-0.4},"beyond_m":500,"not_before":"2026-11-20T10:02:00Z","until":"2026-11-21T10:00:00Z"}}"#,
                others: absent("person", "ana").replacing(
                    "There is no person 'ana'.", with: "You may not send positions for 'ana', or they do not exist."),
                device:
                    #"200 {"stored":0,"throttled":1,"verdicts":["throttled:interval"],"hint":{"from":{"lat":39.5,"lon":-0.4},"beyond_m":500,"not_before":"2026-11-20T10:02:00Z","until":"2026-11-21T10:00:00Z"}}"#
            ),
            .phone("POST /ingest/owntracks", #"{"_type":"lwt"}"#, "200 []"),
            .phone("POST /ingest/owntracks/pub", "", "200 []"), .phone("POST /pub", "", "200 []"),
            .phone("GET /ingest/osmand", nil, "200 no position\n"), .service("GET /metrics", "/metrics"),
            .phone("POST /ingest/osmand", "batt=1", "200 no position\n"),
            .phone("GET /ingest/osmand/**", nil, "200 no position\n"),
            .phone("POST /ingest/osmand/**", "batt=1", "200 no position\n"),
            .phone("POST /ingest/overland", #"{"locations":[]}"#, #"200 {"result":"ok"}"#),
            .phone("GET /ingest/gpslogger", nil, "200 no position\n"),
            .phone("POST /ingest/gpslogger", "acc=", "200 no position\n"), .service("GET /v1/ingest", "/v1/ingest"),
            .service("GET /v1/service", "/v1/service"),
            .own("DELETE /v1/people/{id}/history", "/v1/people/ana/history?datetime=../..", #"200 {"deleted":2}"#),
            .own("PUT /v1/people/{id}/friends/{other}", "/v1/people/ana/friends/eva", #"200 {"state":"asked"}"#),
            .own("DELETE /v1/people/{id}/friends/{other}", "/v1/people/ana/friends/eva", #"200 {"state":"none"}"#),
            .own(
                "PUT /v1/people/{id}/decisions/{other}", "/v1/people/ana/decisions/eva", #"{"like":true}"#,
                #"200 {"match":false}"#),
            .own("DELETE /v1/people/{id}/decisions/{other}", "/v1/people/ana/decisions/eva", "204 "),
            .own("PUT /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/eva", "204 "),
            .own("DELETE /v1/people/{id}/blocks/{other}", "/v1/people/ana/blocks/eva", "204 "),
            .own(
                "POST /v1/people/{id}/devices", "/v1/people/ana/devices", #"{"id":"watch"}"#,
                #"201 {"id":"watch","token":"…","since":"2026-11-20T10:00:00Z"}"#),
            .own(
                "POST /v1/people/{id}/devices/{device}/rotate", "/v1/people/ana/devices/watch/rotate",
                #"200 {"id":"watch","token":"…","since":"2026-11-20T10:00:00Z"}"#),
            .own("DELETE /v1/people/{id}/devices/{device}", "/v1/people/ana/devices/watch", "204 "),
            CallerRow(
                "GET /v1/places", "/v1/places?owner=ana&fields=id", own: #"200 {"items":[{"id":"sol"}]}"#,
                others: nowhere),
            CallerRow(
                "GET /v1/places/facets", "/v1/places/facets?owner=ana&facet=kind",
                own: #"200 {"count":1,"facets":{"kind":[{"value":"store","count":1}]}}"#,
                others: #"200 {"count":0,"facets":{"kind":[]}}"#),
            CallerRow(
                "GET /v1/places/clusters", "/v1/places/clusters?owner=ana&bbox=-1,39,0,40",
                own: #"200 {"items":[{"count":1,"lat":39.47,"lon":-0.376,"id":"sol","kind":"store","name":"Luna"}]}"#,
                others: nowhere),
            .known(
                "GET /v1/places/{id}/comments", "/v1/places/sol/comments?fields=author,text",
                #"200 {"items":[{"author":"ana","text":"Warm"}]}"#),
            .known(
                "GET /v1/places/{id}/comments/{comment}", "/v1/places/sol/comments/c1?fields=text",
                #"200 {"text":"Warm"}"#),
            CallerRow(
                "PATCH /v1/places/{id}/comments/{comment}", "/v1/places/sol/comments/c1", #"{"text":"Hot"}"#,
                own:
                    #"200 {"id":"c1","author":"ana","text":"Hot","at":"2026-11-20T10:00:00Z","edited_at":"2026-11-20T10:00:00Z"}"#,
                others: notAllowed),
            CallerRow(
                "DELETE /v1/places/{id}/comments/{comment}", "/v1/places/sol/comments/c1", own: "204 ",
                others: notAllowed),
            CallerRow(
                "POST /v1/places/{id}/comments", "/v1/places/sol/comments", #"{"text":"Nice","author":"ana"}"#,
                own: #"201 {"id":"…","author":"ana","text":"Nice","at":"2026-11-20T10:00:00Z"}"#, others: notAllowed),
            .own("PUT /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/eva", "204 "),
            .own(
                "GET /v1/people/{id}/favourites/{kind}", "/v1/people/ana/favourites/people?fields=id",
                #"200 {"items":[{"id":"eva"}]}"#),
            .own(
                "GET /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/eva?fields=id",
                #"200 {"id":"eva"}"#),
            .own("DELETE /v1/people/{id}/favourites/{kind}/{other}", "/v1/people/ana/favourites/people/eva", "204 "),
            CallerRow("DELETE /v1/places/{id}", "/v1/places/sol", own: "204 ", others: notAllowed),
            .own(
                "PUT /v1/people/{id}", "/v1/people/ana", "{}",
                #"200 {"id":"ana","city":"Gandia","born":"1996-05-01","discoverable":true,"sharing":{"precision":"exact"}}"#
            ),
            .own(
                "PATCH /v1/people/{id}", "/v1/people/ana", #"{"name":"A","born":null,"sharing":null}"#,
                #"200 {"id":"ana","name":"A","city":"Gandia","discoverable":true}"#),
            .own("DELETE /v1/people/{id}", "/v1/people/ana", "204 "),
        ]
    }()
}
