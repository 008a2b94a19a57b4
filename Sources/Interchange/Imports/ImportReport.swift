package import Normaliser

/// The result of an import.
public struct ImportReport: Sendable {
    /// The number of rows done or refused, without the header.
    package private(set) var rows = 0
    private var refusals = Refusals()
    /// The number of created documents; `updated` counts existing ones.
    private var created = 0
    private var updated = 0
    /// The number of entities deleted because the file lacks them, or that would be deleted; nil without pruning.
    package var pruned: Int?
    /// How the columns were read; nil except for a dry run.
    package var columns: ColumnCounts?
    private var withoutPosition = 0
    /// The columns of such places that may hold their position.
    private var likelyPositions: Set<String> = []
    /// The number of such places whose columns are inspected.
    private static let mostInspected = 100
    private var verdicts: [String: Int] = [:]
    /// Input that was interpreted differently from how it was written.
    package var notes: [String] = []

    package var refusedCount: Int { refusals.count }

    /// Whether rows were normalized before they were read.
    package var isNormalised = false
    private var remarked = RemarkedRows()
    /// Rows left unchanged although a value in them looks wrong.
    private var doubted = RemarkedRows()
    /// Places whose opening hours are not understood.
    private var unclearHours = RemarkedRows()

    package init() {}

    /// Counts a row that was normalized, or only has doubtful values.
    package mutating func remark(row: Int, _ remarks: [Remark]) {
        if remarks.contains(where: { $0.kind != .doubted }) {
            remarked.add(row, remarks)
        } else {
            doubted.add(row, remarks)
        }
    }

    /// Counts a place whose opening hours were not understood.
    package mutating func remark(row: Int, hours: Remark) { unclearHours.add(row, [hours]) }

    /// Counts a place without a position; `row` has the members that are kept as attributes.
    package mutating func countWithoutPosition(_ row: [String: JSON]) {
        withoutPosition += 1
        guard !isNormalised, withoutPosition <= Self.mostInspected else { return }
        let texts = row.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
        likelyPositions.formUnion(UnreadColumn.positions(in: texts))
    }

    /// The values that places lack, as sentences.
    var missing: [String] {
        guard withoutPosition > 0, isNormalised || !likelyPositions.isEmpty else { return [] }
        let places = withoutPosition == 1 ? "1 place has" : "\(withoutPosition) places have"
        let columns = likelyPositions.sorted().map {
            "warning: column '\($0)' looks like a position and was kept as an attribute: use 'normalise'"
        }
        return columns + ["warning: \(places) no position"]
    }

    package mutating func count(rows count: Int) { rows += count }

    package mutating func count(isNew: Bool) { if isNew { created += 1 } else { updated += 1 } }

    package mutating func count(verdict: String) { verdicts[verdict, default: 0] += 1 }

    package mutating func refuse(row: Int, _ errors: [FieldError]) { refusals.add(FilePlace(row: row), errors) }

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
        columns?.write(to: &json)
        refusals.write(to: &json)
        if isNormalised { remarked.write(as: "normalised", to: &json) }
        if doubted.count > 0 { doubted.write(as: "doubted", to: &json) }
        if unclearHours.count > 0 { unclearHours.write(as: "hours_not_understood", to: &json) }
        json.member("notes", notes)
    }

    /// The report as JSON, as in the HTTP response.
    public var json: String { String(decoding: JSONWriter.object(write), as: UTF8.self) }
}
