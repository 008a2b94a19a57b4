internal import Discovery
internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// The pings of one request: the valid ones, and the errors of the others.
struct PingBatch {
    /// The most errors that are reported per ping.
    private static let mostFaults = 10
    private static let stepsOfPing = 100
    /// The most JSON values of one ping, including unknown members.
    private static let mostValues = 1000

    private let limit: Int
    /// The default person of pings; nil if each must name one.
    private let person: PersonID?
    private(set) var reports: [PingReport] = []
    /// For each ping its report's index, or its errors.
    private var entries: [Result<Int, Faults>] = []

    private struct Faults: Error {
        var errors: [FieldError]

        /// The name of the first invalid field, or `json`.
        var field: String {
            let parts = errors.first?.pointer.split(separator: "/") ?? []
            return parts.count > 1 ? String(parts[1]) : "json"
        }
    }

    /// Whether the body is a single ping, not a list.
    private(set) var isOne = false

    /// Creates an empty batch of at most `limit` pings, which belong to `person` by default.
    init(limit: Int, of person: PersonID?) { (self.limit, self.person) = (limit, person) }

    /// Reads a single object, whose errors fail the request, or a list up to the limit, in which each item is judged
    /// separately.
    mutating func read(_ body: Data) throws(FormError) {
        let isList = try JSONText.eachPing(of: body, atMost: Self.mostValues) { item throws(FormError) in
            guard entries.count < limit else { throw tooLarge }
            add(item)
        }
        guard !isList else { return }
        accept(try JSONText.ping(body, atMost: Self.mostValues).report(at: "", of: person))
        isOne = true
    }

    /// Reads an object from each nonempty line, up to the limit, which also applies to empty lines.
    mutating func read(lines: Data) throws(FormError) {
        var rest = lines
        var empty = 0
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            guard !line.allSatisfy({ $0 == 0x0d || $0 == 0x20 }) else {
                empty += 1
                guard empty <= limit else {
                    throw FormError(.batchTooLarge, detail: "A batch may have at most \(limit) empty lines.")
                }
                continue
            }
            guard entries.count < limit else { throw tooLarge }
            do throws(FormError) { add(try JSONText.ping(line, atMost: Self.mostValues)) } catch {
                refuse([FieldError(pointer: "/\(entries.count)", code: .format, detail: error.detail)])
            }
        }
    }

    private var tooLarge: FormError {
        FormError(.batchTooLarge, detail: "A batch may have at most \(limit) pings.")
    }

    private mutating func add(_ item: PingItem) {
        WorkBudget.count(Self.stepsOfPing)
        do throws(FormError) { accept(try item.report(at: "/\(entries.count)", of: person)) } catch {
            refuse(error.errors)
        }
    }

    private mutating func refuse(_ errors: [FieldError]) {
        entries.append(.failure(Faults(errors: Array(errors.prefix(Self.mostFaults)))))
    }

    private mutating func accept(_ report: PingReport) {
        entries.append(.success(reports.count))
        reports.append(report)
    }

    /// Writes the number of pings per kind of verdict; the sum is the number of pings.
    private func writeSums(of verdicts: [Verdict], to json: inout JSONWriter) {
        let stored = verdicts.count { $0 == .stored }
        let throttled = verdicts.count { $0 == .throttledByInterval || $0 == .throttledByDistance }
        let duplicates = verdicts.count { $0 == .duplicate }
        let refused = entries.count - stored - throttled - duplicates
        json.member("stored", Int64(stored))
        json.member("throttled", Int64(throttled))
        if duplicates > 0 { json.member("duplicate", Int64(duplicates)) }
        if refused > 0 { json.member("refused", Int64(refused)) }
    }

    func answer(_ verdicts: [Verdict], _ hints: [Hint]) -> Answer {
        .object { json in
            writeSums(of: verdicts, to: &json)
            json.member("verdicts") { json in
                json.list(entries) { json, entry in
                    switch entry {
                    case .success(let index): json.value(verdicts[index].word)
                    case .failure(let faults): json.value("invalid:\(faults.field)")
                    }
                }
            }
            let errors = entries.flatMap { entry in
                if case .failure(let faults) = entry { faults.errors } else { [FieldError]() }
            }
            if !errors.isEmpty {
                json.objects("errors", errors) { json, error in error.write(to: &json) }
            }
            if hints.count == 1, let hint = hints.first {
                json.member("hint") { $0.hint(hint) }
            } else if !hints.isEmpty {
                json.member("hints") { json in
                    json.object { json in for hint in hints { json.member(hint.person.text) { $0.hint(hint) } } }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func hint(_ hint: Hint) {
        object { json in
            json.object("from") { $0.coordinate(hint.from) }
            json.member("beyond_m", hint.beyond.rounded(.down))
            json.member("not_before", hint.notBefore)
            json.member("until", hint.until)
        }
    }
}
