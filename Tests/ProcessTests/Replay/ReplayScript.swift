import Foundation
import Laws
import Model

/// Random requests from the templates of `data/replay/requests.txt`, which explains their syntax.
///
/// Equal seeds give equal requests.
struct ReplayScript {
    /// The starts of the service: a Friday morning, noon of that day, a day and nine days later.
    private static let starts = [0, 9000, 93_600, 777_600].map { seconds in
        Timestamp(milliseconds: 1_795_168_800_000 + seconds * 1000)
    }
    private static let people = 40
    /// Latitude and longitude of homes, by the number of the person modulo 6; one is at the 180° meridian.
    private static let homes = [
        (39.47, -0.376), (39.47, -0.376), (40.417, -3.704), (38.72, -9.14), (-17.8, 179.98),
        (78.22, 15.65),
    ]

    private let first, later: [[String]]
    private var random: SeededGenerator
    private var now = starts[0]
    /// The values of names, for a group of lines.
    private var bound: [String: String] = [:]
    private var home = homes[0]

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let parts = try Self.text("data/replay/requests.txt").components(separatedBy: "\n==\n").map { part in
            part.components(separatedBy: "\n\n").map { lines in
                lines.components(separatedBy: "\n").filter { !$0.hasPrefix("#") && !$0.isEmpty }
            }.filter { !$0.isEmpty }
        }
        guard parts.count == 2 else { throw Service.Failure("requests.txt has \(parts.count) parts; must be 2") }
        (first, later) = (parts[0], parts[1])
    }

    /// Returns a number of requests or, because groups of lines are complete, a few more, evenly over the starts.
    mutating func recording(of count: Int) throws -> ReplayRecording {
        var sessions: [ReplaySession] = []
        var waiting = first
        for (number, start) in Self.starts.enumerated() {
            now = start
            var session = ReplaySession(start: start)
            let most = count * (number + 1) / Self.starts.count - count * number / Self.starts.count
            while session.exchanges.count < most {
                if waiting.isEmpty { waiting = later.shuffled(using: &random) }
                bind()
                for line in waiting.removeFirst() {
                    session.exchanges.append(ReplayExchange(request: try request(line), answer: ""))
                }
            }
            sessions.append(session)
        }
        return ReplayRecording(sessions: sessions)
    }

    /// Draws new people and things for a group of lines.
    private mutating func bind() {
        let numbers = (0..<Self.people).shuffled(using: &random)
        home = Self.homes[numbers[0] % Self.homes.count]
        let group = random.integer(0...2)
        bound = [
            "p": "p\(numbers[0])", "q": "p\(numbers[1])", "r": "p\(numbers[2])",
            "d": "p\(numbers[0] % Self.homes.count)", "x": "x\(random.integer(0...9))",
            "store": "s\(random.integer(0...39))", "product": "a\(random.integer(0...39))",
            "place": random.chance(0.7) ? "s\(random.integer(0...39))" : "t\(random.integer(0...19))",
            "group": "g\(group)", "owner": "p\(group)", "now": now.rfc3339, "i": "0",
        ]
    }

    // MARK: - A line

    private mutating func request(_ line: String) throws -> String {
        var rest = line[...]
        var headers: [String] = []
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            headers = try filled(String(rest[rest.index(after: rest.startIndex)..<end])).components(separatedBy: "; ")
            rest = rest[rest.index(end, offsetBy: 2)...]
        }
        let words = Self.parts(rest, between: " ", most: 3)
        guard words.count >= 3 else { throw Service.Failure("'\(line)' is not a request") }
        let head = "\(try caller(words[0])) \(try filled(words[1])) \(try filled(words[2]))"
        guard words.count > 3 else { return ([head] + headers).joined(separator: "\n") }
        if !headers.contains(where: { $0.hasPrefix("content-type") }) {
            headers.append("content-type: application/json")
        }
        let body = try body(words[3])
        return ([head] + headers).joined(separator: "\n") + "\n\n" + body
    }

    /// The parts of a text between marks outside of braces; after `most` marks the rest is one part.
    private static func parts(_ text: Substring, between mark: Character, most: Int = .max) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            depth += character == "{" ? 1 : character == "}" ? -1 : 0
            if character == mark, depth == 0, parts.count <= most {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    private mutating func caller(_ word: String) throws -> String {
        let (p, q) = (bound["p", default: ""], bound["q", default: ""])
        let name = try filled(word)
        return switch name {
        case "own": random.pick(["service", "service", "service", p, p, p, p, "service:\(p)", q])
        case "anyone": random.pick(["service", "service", p, p, "service:\(p)"])
        case "phone": "phone:\(bound["d", default: ""])"
        default: bound[name, default: name]
        }
    }

    private mutating func body(_ text: String) throws -> String {
        guard let match = text.prefixMatch(of: #/(\d+) \* /#), let count = Int(match.1) else {
            return try filled(text.replacing("\\n", with: "\n"))
        }
        let row = String(text[match.range.upperBound...])
        let lines = try (0..<count).map { number in
            bind()
            bound["i"] = "\(number)"
            return try filled(row)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Braces

    /// Replaces names in braces by their values.
    private mutating func filled(_ text: String) throws -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            result += rest[..<start]
            let inside = rest[rest.index(after: start)...]
            guard inside.first?.isLowercase ?? false, let end = Self.end(of: inside) else {
                result.append("{")
                rest = inside
                continue
            }
            let parts = inside[..<end].split(separator: ":", maxSplits: 1).map(String.init)
            result += try value(parts[0], parts.count > 1 ? parts[1] : "")
            rest = inside[inside.index(after: end)...]
        }
        return result + rest
    }

    /// The brace that closes the one before a text.
    private static func end(of text: Substring) -> Substring.Index? {
        var depth = 1
        return text.indices.first { index in
            depth += text[index] == "{" ? 1 : text[index] == "}" ? -1 : 0
            return depth == 0
        }
    }

    private mutating func value(_ name: String, _ argument: String) throws -> String {
        switch name {
        case "any": return try filled(random.pick(Self.parts(argument[...], between: "|")))
        case "num":
            let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
            return "\(random.integer(ends.count > 2 ? -1...ends[2] : ends[0]...ends[1]))"
        case "n": return "\(random.integer(1...30))"
        case "m": return random.pick(["100", "800", "5000", "40000", "3000000"])
        case "lat": return Self.degrees(home.0 + random.number(-0.05..<0.05))
        case "lon":
            let east = home.1 + random.number(-0.05..<0.05)
            return Self.degrees(east > 180 ? east - 360 : east)
        case "t": return time().rfc3339
        case "seconds": return "\(time().milliseconds / 1000)"
        case "interval":
            let times = [time(), time()].sorted()
            return random.pick(["\(times[0].rfc3339)/\(times[1].rfc3339)", "\(times[0].rfc3339)/..", "../.."])
        case "file": return try Self.text(argument)
        case "cursor", "etag", "made": return "{\(name)}"
        case "token", "basic": return "{\(name):\(try filled(argument))}"
        default:
            guard let value = bound[name] else { throw Service.Failure("there is no name {\(name)}") }
            return value
        }
    }

    private static func degrees(_ number: Double) -> String { String(format: "%.6f", number) }

    /// The text of a file, by its path from the top folder.
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: ReplayOptions.root.appending(path: path), encoding: .utf8)
    }

    /// A time of the last three days, in whole seconds.
    private mutating func time() -> Timestamp {
        Timestamp(milliseconds: now.milliseconds - Int64(random.integer(0...259_200)) * 1000)
    }
}
