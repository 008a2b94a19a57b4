package import Normaliser

/// What an import did.
public struct ImportReport: Sendable {
    private static let mostRemarks = 10_000

    /// How many rows were done or refused, the header not counted.
    package private(set) var rows = 0
    private var refusals = Refusals()
    /// How many documents were made anew, and how many were there.
    private var created = 0
    private var updated = 0
    /// How many pings got each verdict.
    private var verdicts: [String: Int] = [:]
    /// What was understood differently from how it was written.
    package var notes: [String] = []

    /// How many rows were refused.
    package var refusedCount: Int { refusals.count }

    /// Whether rows were put right before they were read.
    package var isNormalised = false
    /// How many rows were put right, and the first of them with what was done.
    private var remarkedCount = 0
    private var remarked: [(row: Int, remarks: [Remark])] = []
    /// How many rows were left as they are though something in them does not fit, and the first of them.
    private var doubtedCount = 0
    private var doubted: [(row: Int, remarks: [Remark])] = []

    package init() {}

    /// Counts a row that was put right, or is doubtful only; the first 10,000 of each are kept.
    package mutating func remark(row: Int, _ remarks: [Remark]) {
        guard remarks.contains(where: { $0.kind != .doubted }) else {
            doubtedCount += 1
            if doubted.count < Self.mostRemarks { doubted.append((row, remarks)) }
            return
        }
        remarkedCount += 1
        if remarked.count < Self.mostRemarks { remarked.append((row, remarks)) }
    }

    package mutating func count(rows count: Int) { rows += count }

    package mutating func count(isNew: Bool) { if isNew { created += 1 } else { updated += 1 } }

    package mutating func count(verdict: String) { verdicts[verdict, default: 0] += 1 }

    /// Counts a refused row.
    package mutating func refuse(row: Int, _ errors: [FieldError]) { refusals.add(FilePlace(row: row), errors) }

    /// Writes the members.
    package func write(to json: inout JSONWriter) {
        json.member("rows", Int64(rows))
        if verdicts.isEmpty {
            json.member("created", Int64(created))
            json.member("updated", Int64(updated))
        } else {
            json.object("verdicts") { json in
                for (verdict, count) in verdicts.sorted(by: { $0.key < $1.key }) {
                    json.member(verdict, Int64(count))
                }
            }
        }
        refusals.write(to: &json)
        if isNormalised {
            Self.write(remarked, of: remarkedCount, as: "normalised", to: &json)
            if doubtedCount > 0 { Self.write(doubted, of: doubtedCount, as: "doubted", to: &json) }
        }
        json.member("notes", notes)
    }

    private static func write(
        _ rows: [(row: Int, remarks: [Remark])], of count: Int, as name: String, to json: inout JSONWriter
    ) {
        json.objects(name, rows) { json, row in
            json.member("row", Int64(row.row))
            json.objects("remarks", row.remarks) { json, remark in
                json.member("pointer", "/\(remark.field)")
                json.member("code", remark.kind.rawValue)
                json.member("detail", remark.detail)
            }
        }
        json.member("\(name)_count", Int64(count))
        if rows.count < count { json.member("\(name)_truncated", true) }
    }

    /// The report as JSON, as the HTTP interface answers it.
    public var json: String { String(decoding: JSONWriter.object(write), as: UTF8.self) }
}
