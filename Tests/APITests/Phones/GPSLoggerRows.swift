/// GPSLogger with a custom URL.
enum GPSLoggerRows {
    private static let proof: KeyValuePairs = ["authorization": "Bearer {token}", "user-agent": "okhttp/4.12.0"]
    private static let stored = "2026-11-20T09:58:20Z,39.47,-0.376,phone,,,,,,"

    private static func get(_ parameters: String, _ reply: String = "stored") -> PhoneSend {
        PhoneSend("GET /ingest/gpslogger?\(parameters)", proof, reply: "200 \(reply)\n")
    }

    /// The time of a queued position under the names and in the forms that people choose.
    private static let times: [PhoneRow] = [
        "ts=1795168700", "tst=1795168700", "t=1795168700000", "TIME=2026-11-20T09:58:20Z", "epoch=1795168700",
        "unix_time=1795168700", "DateTime=2026-11-20T09:58:20Z", "date_time=2026-11-20%2009:58:20",
        "gps-time=2026-11-20T09:58:20.000Z", "fixTime=2026-11-20T09:58:20Z", "time_offset=2026-11-20T10:58:20+0100",
        "localtime=2026-11-20T10:58:20.000+01:00", "utc=2026-11-20T09:58:20Z", "date=2026-11-20&ts=1795168700",
        "device_time=1795168700&start=1795160000", "ts_ms=1795168700000", "date=2026-11-20&time=09:58:20",
        "time=20261120T095820Z", "time=2026/11/20%2009:58:20", "ts=1795168700&elapsed=00:10:00&ver=1.2.3",
    ].map { PhoneRow($0, get("lat=39.47&lon=-0.376&\($0)"), stored: stored) }

    /// Positions and amounts under other names; no other value is a time.
    private static let amounts: [PhoneRow] =
        [
            ("long=-0.376&acc=5", "5,,,,"), ("LONG=-0.376&hAcc=7", "7,,,,"),
            ("Lng=-0.376&horizontal_accuracy=7", "7,,,,"),
            ("Longitude=-0.376&hdop=1.5", "7.5,,,,"), ("lon=-0.376&acc=4&hdop=9", "4,,,,"),
            ("lon=-0.376&gps_accuracy=1650", "1650,,,,"), ("lon=-0.376&accuracyMeters=1650", "1650,,,,"),
            ("lon=-0.376&acc_m=1650", "1650,,,,"), ("lon=-0.376&locationAccuracy=1650", "1650,,,,"),
            ("lon=-0.376&radius=1650", "1650,,,,"), ("lon=-0.376&acc=1650m", "1650,,,,"),
            ("lon=-0.376&acc=1650,5", "1650.5,,,,"), ("lon=-0.376&acc=0&hacc=7", "7,,,,"),
            ("lon=-0.376&SPD=1.5&course=90", ",,1.5,90,"), ("lon=-0.376&elevation=12&bat=50", ",12,,,0.5"),
        ].map { query, details in
            PhoneRow(
                query, get("lat=39.47&timestamp=1795168700&\(query)"),
                stored: "2026-11-20T09:58:20Z,39.47,-0.376,phone,\(details),")
        } + [
            PhoneRow(
                "a time under a name that is not read is never now",
                sends: [
                    "when=1795168700", "hora=2026-11-20T09:58:20Z", "zeit=1795168700000", "start=1795168700",
                    "foo=03:19:02", "foo=30/11/2026%2003:19:02", "foo=20261130T031902Z", "foo=2026-11-30",
                    "Foo_us=1795168700000000",
                ].map {
                    let name = $0.prefix { $0 != "=" }
                    return get(
                        "lat=39.47&lon=-0.376&\($0)",
                        "unreadable: '\(name)' holds a time but is not read as one; name it 'timestamp'")
                }, stored: []),
            PhoneRow(
                "an accuracy that is not read is reported",
                sends: ["my_accuracy=12", "acc=good"].map {
                    let name = $0.prefix { $0 != "=" }
                    return get(
                        "lat=39.47&lon=-0.376&timestamp=1795168700&\($0)",
                        ($0.hasPrefix("my") ? "stored" : "duplicate")
                            + "\n'\(name)' looks like an accuracy and is not read; name it 'acc', in meters")
                }, stored: [stored]),
            PhoneRow(
                "a position under a name that is not read is unreadable",
                sends: ["latlng=39.47,-0.376", "location=39.47,-0.376", "latitud=39.47"].map { get($0, "unreadable") },
                stored: []),
            PhoneRow(
                "an identifier is no time", get("lat=39.47&lon=-0.376&ser=1795168700&batt=50"),
                stored: "2026-11-20T10:00:00Z,39.47,-0.376,phone,,,,,0.5,"),
        ]

    static let all: [PhoneRow] =
        [
            PhoneRow(
                "the address of docs/phones.md",
                PhoneSend(
                    "GET /ingest/gpslogger?token={token}&lat=39.4699075&lon=-0.3762881&timestamp=1795168700&acc=12.5&spd=10.0&alt=43.0&dir=271.0&batt=85.0",
                    [:], reply: "200 stored\n"),
                stored: "2026-11-20T09:58:20Z,39.4699075,-0.3762881,phone,12.5,43,10,271,0.85,"),
            PhoneRow(
                "a time in words", get("lat=39.47&lon=-0.376&time=2026-11-20T09:58:20.250Z"),
                stored: "2026-11-20T09:58:20.250Z,39.47,-0.376,phone,,,,,,"),
            PhoneRow(
                "a time with an offset", get("lat=39.47&lon=-0.376&time=2026-11-20T10:58:20.000+01:00"), stored: stored),
            PhoneRow(
                "both times: the number counts",
                get("lat=39.47&lon=-0.376&time=2026-11-20T01:00:00Z&timestamp=1795168700"),
                stored: stored),
            PhoneRow(
                "empty values",
                get("lat=39.47&lon=-0.376&time=&timestamp=1795168700&acc=&spd=&alt=&dir=&batt=&prov=&act="),
                stored: stored),
            PhoneRow(
                "no time is now", get("lat=39.47&lon=-0.376&time="),
                stored: "2026-11-20T10:00:00Z,39.47,-0.376,phone,,,,,,"),
            PhoneRow(
                "a body of no stated type, and Basic",
                PhoneSend(
                    "POST /ingest/gpslogger", ["authorization": "Basic {basic}"],
                    "latitude=39.47&longitude=-0.376&device=eva&accuracy=12&battery=50.0&speed=1.5&direction=90&altitude=4&provider=gps&activity=STILL&timestamp=1795168700",
                    reply: "200 stored\n"), stored: "2026-11-20T09:58:20Z,39.47,-0.376,phone,12,4,1.5,90,0.5,"),
            PhoneRow(
                "a body in JSON",
                PhoneSend(
                    "POST /ingest/gpslogger?acc=3",
                    ["authorization": "Bearer {token}", "content-type": "application/json"],
                    #"{"lat":39.47,"lon":-0.376,"timestamp":1795168700,"acc":12,"desc":"a \"walk\""}"#,
                    reply: "200 stored\n"),
                stored: "2026-11-20T09:58:20Z,39.47,-0.376,phone,12,,,,,"),
            PhoneRow(
                "all rows of a file again", get("lat=39.46&lon=-0.376&timestamp=1795168400"),
                get("lat=39.47&lon=-0.376&timestamp=1795168700"),
                get("lat=39.46&lon=-0.376&timestamp=1795168400", "duplicate"),
                get("lat=39.47&lon=-0.376&timestamp=1795168700", "duplicate"),
                stored: "2026-11-20T09:53:20Z,39.46,-0.376,phone,,,,,,", stored),
        ] + times + amounts + [
            PhoneRow(
                "nothing of use", get("", "no position"), get("lat=&lon=", "no position"),
                get("lat=%LAT&lon=%LON", "unreadable"),
                get("lat=39.47&lon=x", "unreadable"), get("lat=39.47&lon=-0.376&time=noon", "unreadable"),
                PhoneSend("POST /ingest/gpslogger", proof, "{", reply: "200 unreadable\n"))
        ]
}
