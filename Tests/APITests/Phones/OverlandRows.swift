/// Overland on iOS.
enum OverlandRows {
    private static let app: KeyValuePairs = [
        "authorization": "Bearer {token}", "content-type": "application/json", "user-agent": "Overland/1.4",
    ]
    private static let ok = #"200 {"result":"ok"}"#

    static func feature(_ latitude: String, _ time: String, _ properties: String = "") -> String {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.376,\#(latitude)]},"properties":{"timestamp":"\#(time)"\#(properties)}}"#
    }

    private static func batch(_ features: [String], _ rest: String = "") -> String {
        #"{"locations":[\#(features.joined(separator: ","))]\#(rest)}"#
    }

    private static func send(_ body: String) -> PhoneSend { PhoneSend("POST /ingest/overland", app, body, reply: ok) }

    private static let two = batch([
        feature("39.46", "2026-11-20T09:53:20Z"), feature("39.47", "2026-11-20T09:58:20Z"),
    ])
    private static let stored = [
        "2026-11-20T09:53:20Z,39.46,-0.376,phone,,,,,,", "2026-11-20T09:58:20Z,39.47,-0.376,phone,,,,,,",
    ]

    static let all: [PhoneRow] = [
        PhoneRow(
            "a batch with everything",
            send(
                batch(
                    [
                        feature(
                            "39.46", "2026-11-20T09:53:20Z",
                            #","altitude":43,"speed":4,"course":271,"horizontal_accuracy":30,"vertical_accuracy":5,"motion":["driving","stationary"],"pauses":false,"activity":"other_navigation","desired_accuracy":100,"deferred":1000,"significant_change":"disabled","locations_in_payload":2,"battery_state":"charging","battery_level":0.89,"device_id":"eva","unique_id":"x","wifi":"home""#
                        ),
                        feature(
                            "39.47", "2026-11-20T09:58:20Z",
                            #","altitude":0,"speed":-1,"course":-1,"horizontal_accuracy":-1,"vertical_accuracy":-1,"motion":[],"battery_state":"unknown","battery_level":-1,"device_id":"""#
                        ),
                    ],
                    #","trip":{"distance":12,"mode":"walk","start":"2026-11-20T09:00:00Z","current_location":\#(feature("39.5", "2026-11-20T09:59:00Z"))}"#
                )), stored: "2026-11-20T09:53:20Z,39.46,-0.376,phone,30,43,4,271,0.89,", stored[1]),
        PhoneRow(
            "a token in the address", PhoneSend("POST /ingest/overland?token={token}", [:], two, reply: ok),
            stored: stored[0], stored[1]),
        PhoneRow("the same batch again", send(two), send(two), stored: stored[0], stored[1]),
        PhoneRow(
            "the current position is newer than its batch, which comes late",
            send(
                batch(
                    [feature("39.46", "2026-11-20T09:53:20Z")],
                    #","current":\#(feature("39.48", "2026-11-20T09:59:50Z"))"#)),
            send(batch([feature("39.47", "2026-11-20T09:56:20Z")])),
            stored: stored[0], "2026-11-20T09:56:20Z,39.47,-0.376,phone,,,,,,",
            "2026-11-20T09:59:50Z,39.48,-0.376,phone,,,,,,"),
        PhoneRow(
            "offsets without a colon", send(batch([feature("39.47", "2026-11-20T02:58:20-0700")])), stored: stored[1]),
        PhoneRow(
            "entries that are no positions",
            send(
                batch(
                    [
                        #"{"type":"Feature","properties":{"timestamp":"2026-11-20T09:50:00Z","action":"paused_location_updates"}}"#,
                        #"{"type":"Feature","geometry":null,"properties":{"type":"trip","mode":"walk"}}"#,
                        #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,1],[2,3]]},"properties":{}}"#,
                        feature("39.44", "2026-11-20T09:55:50Z", #","action":"visit","departure_date":null"#),
                        feature("39.47", "2026-11-20T09:58:20Z"),
                    ], #","current":null"#)), stored: stored[1]),
        PhoneRow(
            "one bad position costs itself only",
            send(
                batch([
                    "7", feature("139.46", "2026-11-20T09:50:20Z"), feature("39.46", "soon"), feature("39.46", ""),
                    #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1]},"properties":{"timestamp":"2026-11-20T09:50:00Z"}}"#,
                    #"{"type":"Feature","geometry":{"type":"Point","coordinates":["1","2"]},"properties":[]}"#,
                    feature("39.47", "2026-11-20T09:58:20Z"),
                ])), stored: stored[1]),
        PhoneRow(
            "bodies that nobody can read", send(""), send("{"), send("[]"), send(#"{"locations":{}}"#),
            send(batch([])), PhoneSend("POST /ingest/overland", app, bytes: [0x1f, 0x8b, 0], reply: ok)),
    ]
}
