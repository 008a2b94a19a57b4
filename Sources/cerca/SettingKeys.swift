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
            default: "a text"
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
                Key("data", .string("cerca-data"), "the folder that holds everything"),
                Key(
                    "host", .string("127.0.0.1"),
                    "the address to listen on; any other than this machine's needs keys and TLS"),
                Key("port", .int(8080), "the port to listen on; 0 picks a free one"),
                Key("hosts", .string(""), "further names by which callers reach the server, separated by commas"),
                Key(
                    "cors.origins", .string(""),
                    "origins of other web pages that may call, such as `https://app.example`, separated by commas"),
                Key(
                    "leaflet", .string("/usr/share/javascript/leaflet"),
                    "the folder with Leaflet's files, which the page at `/` draws its map with"),
                Key(
                    "metrics.port", .int(0),
                    "a port of 127.0.0.1 at which `/metrics` needs no token; 0 for none"),
                Key("log_level", .string("info"), "trace, debug, info, notice, warning, error or critical"),
                Key(
                    "log.format", .string("auto"),
                    "text, json (an object on each line), or auto: text on a terminal, else json"),
                Key("log.slow_ms", .int(1000), "milliseconds after which an answer that begins is a warning"),
            ]),
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
                    "`yes` listens to other machines without TLS, behind a proxy that has it"),
                Key(
                    "trusted_proxies", .string(""),
                    "proxies that are believed about where requests come from: addresses and networks, separated by commas"
                ),
            ]),
        Group(
            "Positions",
            [
                Key("throttle.distance_m", .double(500), "metres from the stored position before, at least"),
                Key("throttle.interval_s", .double(120), "seconds between stored positions of a person, at least"),
                Key(
                    "throttle.stay_s", .double(86_400),
                    "seconds after which the next position is stored without any movement"),
                Key(
                    "live.beyond_m", .double(25),
                    "metres after which a phone is asked for the next position while somebody watches live who may know it exactly"
                ),
                Key("live.interval_s", .double(10), "seconds after which it is asked for it then"),
                Key(
                    "fences.floor_m", .double(50),
                    "metres that a phone may go at least before the next position, however near the border of a fence is"
                ),
                Key("fences.floor_s", .double(15), "seconds that it may wait at least then"),
                Key("future_s", .double(300), "seconds that a fix time may lie after its receipt"),
                Key("accuracy_m", .double(200), "metres of error radius above which a position is refused"),
                Key(
                    "patience_s", .double(600),
                    "seconds without a better position after which an inaccurate one is taken"),
                Key("max_speed_mps", .double(350), "metres a second; a faster person is not believed"),
                Key(
                    "retention", .string(""),
                    "age above which positions are refused and deleted, such as 400d; none keeps all"),
            ]),
        Group(
            "Events",
            [
                Key(
                    "events.retention", .string("24h"), "how long events are kept for readers who come back, such as 7d"
                ),
                Key(
                    "webhooks.allow", .string(""),
                    "hosts, each perhaps with a port, that webhooks reach without TLS and at addresses of no host on the internet, separated by commas"
                ),
            ]),
        Group(
            "Backups",
            [
                Key(
                    "backup.every", .string(""),
                    "how often the service writes a backup and checks it, such as 1d or 6h; none writes none"),
                Key("backup.keep", .int(7), "backups that are kept; older ones are deleted"),
                Key(
                    "backup.folder", .string(""),
                    "the folder for them, of this service alone, better on another disk; none is `backups` in the data folder"
                ),
            ]),
        clusterKeys,
        Group(
            "Catalogue",
            [
                Key(
                    "people_may_make", .string("*"),
                    "kinds of places that people may make, separated by commas; `*` is any but `store`, and nothing is none"
                ),
                Key("words", .string(""), "a file of words for products beside the built-in ones, like data/words.csv"),
            ]),
        Group(
            "Limits of requests and answers",
            [
                Key("limits.body_bytes", .int(8 << 20), "bytes of a request's body, at most"),
                Key(
                    "limits.person_body_bytes", .int(1 << 20),
                    "bytes of the body of a person or device, at most, unless it is NDJSON; 20 times as many of a file of tracks"
                ),
                Key("limits.import_bytes", .int(4 << 30), "bytes of an import, at most"),
                Key("limits.batch", .int(10_000), "pings of a batch, at most"),
                Key("limits.queries", .int(1000), "queries asked together, at most"),
                Key(
                    "limits.answer_bytes", .int(64 << 20),
                    "bytes of the answers to queries asked together (those beyond are not answered), and of any other answer but a stream"
                ),
                Key("limits.vertices", .int(10_000), "vertices of a polygon, at most"),
                Key("limits.radius_m", .double(20_040_000), "metres of a radius, at most"),
                Key("limits.scan", .int(200_000), "about how many entities one search reads before it is cut off"),
            ]),
        Group(
            "Limits of callers",
            [
                Key(
                    "limits.person_rate", .double(20),
                    "requests a second of a person with all devices; 0 for any number"),
                Key("limits.service_rate", .double(0), "requests a second of all services together; 0 for any number"),
                Key(
                    "limits.address_rate", .double(10),
                    "requests a second of an address without a valid token; 0 for any number"),
                Key("limits.document_bytes", .int(16 << 10), "bytes of a document that a person writes, at most"),
                Key("limits.person_places", .int(200), "places that a person may own"),
                Key("limits.person_comments", .int(2000), "comments that a person may write"),
                Key(
                    "limits.person_corners", .int(10_000),
                    "corners of all fences of a person together; a circle has one"),
                Key(
                    "limits.person_events", .int(1000),
                    "kept events that a person brings about in an hour; further ones are not told"),
                Key("limits.burst_s", .double(10), "seconds for which unused requests are saved up"),
            ]),
        Group(
            "Limits of connections and of the file",
            [
                Key("limits.connections", .int(10_000), "connections at the same time; further ones wait"),
                Key(
                    "limits.address_connections", .int(1000),
                    "of these from one address, except trusted proxies; 0 for any number"),
                Key(
                    "limits.reads", .int(0), "requests that read, worked on at the same time; 0 for eight for each core"
                ),
                Key("limits.writes", .int(128), "requests that change something, worked on at the same time"),
                Key(
                    "limits.long", .int(8),
                    "imports, exports, batches and searches through all, worked on at the same time"),
                Key(
                    "limits.waiting", .int(1000),
                    "requests of each of these kinds that wait; one more takes the place of the oldest, which is refused"
                ),
                Key(
                    "limits.wait_ms", .int(100),
                    "milliseconds until one that waits is refused; for the long ones twenty times as many"),
                Key("limits.streams", .int(100), "streamed answers at the same time; further ones are refused"),
                Key("limits.person_streams", .int(4), "of these to one person; further ones are refused"),
                Key("limits.readers", .int(10_000), "streams of events at the same time; further ones are refused"),
                Key("limits.person_readers", .int(8), "of these to one person; further ones are refused"),
                Key(
                    "limits.wal_bytes", .int(64 << 20),
                    "bytes above which the write-ahead log is emptied; if it cannot be, a warning is logged"),
            ]),
    ]
}
