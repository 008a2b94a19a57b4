import Foundation
import Synchronization
import Testing

/// What `/openapi.json` says of answers, by which every answer that a test gets is checked.
struct Described: Sendable {
    /// What an answer with a status may be: media types, and the codes of problems.
    private struct Kinds {
        var types: Set<String>
        var codes: Set<String>

        init(_ response: [String: Any]) {
            let content = response["content"] as? [String: [String: Any]] ?? [:]
            types = Set(content.keys)
            let problem = content["application/problem+json"]?["schema"] as? [String: Any]
            let members = problem?["properties"] as? [String: [String: Any]]
            codes = Set(members?["code"]?["enum"] as? [String] ?? [])
        }
    }

    /// The statuses that a method and a path may have.
    private var operations: [(path: [Substring], method: String, answers: [Int: Kinds])] = []

    private static let read = Mutex<Described?>(nil)

    /// That of a document; all servers have the same.
    static func read(_ document: () -> String) throws -> Described {
        try read.withLock { described in
            if let described { return described }
            let made = try Described(document())
            described = made
            return made
        }
    }

    private init(_ document: String) throws {
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
        for (path, methods) in try #require(whole["paths"] as? [String: [String: [String: Any]]]) {
            for (method, operation) in methods {
                let responses = try #require(operation["responses"] as? [String: [String: Any]])
                let answers = responses.map { status, response in (Int(status) ?? 0, Kinds(response)) }
                operations.append(
                    (path.split(separator: "/"), method.uppercased(), Dictionary(uniqueKeysWithValues: answers)))
            }
        }
    }

    /// The names of all operations, such as `GET /v1/people/{id}`.
    var names: [String] { operations.map { "\($0.method) /\($0.path.joined(separator: "/"))" } }

    /// What of an answer is not described; nil if all is, or nothing is said of such a request.
    func fault(_ method: String, _ address: String, _ status: Int, _ mediaType: String?, _ body: String) -> String? {
        let path = address.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: true)
        let method = method == "HEAD" ? "GET" : method
        let fitting = operations.filter { operation in
            let isOpen = operation.path.last == "{rest}"
            return (isOpen ? operation.path.count <= path.count : operation.path.count == path.count)
                && zip(operation.path, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        func words(_ path: [Substring]) -> [Int] { path.map { $0.hasPrefix("{") ? 1 : 0 } }
        // A word such as that of /v1/places/nearest hides the ids that stand in its place.
        let closest = fitting.map { words($0.path) }.min { $0.lexicographicallyPrecedes($1) }
        let named = fitting.first { words($0.path) == closest && $0.method == method }
        guard let closest = named else { return nil }
        guard let kinds = closest.answers[status] else { return "\(method) \(address): \(status) is not described" }
        guard let type = mediaType?.prefix(while: { $0 != ";" }) else { return nil }
        guard kinds.types.contains(String(type)) else {
            return "\(method) \(address): \(status) with \(type) is not described"
        }
        guard type == "application/problem+json", let code = body.firstMatch(of: #/"code":"([a-z_]+)"/#)?.1,
            !kinds.codes.contains(String(code))
        else { return nil }
        return "\(method) \(address): \(status) with \(code) is not described"
    }
}
