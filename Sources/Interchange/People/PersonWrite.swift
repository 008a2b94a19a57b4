package import Discovery
package import Model

extension Write<Person> {
    /// Reads a person, and records which of the parts that keep their value by default are not mentioned.
    ///
    /// `null` and an empty cell of an import count as not mentioned, because many programs write unknown values that
    /// way.
    package init?(_ fields: inout Fields, id: PersonID? = nil, if condition: Condition = .always) {
        let kept = PersonParts(notIn: fields)
        guard let person = Person(&fields, id: id) else { return nil }
        self.init(person, if: condition)
        self.kept = kept
    }
}

extension PersonParts {
    private static let members: [(name: String, inner: String?, part: PersonParts)] = [
        ("city", nil, .city), ("born", nil, .born), ("discoverable", nil, .discoverable),
        ("searchable", nil, .searchable), ("searchable_by_email", nil, .searchableByEmail),
        ("sharing", "precision", .precision), ("sharing", "paused_until", .pause), ("sharing", "timetable", .timetable),
        ("sharing", "zones", .zones), ("sharing", "alerts", .alerts), ("throttle", "distance_m", .throttleDistance),
        ("throttle", "interval_s", .throttleInterval), ("retention_s", nil, .retention),
        ("tokens_not_before", nil, .tokensNotBefore),
    ]

    /// The parts that the fields of a person do not mention.
    fileprivate init(notIn fields: Fields) {
        self = []
        for (name, inner, part) in Self.members {
            let isMentioned =
                switch fields.peek(name) {
                case .object(let members)? where inner != nil: inner.map { members[$0] ?? .null != .null } ?? true
                // An import may give `sharing` as one word, the precision.
                case .text? where inner != nil: part == .precision
                default: fields.has(name)
                }
            if !isMentioned { insert(part) }
        }
    }
}
