/// The names of elements and members in a file of tracks that are not read, for the report.
struct UnreadNames: Sendable {
    /// Maximum number of names.
    private static let most = 100
    private static let longest = 40

    private var names: Set<String> = []

    mutating func add(_ name: String) {
        guard names.count < Self.most, !names.contains(name) else { return }
        names.insert(String(name.prefix(Self.longest)))
    }

    mutating func add(_ members: [String: JSON], besides read: Set<String>) {
        for (name, value) in members where value != .null && !read.contains(name) { add(name) }
    }

    /// The note about these and other names; none without a name.
    func notes(and others: [String] = []) -> [String] {
        let all = names.union(others.prefix(Self.most)).sorted()
        let doubtful = all.filter(TrackField.mayBeAccuracy)
        let rest = all.filter { !doubtful.contains($0) }
        return (rest.isEmpty ? [] : ["not read: \(rest.joined(separator: ", "))"])
            + doubtful.map { "warning: '\($0)' looks like an accuracy and was not read" }
    }
}
