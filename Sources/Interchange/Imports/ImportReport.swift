package import Normaliser

/// What an import did.
public struct ImportReport: Sendable {
    /// How many rows were done or refused, the header not counted.
    package private(set) var rows = 0
    private var refusals = Refusals()
    /// How many documents were made anew, and how many were there.
    private var created = 0
    private var updated = 0
    /// How many were deleted because the file does not have them, or would be; nil if that was not asked for.
    package var pruned: Int?
    /// How many pings got each verdict.
    private var verdicts: [String: Int] = [:]
    /// What was understood differently from how it was written.
    package var notes: [String] = []

    /// How many rows were refused.
    package var refusedCount: Int { refusals.count }

    /// Whether rows were put right before they were read.
    package var isNormalised = false
    private var remarked = RemarkedRows()
    /// Rows that were left as they are though something in them does not fit.
    private var doubted = RemarkedRows()
    /// Places with hours that nobody can tell the meaning of.
    private var unclearHours = RemarkedRows()

    package init() {}

    /// Counts a row that was put right, or is doubtful only.
    package mutating func remark(row: Int, _ remarks: [Remark]) {
        if remarks.contains(where: { $0.kind != .doubted }) {
            remarked.add(row, remarks)
        } else {
            doubted.add(row, remarks)
        }
    }

    /// Counts a place whose hours were not understood, and why.
    package mutating func remark(row: Int, hours: Remark) { unclearHours.add(row, [hours]) }

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
        json.member("pruned", pruned.map(Int64.init))
        refusals.write(to: &json)
        if isNormalised {
            remarked.write(as: "normalised", to: &json)
            if doubted.count > 0 { doubted.write(as: "doubted", to: &json) }
        }
        if unclearHours.count > 0 { unclearHours.write(as: "hours_not_understood", to: &json) }
        json.member("notes", notes)
    }

    /// The report as JSON, as the HTTP interface answers it.
    public var json: String { String(decoding: JSONWriter.object(write), as: UTF8.self) }
}
