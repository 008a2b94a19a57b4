/// Reads tracks in a table with a header.
package struct TrackTable: TrackReader {
    private static let required = ["t", "lat", "lon"]

    private var table = CSVReader(Synonyms.tracks)
    private var fields = TrackFieldNames()
    private var sawNoZone = false
    /// The program that wrote the table; nil before the first row.
    private var source: TrackTableSource?

    package private(set) var others = 0

    package var notes: [String] {
        let unknown = fields.unknown.filter { $0 != "valid" }.map { name in
            TrackField.mayBeAccuracy(name)
                ? "warning: column '\(name)' looks like an accuracy and was ignored"
                : "column '\(name)' matches no field and was ignored"
        }
        return table.notes + unknown
            + (sawNoZone ? [TrackShape.noZone] : [])
    }

    package mutating func read(_ bytes: [UInt8], into items: inout [TrackItem]) throws(BrokenTrack) {
        do throws(FormError) { try take(table.read(bytes), &items) } catch { throw Self.broken(error) }
    }

    package mutating func finish(into items: inout [TrackItem]) throws(BrokenTrack) {
        do throws(FormError) { try take(table.finish(), &items) } catch { throw Self.broken(error) }
    }

    private static func broken(_ error: FormError) -> BrokenTrack {
        let detail = error.detail
        return BrokenTrack(detail: detail.hasSuffix(".") ? String(detail.dropLast()) : detail, line: 1)
    }

    private mutating func take(_ rows: [ImportRow], _ items: inout [TrackItem]) throws(FormError) {
        for row in rows {
            let place = FilePlace(row: row.number)
            switch row.members {
            case .failure(let fault): items.append(.refused(place, fault))
            case .success(let members):
                let source = try source(members)
                guard TrackTableSource.isFix(members) else {
                    others += 1
                    continue
                }
                var point = TrackPoint(at: place)
                point.take(members, &fields, &sawNoZone)
                source.convert(&point)
                items.append(.point(point))
            }
        }
    }

    /// The program by the columns.
    ///
    /// - Throws: an error if a required column is missing.
    private mutating func source(_ members: [String: JSON]) throws(FormError) -> TrackTableSource {
        if let source { return source }
        let source = TrackTableSource(columns: members.keys)
        self.source = source
        var names = Set(members.keys.compactMap { fields.field($0)?.rawValue })
        if members.keys.contains(where: { fields.part($0) == .date }) { names.insert(TrackField.time.rawValue) }
        let missing = Self.required.filter { !names.contains($0) }
        guard !missing.isEmpty else { return source }
        throw FormError(
            .invalidBody,
            detail: "The header has no column for \(missing.joined(separator: ", ")).")
    }
}
