/// What an import did.
public struct ImportReport: Sendable {
    /// How many rows the file had, the header not counted.
    private var rows = 0
    /// How many documents were made anew, and how many were there.
    private var created = 0
    private var updated = 0
    /// How many pings got each verdict.
    private var verdicts: [String: Int] = [:]
    /// What was understood differently from how it was written.
    var notes: [String] = []

    private var refusals: [(row: Int, errors: [FieldError])] = []

    init() {}

    mutating func count(row: Int) { rows += 1 }

    mutating func count(isNew: Bool) { if isNew { created += 1 } else { updated += 1 } }

    mutating func count(verdict: String) { verdicts[verdict, default: 0] += 1 }

    mutating func refuse(row: Int, _ errors: [FieldError]) { refusals.append((row, errors)) }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("rows", Int64(rows))
            if verdicts.isEmpty {
                json.member("created", Int64(created))
                json.member("updated", Int64(updated))
            } else {
                json.member("verdicts") { json in
                    json.object { json in
                        for (verdict, count) in verdicts.sorted(by: { $0.key < $1.key }) {
                            json.member(verdict, Int64(count))
                        }
                    }
                }
            }
            json.member("refused") { json in
                json.list(refusals) { json, refusal in
                    json.object { json in
                        json.member("row", Int64(refusal.row))
                        json.member("errors") { json in
                            json.list(refusal.errors) { json, error in json.object { error.write(to: &$0) } }
                        }
                    }
                }
            }
            json.member("notes", notes)
        }
    }

    /// The report as JSON, as the HTTP interface answers it.
    public var json: String {
        var json = JSONWriter()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
