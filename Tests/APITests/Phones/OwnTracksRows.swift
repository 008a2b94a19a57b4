/// OwnTracks on Android and iOS, and Overland in its OwnTracks mode.
enum OwnTracksRows {
    private static let android: KeyValuePairs = [
        "user-agent": "Owntracks-Android/gms/420503000", "authorization": "Basic {basic}", "x-limit-u": "eva",
        "x-limit-d": "tablet", "content-type": "application/json; charset=utf-8", "accept-encoding": "identity",
    ]
    private static let ios: KeyValuePairs = [
        "authorization": "Basic {basic}", "x-limit-u": "ana", "x-limit-d": "phone", "content-type": "application/json",
    ]
    private static let nobody = "200 []"

    private static func location(_ rest: String) -> String { #"{"_type":"location",\#(rest)}"# }

    /// A fix at 39.47, -0.376, by default at 09:58:20, and the answer to it.
    private static func here(_ members: String = #""tst":1795168700"#, time: Int = 1_795_168_700) -> PhoneSend {
        PhoneSend(
            "POST /ingest/owntracks", ios, location(#""lat":39.47,"lon":-0.376,\#(members)"#),
            reply: ownTracksSelf("39.47", "-0.376", time))
    }

    private static let stored = "2026-11-20T09:58:20Z,39.47,-0.376,phone,,,,,,"

    static let all: [PhoneRow] = [
        PhoneRow(
            "Android: units, and names of somebody else that count for nothing",
            PhoneSend(
                "POST /ingest/owntracks", android,
                location(
                    #""_id":"3c1f0a9e","acc":12,"alt":43,"batt":85,"bs":1,"cog":271,"conn":"w","created_at":1795168705,"lat":39.4699075,"lon":-0.3762881,"m":1,"t":"u","tid":"a1","topic":"owntracks/eva/tablet","tst":1795168700,"vac":7,"vel":36"#
                ),
                reply: ownTracksSelf("39.4699075", "-0.3762881", tid: "a1", topic: "owntracks/eva/tablet", accuracy: 12)
            ), stored: "2026-11-20T09:58:20Z,39.4699075,-0.3762881,phone,12,43,10,271,0.85,"),
        PhoneRow(
            "iOS at the path of the Recorder, with a time in a text",
            PhoneSend(
                "POST /pub", ios,
                location(
                    #""acc":65,"batt":100,"bs":2,"conn":"m","inregions":["Home"],"lat":-33.8568,"lon":151.2153,"p":101.3,"t":"m","tid":"AA","tst":"1795168700","vac":10,"vel":0"#
                ), reply: ownTracksSelf("-33.8568", "151.2153", tid: "AA", accuracy: 65)),
            stored: "2026-11-20T09:58:20Z,-33.8568,151.2153,phone,65,,0,,1,"),
        PhoneRow(
            "the path below the endpoint, milliseconds, names and token in the query",
            PhoneSend(
                "POST /ingest/owntracks/pub?u=eva&d=tablet&token={token}", [:],
                location(#""lat":39.47,"lon":-0.376,"tst":1795168700250"#), reply: ownTracksSelf("39.47", "-0.376")),
            stored: "2026-11-20T09:58:20.250Z,39.47,-0.376,phone,,,,,,"),
        PhoneRow(
            "text/plain, a time as a date, a token as bearer",
            PhoneSend(
                "POST /ingest/owntracks", ["authorization": "Bearer {token}", "content-type": "text/plain"],
                location(#""lat":"39.47","lon":"-0.376","tst":"2026-11-20T10:58:20+01:00""#),
                reply: ownTracksSelf("39.47", "-0.376")), stored: stored),
        PhoneRow(
            "what is not known is left out",
            here(#""tst":1795168700,"acc":0,"vel":-1,"cog":-1,"batt":-100,"alt":null"#), stored: stored),
        PhoneRow(
            "without a time of the fix, that of the message", here(#""created_at":1795168700"#), stored: stored),
        PhoneRow(
            "without any time, now", here(#""tst":0"#, time: 1_795_168_800),
            stored: "2026-11-20T10:00:00Z,39.47,-0.376,phone,,,,,,"),
        PhoneRow(
            "an empty body, as when a friend was deleted", PhoneSend("POST /ingest/owntracks", ios, reply: nobody),
            PhoneSend("POST /ingest/owntracks", android, " \n", reply: nobody)),
        PhoneRow(
            "messages of other types",
            PhoneSend("POST /ingest/owntracks", ios, #"{"_type":"lwt","tst":1795168700}"#, reply: nobody),
            PhoneSend(
                "POST /ingest/owntracks", ios,
                #"{"_type":"transition","event":"enter","lat":1,"lon":2,"tst":1795168700}"#, reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, #"{"_type":"waypoints","waypoints":[]}"#, reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, #"{"_type":"encrypted","data":"qEGpB"}"#, reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, #"{"_type":"status","iOS":{"locale":"es"}}"#, reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, #"{"_type":"card","name":"Eva"}"#, reply: nobody)),
        PhoneRow(
            "bodies that nobody can read",
            PhoneSend("POST /ingest/owntracks", ios, #"{"_type":"location","lat":39.4"#, reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, "lat=39.47&lon=-0.376", reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, bytes: [0xff, 0xfe, 0x7b], reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, location(#""tst":1795168700"#), reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, location(#""lat":139,"lon":0,"tst":1795168700"#), reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, location(#""lat":1,"lon":2,"tst":"soon""#), reply: nobody),
            PhoneSend("POST /ingest/owntracks", ios, #"[1,{"lat":1,"lon":2}]"#, reply: nobody)),
        PhoneRow(
            "an old position with the current time is not stored, but tells that Ana is there still",
            here(#""tst":1795165100"#, time: 1_795_165_100), here(#""t":"p","tst":1795168700"#),
            stored: "2026-11-20T08:58:20Z,39.47,-0.376,phone,,,,,,2026-11-20T09:58:20Z"),
        PhoneRow("the same again", here(), here(), stored: stored),
        PhoneRow(
            "queued ones, late",
            PhoneSend(
                "POST /ingest/owntracks", ios, location(#""lat":39.48,"lon":-0.376,"tst":1795168700"#),
                reply: ownTracksSelf("39.48", "-0.376")),
            PhoneSend(
                "POST /ingest/owntracks", ios, location(#""lat":39.47,"lon":-0.376,"tst":1795168400"#),
                reply: ownTracksSelf("39.48", "-0.376")),
            stored: "2026-11-20T09:53:20Z,39.47,-0.376,phone,,,,,,",
            "2026-11-20T09:58:20Z,39.48,-0.376,phone,,,,,,"),
        PhoneRow(
            "several at once, one of which is bad",
            PhoneSend(
                "POST /ingest/owntracks", ios,
                "[\(location(#""lat":39.47,"lon":-0.376,"tst":1795168400"#)),{},\(location(#""lat":39.48,"lon":-0.376,"tst":1795168700"#))]",
                reply: ownTracksSelf("39.48", "-0.376")),
            stored: "2026-11-20T09:53:20Z,39.47,-0.376,phone,,,,,,",
            "2026-11-20T09:58:20Z,39.48,-0.376,phone,,,,,,"),
        PhoneRow(
            "Overland's OwnTracks mode: seconds since 2001, a token that is not encoded, an object in return",
            PhoneSend(
                "POST /ingest/owntracks", ["authorization": "Basic {token}:", "content-type": "application/json"],
                location(#""acc":8,"alt":20,"batt":64,"lat":39.47,"lon":-0.376,"tst":816861500,"vel":18"#),
                reply: #"200 {"result":"ok"}"#),
            PhoneSend(
                "POST /ingest/owntracks", ["authorization": "Basic {token}:"], "?", reply: #"200 {"result":"ok"}"#),
            stored: "2026-11-20T09:58:20Z,39.47,-0.376,phone,8,20,5,,0.64,"),
    ]
}
