/// GPSLogger with a custom URL.
enum GPSLoggerRows {
    private static let proof: KeyValuePairs = ["authorization": "Bearer {token}", "user-agent": "okhttp/4.12.0"]
    private static let stored = "2026-11-20T09:58:20Z,39.47,-0.376,phone,,,,,,"

    private static func get(_ parameters: String, _ reply: String = "stored") -> PhoneSend {
        PhoneSend("GET /ingest/gpslogger?\(parameters)", proof, reply: "200 \(reply)\n")
    }

    static let all: [PhoneRow] = [
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
            "both times: the number counts", get("lat=39.47&lon=-0.376&time=2026-11-20T01:00:00Z&timestamp=1795168700"),
            stored: stored),
        PhoneRow(
            "empty values", get("lat=39.47&lon=-0.376&time=&timestamp=1795168700&acc=&spd=&alt=&dir=&batt=&prov=&act="),
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
        PhoneRow(
            "nothing of use", get("", "no position"), get("lat=&lon=", "no position"),
            get("lat=%LAT&lon=%LON", "unreadable"),
            get("lat=39.47&lon=x", "unreadable"), get("lat=39.47&lon=-0.376&time=noon", "unreadable"),
            PhoneSend("POST /ingest/gpslogger", proof, "{", reply: "200 unreadable\n")),
    ]
}
