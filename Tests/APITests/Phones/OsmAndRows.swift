/// OsmAnd, and Traccar Client before and since version 9.
enum OsmAndRows {
    private static let proof: KeyValuePairs = ["authorization": "Bearer {token}"]
    private static let json: KeyValuePairs = [
        "authorization": "Bearer {token}", "content-type": "application/json", "user-agent": "TraccarClient/9.7",
    ]
    private static let form: KeyValuePairs = [
        "authorization": "Bearer {token}", "content-type": "application/x-www-form-urlencoded",
    ]
    private static let blanks = String(repeating: "+", count: 1_000_000)
    private static let taken = "200 stored\n"
    private static let stored = "2026-11-20T09:58:20Z,39.47,-0.376,phone,,,,,,"

    /// A request for 39.47, -0.376 with these parameters, and the stored row.
    private static func here(_ name: String, _ parameters: String, stored row: String = OsmAndRows.stored) -> PhoneRow {
        PhoneRow(
            name,
            PhoneSend("GET /ingest/osmand?id=1&lat=39.47&lon=-0.376&\(parameters)", proof, reply: taken), stored: row)
    }

    /// A request without anything to store.
    private static func nothing(_ parameters: String, _ reply: String = "no position") -> PhoneSend {
        PhoneSend("GET /ingest/osmand?id=1&\(parameters)", proof, reply: "200 \(reply)\n")
    }

    static let all: [PhoneRow] = [
        PhoneRow(
            "Traccar Client before 9: knots, percent, a POST without a body",
            PhoneSend(
                "POST /ingest/osmand?token={token}&id=48241179&timestamp=1795168700&lat=39.4699075&lon=-0.3762881&speed=19.438444924406047&bearing=271.0&altitude=43.0&accuracy=12.0&batt=85.0&charge=false",
                ["user-agent": "Dalvik/2.1.0"], reply: taken),
            stored: "2026-11-20T09:58:20Z,39.4699075,-0.3762881,phone,12,43,10,271,0.85,"),
        PhoneRow(
            "OsmAnd: milliseconds, metres a second by their name",
            PhoneSend(
                "GET /ingest/osmand?token={token}&lat=39.47&lon=-0.376&timestamp=1795168700500&accuracy=4.5&altitude=20.5&speed_mps=1.25&bearing=90.5&batt=40",
                [:], reply: taken), stored: "2026-11-20T09:58:20.500Z,39.47,-0.376,phone,4.5,20.5,1.25,90.5,0.4,"),
        PhoneRow(
            "any path below",
            PhoneSend(
                "GET /ingest/osmand/of/ana/?lat=39.47&lon=-0.376&timestamp=1795168700", proof, reply: taken),
            stored: stored),
        PhoneRow(
            "a form, and another name for device and course",
            PhoneSend(
                "POST /ingest/osmand", form, "deviceid=eva&timestamp=1795168700&lat=39.47&lon=-0.376&heading=12",
                reply: taken), stored: "2026-11-20T09:58:20Z,39.47,-0.376,phone,,,,12,,"),
        PhoneRow(
            "a form of no stated type, both coordinates in one",
            PhoneSend(
                "POST /ingest/osmand/x?id=7", proof, "location=39.47%2C-0.376&timestamp=1795168700", reply: taken),
            stored: stored),
        here(
            "from 2^31 on milliseconds", "timestamp=2147483648",
            stored: "1970-01-25T20:31:23.648Z,39.47,-0.376,phone,,,,,,"),
        PhoneRow(
            "before it seconds, of 2038", nothing("lat=39.47&lon=-0.376&timestamp=2147483646", "future")),
        here("ISO 8601", "timestamp=2026-11-20T09:58:20Z"),
        here("ISO 8601 with an offset", "timestamp=2026-11-20T11:58:20%2B02:00"),
        here("with an offset that nobody encoded", "timestamp=2026-11-20T11:58:20+0200"),
        here("ISO 8601 without an offset is UTC", "timestamp=2026-11-20T09:58:20.000"),
        here("a date and a time", "timestamp=2026-11-20+09:58:20"),
        here("a date and a time, encoded", "timestamp=2026-11-20%2009%3A58%3A20"),
        here("no time is now", "valid=true", stored: "2026-11-20T10:00:00Z,39.47,-0.376,phone,,,,,,"),
        here(
            "empty and strange values", "timestamp=&speed=&accuracy=0&batt=&bearing=-1&altitude=unknown&valid=1",
            stored: "2026-11-20T10:00:00Z,39.47,-0.376,phone,,,,,,"),
        here(
            "parameters that nobody knows",
            "timestamp=1795168700&hdop=1.5&charge=true&alarm=sos&event&=x&rssi=%ZZ&driverUniqueId=%FF"),
        PhoneRow(
            "no fix", nothing("batt=12"), nothing("lat=39.47&lon=-0.376&valid=false"),
            nothing("lat=39.47&lon=-0.376&valid=0"), nothing("lat=&lon="), nothing("cell=214,7,1,2")),
        PhoneRow(
            "what cannot be read", nothing("lat=39.47", "unreadable"), nothing("lat=a&lon=b", "unreadable"),
            nothing("lat=139&lon=1", "unreadable"), nothing("location=39.47", "unreadable"),
            nothing("lat=nan&lon=inf", "unreadable"),
            nothing("lat=0x10&lon=0x1p4", "unreadable"), nothing("location=0x10,1", "unreadable"),
            nothing("lat=1&lon=2&timestamp=0x6b000000", "unreadable"),
            nothing("lat=1&lon=2&timestamp=yesterday", "unreadable"),
            nothing("lat=1&lon=2&timestamp=99999999999999999", "unreadable"),
            PhoneSend("POST /ingest/osmand", json, #"{"location":"#, reply: "200 unreadable\n"),
            PhoneSend("POST /ingest/osmand", json, "[]", reply: "200 unreadable\n")),
        PhoneRow(
            "a million blanks, which would take hours if each were tried as the last one",
            PhoneSend("POST /ingest/osmand", form, "lat=39.47&lon=-0.376&x=10:00\(blanks)x", reply: taken),
            PhoneSend(
                "POST /ingest/osmand", form, "lat=39.47&lon=-0.376&date=2026-11-20&time=0830\(blanks)x",
                reply: "200 unreadable\n"), stored: "2026-11-20T10:00:00Z,39.47,-0.376,phone,,,,,,"),
        PhoneRow(
            "more fields than any app sends",
            PhoneSend(
                "POST /ingest/osmand", form, "lat=39.47&lon=-0.376" + (1...199).map { "&a\($0)=1" }.joined(),
                reply: "200 unreadable\n")),
        PhoneRow(
            "sent again, and a little later",
            PhoneSend("GET /ingest/osmand?lat=39.47&lon=-0.376&timestamp=1795168700", proof, reply: taken),
            PhoneSend("GET /ingest/osmand?lat=39.47&lon=-0.376&timestamp=1795168700", proof, reply: "200 duplicate\n"),
            PhoneSend(
                "GET /ingest/osmand?lat=39.49&lon=-0.376&timestamp=1795168760", proof,
                reply: "200 throttled:interval\n"),
            PhoneSend("GET /ingest/osmand?lat=0&lon=0&timestamp=1795168790", proof, reply: "200 void\n"),
            PhoneSend("GET /ingest/osmand?lat=1&lon=1&timestamp=1795188700", proof, reply: "200 future\n"),
            stored: stored),
        PhoneRow(
            "Traccar Client 9",
            PhoneSend(
                "POST /ingest/osmand/?token={token}", ["content-type": "application/json"],
                #"{"location":{"timestamp":"2026-11-20T09:58:20.862Z","coords":{"latitude":39.4699075,"longitude":-0.3762881,"accuracy":5,"speed":10,"heading":-1,"altitude":5.5},"is_moving":true,"odometer":1200.5,"event":"motionchange","battery":{"level":0.62,"is_charging":false},"activity":{"type":"walking"},"extras":{},"_":"&id=48241179&lat=1&lon=2&timestamp=3&"},"device_id":"48241179"}"#,
                reply: taken), stored: "2026-11-20T09:58:20.862Z,39.4699075,-0.3762881,phone,5,5.5,10,,0.62,"),
        PhoneRow(
            "Traccar Client 9 without coordinates, or knowing nothing",
            PhoneSend(
                "POST /ingest/osmand", json,
                #"{"location":{"timestamp":"2026-11-20T09:58:20Z","event":"heartbeat","battery":{"level":0.5}},"device_id":"1"}"#,
                reply: "200 no position\n"),
            PhoneSend(
                "POST /ingest/osmand", json,
                #"{"location":{"timestamp":"2026-11-20T09:58:20Z","coords":{"latitude":39.47,"longitude":-0.376,"speed":-1,"heading":-1,"accuracy":-1},"battery":{"level":-1}},"device_id":"1"}"#,
                reply: taken), stored: stored),
        PhoneRow(
            "several of them, and parameters as an object",
            PhoneSend(
                "POST /ingest/osmand", json,
                #"{"location":[{"timestamp":"2026-11-20T09:53:20Z","coords":{"latitude":39.46,"longitude":-0.376}},7],"device_id":"1"}"#,
                reply: "200 stored\nunreadable\n"),
            PhoneSend(
                "POST /ingest/osmand", json,
                #"{"id":1,"lat":39.47,"lon":"-0.376","timestamp":1795168700,"speed":null}"#,
                reply: taken), stored: "2026-11-20T09:53:20Z,39.46,-0.376,phone,,,,,,", stored),
    ]
}
