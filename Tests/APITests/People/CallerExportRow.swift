/// The answer to every caller of the endpoint that exports all data of a person.
extension CallerRows {
    static let export = CallerRow.own(
        "GET /v1/people/{id}/export", "/v1/people/ana/export",
        """
        200 {"person":{\(whole)},
        "devices":[
        {"id":"phone","since":"2026-11-20T10:00:00Z"}],
        "friends":[
        {"id":"luis","asked_by":"me","asked":"2026-11-20T10:00:00Z","since":"2026-11-20T10:00:00Z"}],
        "requests":[],
        "former_friends":[],
        "labels":[],
        "blocks":[],
        "decisions":[],
        "matches":[],
        "groups":[
        {"id":"g","name":"G","owner":"ana","since":"2026-11-20T10:00:00Z"}],
        "fences":[],
        "watchers":[],
        "shares":[],
        "events":[
        {"id":…,"type":"friend.made","at":"2026-11-20T10:00:00Z","person":"ana","other":"luis"},
        {"id":…,"type":"group.joined","at":"2026-11-20T10:00:00Z","person":"ana","group":"g"},
        {"id":…,"type":"group.invited","at":"2026-11-20T10:00:00Z","person":"luis","other":"ana","group":"h"},
        {"id":…,"type":"comment.created","at":"2026-11-20T10:00:00Z","person":"ana","place":"sol"}],
        "invitations":[
        {"id":"h","name":"H","by":"luis","at":"2026-11-20T10:00:00Z"}],
        "places":[
        \(sol)],
        "favourite_people":[],
        "favourite_places":[],
        "favourite_products":[],
        "comments":[
        {"id":"c1","place":"sol","text":"Warm","at":"2026-11-20T10:00:00Z"}],
        "sharings":[
        {"since":"2026-11-20T10:00:00Z","sharing":{"precision":"exact"}}],
        "discovery_positions":[
        {"lat":39.47,"lon":-0.376,"moved":"2026-11-20T10:00:00Z"}],
        "residences":[
        {"cell":"17bfdb0000000000","since":"2026-11-20T10:00:00Z"}],
        "remembered_places":[],
        "live_position":[],
        "positions":[
        {"t":"2026-11-20T09:50:00Z","lat":39.47,"lon":-0.376,"received":"2026-11-20T10:00:00Z","public_cell":"17bfdbdc00000000"}]}

        """, costly: "")
}
