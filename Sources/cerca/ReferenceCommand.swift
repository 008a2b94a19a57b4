internal import API
internal import ArgumentParser
internal import Discovery
internal import Interchange
internal import Meters

/// `cerca reference`: prints the generated parts of the documentation, for `tools/reference`.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print a generated part of the documentation.",
        shouldDisplay: false)

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case configuration, endpoints, columns, verdicts, problems, metrics
    }

    @Argument(help: "The part to print.") var part: Part

    func run() throws {
        switch part {
        case .configuration: print(Settings.reference)
        case .endpoints: print(try endpoints())
        case .columns:
            print(
                Markdown.table(
                    ["rows of", "fields"], ImportKind.allCases.map { ["`\($0.rawValue)`", Markdown.code($0.fields)] }))
        case .verdicts:
            print(Markdown.table(["verdict", "meaning"], Verdict.allCases.map { ["`\($0.word)`", $0.meaning] }))
        case .problems:
            print(Markdown.table(["code", "meaning"], ProblemReference.rows.map { ["`\($0.code)`", $0.meaning] }))
        case .metrics: print(Self.metrics)
        }
    }

    private static var metrics: String {
        let rows = Metric.allCases.map { metric in
            let declaration = metric.declaration
            return [
                "`\(metric.rawValue)`", declaration.kind.rawValue, declaration.unit,
                Markdown.code(declaration.labels), declaration.help,
            ]
        }
        return Markdown.table(["metric", "type", "unit", "labels", "meaning"], rows)
    }

    private func endpoints() throws -> String {
        let endpoints = try Interface.read { $0.endpoints }
        var chapters: [String] = []
        for endpoint in endpoints where !chapters.contains(endpoint.chapter) { chapters.append(endpoint.chapter) }
        return chapters.map { chapter in
            let rows = endpoints.filter { $0.chapter == chapter }.map { endpoint in
                ["`\(endpoint.name)`", endpoint.summary, endpoint.callers, Markdown.code(endpoint.parameters)]
            }
            return "## \(chapter)\n\n\(Markdown.table(["request", "what it does", "for", "parameters"], rows))"
        }.joined(separator: "\n\n")
    }
}

extension Settings {
    /// All keys with their defaults and meanings, in a table per group.
    fileprivate static var reference: String {
        groups.map { group in
            let rows = group.keys.map { ["`\($0.name)`", $0.standardText, $0.help] }
            return "## \(group.title)\n\n\(Markdown.table(["key", "default", "meaning"], rows))"
        }.joined(separator: "\n\n")
    }
}

private enum Markdown {
    static func code(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: " ") }

    static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map { cells in
            "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
        }.joined(separator: "\n")
    }
}
