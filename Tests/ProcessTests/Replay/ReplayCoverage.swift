import Foundation

/// The number of requests to each endpoint of a program.
struct ReplayCoverage {
    private(set) var counts: [String: Int] = [:]

    /// The endpoints without a request.
    var missing: [String] { counts.filter { $0.value == 0 }.keys.sorted() }

    /// Counts requests by the endpoints that `cerca reference endpoints` lists.
    init(_ requests: [String], of program: URL) throws {
        let table = try Program.runAll(["reference", "endpoints"], of: program)
        for line in table.output.matches(of: #/(?m)^\| `([A-Z]+ [^` ]+)`/#) { counts[String(line.1)] = 0 }
        guard !counts.isEmpty else { throw Service.Failure("\(program.path) lists no endpoints: \(table.errors)") }
        for request in requests {
            let message = try ReplayMessage(request)
            let method = message.method == "HEAD" ? "GET" : message.method
            let path = message.path.prefix { $0 != "?" }.split(separator: "/")
            let fitting = counts.keys.filter { Self.fits($0, method, path) }
            // A word is preferred to an id, and an id to any path.
            if let endpoint = fitting.min(by: { Self.rank($0).lexicographicallyPrecedes(Self.rank($1)) }) {
                counts[endpoint, default: 0] += 1
            }
        }
    }

    private static func fits(_ endpoint: String, _ method: String, _ path: [Substring]) -> Bool {
        let words = endpoint.split(separator: " ")
        let own = words[1].split(separator: "/")
        let isOpen = own.last == "**"
        guard words[0] == method, isOpen ? own.count <= path.count : own.count == path.count else { return false }
        return zip(own, path).allSatisfy { rank($0) > 0 || $0 == $1 }
    }

    private static func rank(_ endpoint: String) -> [Int] {
        endpoint.split(separator: "/").dropFirst().map { part in rank(part) }
    }

    private static func rank(_ part: Substring) -> Int { part == "**" ? 2 : part.hasPrefix("{") ? 1 : 0 }
}
