internal import Configuration
internal import Model

extension Settings {
    struct Key: Sendable {
        /// The name in the file, with dots between levels.
        let name: String
        let standard: ConfigContent
        /// The meaning, with the unit.
        let help: String

        init(_ name: String, _ standard: ConfigContent, _ help: String) {
            self.name = name
            self.standard = standard
            self.help = help
        }

        var variable: String { "CERCA_" + name.uppercased().replacing(".", with: "_") }

        /// The type of the value, for messages.
        var kind: String {
            switch standard {
            case .int: "a whole number"
            case .double: "a number"
            default: "a string"
            }
        }

        var standardText: String {
            switch standard {
            case .string(let text): text.isEmpty ? "none" : text
            case .int(let number): String(number)
            case .double(let number): number == number.rounded() ? String(Int(number)) : String(number)
            default: "none"
            }
        }
    }

    /// Related keys, with a heading in the reference.
    struct Group: Sendable {
        let title: String
        let keys: [Key]

        init(_ title: String, _ keys: [Key]) {
            self.title = title
            self.keys = keys
        }
    }

    static let keys = groups.flatMap(\.keys)

    static let groups: [Group] = [
        Group(
            "Service",
            [
                Key("data", .string("cerca-data"), "the folder of the data"),
                Key(
                    "host", .string("127.0.0.1"),
                    "the address to listen on; any other than this machine's requires keys and TLS"),
                Key("port", .int(8080), "the port to listen on; 0 picks a free one"),
                Key("hosts", .string(""), "further names by which callers reach the server, separated by commas"),
                Key(
                    "public_url", .string(""),
                    "the URL at which others reach the server, such as `https://cerca.example`, for absolute links; "
                        + "none for the name and scheme of each request"),
                Key(
                    "cors.origins", .string(""),
                    "origins of other web pages that may call, such as `https://app.example`, separated by commas"),
                Key(
                    "leaflet", .string("/usr/share/javascript/leaflet"),
                    "the folder of Leaflet, which draws the map of the page at `/`"),
                Key(
                    "qrcode", .string("/usr/share/javascript/qrcode-generator"),
                    "the folder of qrcode-generator, which draws the codes that set up phones"),
                Key(
                    "metrics.port", .int(0),
                    "a port of 127.0.0.1 at which `/metrics` needs no token; 0 for none"),
                Key("log_level", .string("info"), "trace, debug, info, notice, warning, error or critical"),
                Key(
                    "log.format", .string("auto"),
                    "text, json (an object on each line), or auto: text on a terminal, else json"),
                Key("log.slow_ms", .int(1000), "milliseconds after which a slow answer is logged as a warning"),
            ]),
        mapKeys,
        Group(
            "Keys and TLS",
            [
                Key(
                    "key_file", .string(""), "a JSON Web Key Set with the secrets of tokens; only its owner may read it"
                ),
                Key("jwks_file", .string(""), "a JSON Web Key Set with public keys of identity providers"),
                Key("tls.certificate", .string(""), "a PEM file with the certificate chain of the server"),
                Key("tls.key", .string(""), "a PEM file with its private key; only its owner may read it"),
                Key(
                    "cleartext", .string("no"),
                    "`yes` accepts other machines without TLS, behind a proxy that provides it"),
                Key(
                    "trusted_proxies", .string(""),
                    "proxies whose reports of client addresses are trusted: addresses and networks, separated by commas"
                ),
            ]),
        Group(
            "Positions",
            [
                Key(
                    "throttle.distance_m", .double(500),
                    "the minimum distance from the previous stored position, in meters"),
                Key(
                    "throttle.interval_s", .double(120),
                    "the minimum time between stored positions of a person, in seconds"),
                Key(
                    "throttle.stay_s", .double(86_400),
                    "seconds after which the next position is stored without any movement"),
                Key(
                    "live.beyond_m", .double(25),
                    "meters after which a phone should send its next position while a person who may see it exactly watches live"
                ),
                Key(
                    "live.interval_s", .double(10),
                    "seconds after which a phone should send its next position in that case"),
                Key(
                    "fences.floor_m", .double(50),
                    "meters that a phone may always move before the next position, however near the border of a fence is"
                ),
                Key(
                    "fences.floor_s", .double(15),
                    "seconds that a phone may always wait before the next position, however near the border is"),
                Key("future_s", .double(300), "the maximum seconds by which a fix time may be later than its receipt"),
                Key("accuracy_m", .double(200), "meters of error radius above which a position is refused"),
                Key(
                    "patience_s", .double(600),
                    "seconds without a better position after which an inaccurate one is accepted"),
                Key("max_speed_mps", .double(350), "meters per second; faster positions are not believed"),
                Key(
                    "retention", .string(""),
                    "age above which positions are refused and deleted, such as 400d; none keeps all"),
            ]),
        Group(
            "Events",
            [
                Key(
                    "events.retention", .string("24h"), "how long events are kept for readers who reconnect, such as 7d"
                ),
                Key(
                    "webhooks.allow", .string(""),
                    "hosts, optionally with a port, that webhooks may reach without TLS and at addresses outside the internet, separated by commas"
                ),
            ]),
        Group(
            "Backups",
            [
                Key(
                    "backup.every", .string(""),
                    "how often the service writes and verifies a backup, such as 1d or 6h; none for never"),
                Key("backup.keep", .int(7), "the number of backups kept; older ones are deleted"),
                Key(
                    "backup.folder", .string(""),
                    "their folder, of this service only, preferably on another disk; none for `backups` in the data folder"
                ),
            ]),
        clusterKeys,
        Group(
            "Catalog",
            [
                Key(
                    "people_may_make", .string("*"),
                    "kinds of places that people may create, separated by commas; `*` for any except `store`"
                ),
                Key("words", .string(""), "a file of additional words for products, like data/words.csv"),
                Key(
                    "search.languages", .string("en,es"),
                    "languages in which a search finds words in other forms, separated by commas: "
                        + "en, es, fr, de, it, pt, ca, nl"),
            ]),
        Group(
            "Limits of requests and answers",
            [
                Key("limits.body_bytes", .int(8 << 20), "the maximum size of a request body, in bytes"),
                Key(
                    "limits.person_body_bytes", .int(1 << 20),
                    "the maximum size of the body of a person or device, in bytes, except NDJSON; 20 times as many for a file of tracks"
                ),
                Key("limits.import_bytes", .int(4 << 30), "the maximum size of an import, in bytes"),
                Key("limits.batch", .int(10_000), "the maximum number of pings in a batch"),
                Key("limits.queries", .int(1000), "the maximum number of queries in a batch"),
                Key(
                    "limits.answer_bytes", .int(64 << 20),
                    "the maximum size of the answers to a batch of queries (further ones are not answered), and of any other answer except a stream, in bytes"
                ),
                Key("limits.vertices", .int(10_000), "the maximum number of vertices of a polygon"),
                Key("limits.radius_m", .double(20_040_000), "the maximum radius, in meters"),
                Key("limits.scan", .int(200_000), "the approximate maximum number of entities that a search reads"),
            ]),
        Group(
            "Limits of callers",
            [
                Key(
                    "limits.person_rate", .double(20),
                    "requests per second of a person with all devices; 0 for unlimited"),
                Key("limits.service_rate", .double(0), "requests per second of all services together; 0 for unlimited"),
                Key(
                    "limits.address_rate", .double(10),
                    "requests per second of an address without a valid token; 0 for unlimited"),
                Key("limits.document_bytes", .int(16 << 10), "the maximum size of a person's documents, in bytes each"),
                Key("limits.person_places", .int(200), "the maximum number of places that a person owns"),
                Key("limits.person_comments", .int(2000), "the maximum number of comments of a person"),
                Key(
                    "limits.person_corners", .int(10_000),
                    "the maximum number of corners of all fences of a person; a circle has one"),
                Key(
                    "limits.person_events", .int(1000),
                    "the maximum number of kept events that a person causes per hour; further ones are not reported"),
                Key("limits.burst_s", .double(10), "the seconds for which unused requests accumulate"),
            ]),
        Group(
            "Limits of connections and of the file",
            [
                Key("limits.connections", .int(10_000), "the maximum number of connections; further ones wait"),
                Key(
                    "limits.address_connections", .int(1000),
                    "the maximum number of connections from one address, except trusted proxies; 0 for unlimited"),
                Key(
                    "limits.reads", .int(0), "the maximum number of concurrent requests that read; 0 for eight per core"
                ),
                Key(
                    "limits.writes", .int(128),
                    "the maximum number of concurrent requests that write; a person may have an eighth"),
                Key(
                    "limits.long", .int(8),
                    "the maximum number of concurrent imports, exports, batches and full scans"),
                Key(
                    "limits.waiting", .int(1000),
                    "the maximum number of waiting requests of each of these kinds; another one replaces the oldest, which is refused"
                ),
                Key(
                    "limits.wait_ms", .int(100),
                    "milliseconds after which a waiting request is refused; for the long ones twenty times as many"),
                Key("limits.streams", .int(100), "the maximum number of streamed answers; further ones are refused"),
                Key("limits.person_streams", .int(4), "the maximum number of these per person"),
                Key("limits.readers", .int(10_000), "the maximum number of event streams; further ones are refused"),
                Key("limits.person_readers", .int(8), "the maximum number of these per person"),
                Key(
                    "limits.wal_bytes", .int(64 << 20),
                    "bytes above which the write-ahead log is emptied; if it cannot be, a warning is logged"),
            ]),
    ]
}
