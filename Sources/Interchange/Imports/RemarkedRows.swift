package import Normaliser

/// Rows of a file with remarks: all are counted, and the first 10,000 are kept.
package struct RemarkedRows: Sendable {
    private static let most = 10_000

    package private(set) var count = 0
    private var first: [(row: Int, remarks: [Remark])] = []

    package init() {}

    package mutating func add(_ row: Int, _ remarks: [Remark]) {
        count += 1
        if first.count < Self.most { first.append((row, remarks)) }
    }

    /// Writes the members of a report, whose names begin with `name`.
    package func write(as name: String, to json: inout JSONWriter) {
        json.objects(name, first) { json, row in
            json.member("row", Int64(row.row))
            json.objects("remarks", row.remarks) { json, remark in
                json.member("pointer", "/\(remark.field)")
                json.member("code", remark.kind.rawValue)
                json.member("detail", remark.detail)
            }
        }
        json.member("\(name)_count", Int64(count))
        if first.count < count { json.member("\(name)_truncated", true) }
    }
}
