import Discovery
import Foundation
import Interchange
import Laws
import Model
import Testing

/// The fast parser of pings, compared with the general JSON parser.
@Suite(.timeLimit(.minutes(60))) struct PlainPingTests {
    /// The number of texts; `tools/fuzz --times` sets another.
    private static let environment = ProcessInfo.processInfo.environment
    private static let times =
        environment["CERCA_FUZZ_TIMES"].flatMap(Int.init) ?? RandomCases.count(10_000, all: 100_000)
    private static let seed = environment["CERCA_FUZZ_SEED"].flatMap(UInt64.init) ?? 0

    /// Members, most of them valid; now and then a name or value is replaced by another.
    private static let members: [(name: String, values: [String])] = [
        ("person", ["\"ana\"", "\"p-1\"", "\"a person of more than fifteen bytes\"", "\"\"", "\"\\u0061na\"", "7"]),
        ("lat", ["39.4699", "-0", "90", "0.1234567890123456789", "91", "1e1", "1e400", "\"39\"", "01", "null"]),
        ("lon", ["-0.3763", "180", "181", "-179.9999999", "0e0", "-", "null"]),
        ("t", ["1764000000", "1764000000123", "1764000000.25", "-1", "\"2026-01-01T00:00:00Z\"", "\"2026\"", "1e99"]),
        ("device", ["\"phone\"", "\"\"", "\"tel\u{e9}fono\"", "\"a\\nb\"", "\"\u{7f}\"", "false"]),
        ("accuracy_m", ["12", "0", "-1", "1e8", "1e9", "12.5"]), ("altitude_m", ["100", "-20001", "8848.86"]),
        ("speed_mps", ["1.4", "-0.1"]), ("heading", ["0", "360", "360.1"]), ("battery", ["0.5", "1", "2"]),
    ]
    private static let others = ["speed", "LAT", "", "\\u006cat", "accuracy_", "persons"]
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\n", "0", "-", "e", "null", "\u{0}", "é",
    ]

    private static func ping(_ random: inout SeededGenerator) -> String {
        let space = random.chance(0.2) ? random.pick([" ", "\n", "\t ", ""]) : ""
        var texts: [String] = []
        for (place, member) in members.enumerated() where random.chance(place < 3 ? 0.97 : 0.4) {
            let name = random.chance(0.01) ? random.pick(others) : member.name
            let value = random.chance(0.9) ? random.pick(Array(member.values.prefix(3))) : random.pick(member.values)
            texts.append("\"\(name)\"\(space):\(space)\(value)")
        }
        if random.chance(0.02), let text = texts.first { texts.append(text) }
        if random.chance(0.3) { texts.shuffle(using: &random) }
        return "{" + space + texts.joined(separator: "\(space),\(space)") + space + "}"
    }

    /// A ping or a list of pings, intact or damaged.
    private static func text(_ random: inout SeededGenerator) -> Data {
        var bytes = Array(ping(&random).utf8)
        if random.chance(0.3) { bytes = Array("[\(ping(&random)), \(ping(&random)),\(ping(&random))]".utf8) }
        for _ in 0..<(random.chance(0.3) ? random.integer(1...3) : 0) where !bytes.isEmpty {
            let place = random.integer(0...bytes.count - 1)
            switch random.integer(0...3) {
            case 0: bytes.insert(contentsOf: random.pick(pieces).utf8, at: place)
            case 1: bytes.remove(at: place)
            case 2: bytes[place] = UInt8(random.integer(0...255))
            default: bytes.removeLast(bytes.count - place)
            }
        }
        return Data(bytes)
    }

    /// The outcome for each ping and for the whole, as texts because errors cannot be compared.
    private static func reported(_ read: (inout [String]) throws -> Bool) -> [String] {
        var reported: [String] = []
        do { reported.append("\(try read(&reported))") } catch { reported.append("\(error)") }
        return reported
    }

    private static func reported(_ report: () throws -> PingReport) -> String {
        do { return "\(try report())" } catch { return "\(error)" }
    }

    @Test("The fast parser agrees with the general JSON parser") func generalParser() {
        var taken = 0
        for step in 0..<Self.times {
            let seed = Self.seed + UInt64(step)
            var random = SeededGenerator(seed: seed)
            let text = Self.text(&random)
            let plain = Self.reported { reported in
                let isList = try JSONText.eachPing(of: text, atMost: 1000) { item in
                    if case .report = item { taken += 1 }
                    reported.append(Self.reported { try item.report(at: "/7") })
                }
                if !isList { reported.append(Self.reported { try JSONText.ping(text, atMost: 1000).report(at: "") }) }
                return isList
            }
            let judged = Self.reported { reported in
                let isList =
                    try JSONText.eachItem(of: text, atMost: 1000) { item in
                        reported.append(Self.reported { try PingItem.other(item).report(at: "/7") })
                    } != nil
                if !isList {
                    reported.append(Self.reported { try PingItem.other(JSON(text, atMost: 1000)).report(at: "") })
                }
                return isList
            }
            #expect(plain == judged, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
            if plain != judged { return }
        }
        #expect(taken > Self.times / 20, "of most lists a ping at least is taken as it stands")
    }

    @Test(
        "A ping takes the fast path only if all of its fields are known and plain",
        arguments: [
            (#"{"person":"ana","lat":39.5,"lon":-0.25}"#, true),
            (
                #" { "lon" : -0.25 , "t" : "2026-01-01T00:00:00Z" , "lat" : 39.5 , "person" : "ana" , "battery" : 1 } "#,
                true
            ),
            (#"{"person":"ana","lat":39.5,"lon":-0.25,"lat":39.5}"#, false),
            (#"{"person":"ana","lat":39.5,"lon":-0.25,"color":"red"}"#, false),
            (#"{"person":"\u0061na","lat":39.5,"lon":-0.25}"#, false),
        ])
    func fastPath(text: String, isTaken: Bool) throws {
        let json = try JSON(Data(text.utf8))
        let item = try JSONText.ping(Data(text.utf8), atMost: 1000)
        #expect(try item == (isTaken ? .report(PingItem.other(json).report(at: "")) : .other(json)))
    }
}
