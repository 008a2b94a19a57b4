/// The refused rows of a file: all are counted, and the first 10,000 are kept, up to about 16 MiB of errors.
package struct Refusals: Sendable {
    private static let most = 10_000
    private static let mostBytes = 16 << 20

    package private(set) var count = 0
    private var first: [(place: FilePlace, errors: [FieldError])] = []
    private var bytes = 0

    package mutating func add(_ place: FilePlace, _ errors: [FieldError]) {
        count += 1
        bytes += errors.reduce(0) { $0 + $1.size }
        guard first.count < Self.most, bytes <= Self.mostBytes else { return }
        first.append((place, errors))
    }

    package func write(to json: inout JSONWriter) {
        json.objects("refused", first) { json, refusal in
            json.member("row", Int64(refusal.place.row))
            json.member("line", refusal.place.line.map(Int64.init))
            json.member("byte", refusal.place.byte.map(Int64.init))
            json.objects("errors", refusal.errors) { json, error in error.write(to: &json) }
        }
        json.member("refused_count", Int64(count))
        if first.count < count { json.member("refused_truncated", true) }
    }
}

extension FieldError {
    /// Approximate size of the error in a report, in bytes.
    fileprivate var size: Int { pointer.utf8.count + detail.utf8.count + 64 }
}
