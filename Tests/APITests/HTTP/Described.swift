import Foundation
import Synchronization
import Testing

/// The answers that `/openapi.json` describes, by which every answer in a test is checked.
struct Described: Sendable {
    /// The possible media types and problem codes of answers with a status.
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

    /// The answers by method and path.
    private var operations: [(path: [Substring], method: String, answers: [Int: Kinds])] = []
    /// The examples of query parameters, by the names of the operation and the parameter.
    private(set) var examples: [String: [String: String]] = [:]

    private static let read = Mutex<Described?>(nil)

    /// Returns the description in a document, which all servers have in common.
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
                examples["\(method.uppercased()) \(path)"] = Self.examples(operation)
            }
        }
    }

    /// The examples of the query parameters of an operation, by their names.
    private static func examples(_ operation: [String: Any]) -> [String: String] {
        var examples: [String: String] = [:]
        for parameter in operation["parameters"] as? [[String: Any]] ?? [] where parameter["in"] as? String == "query" {
            guard let name = parameter["name"] as? String else { continue }
            examples[name] = parameter["example"] as? String ?? (parameter["example"] as? NSNumber)?.stringValue
        }
        return examples
    }

    /// The names of all operations, such as `GET /v1/people/{id}`.
    var names: [String] { operations.map { "\($0.method) /\($0.path.joined(separator: "/"))" } }

    /// Returns the part of an answer that is not described, or nil if there is none or the request is not described.
    func fault(_ method: String, _ address: String, _ status: Int, _ mediaType: String?, _ body: String) -> String? {
        let path = address.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: true)
        let method = method == "HEAD" ? "GET" : method
        let fitting = operations.filter { operation in
            let isOpen = operation.path.last == "{rest}"
            return (isOpen ? operation.path.count <= path.count : operation.path.count == path.count)
                && zip(operation.path, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        func words(_ path: [Substring]) -> [Int] { path.map { $0.hasPrefix("{") ? 1 : 0 } }
        // A word, as in /v1/places/nearest, takes precedence over an id in that position.
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
