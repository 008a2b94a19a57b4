internal import Geo

extension ColumnNames {
    /// Removes the columns of a position that is not given as latitude and longitude.
    ///
    /// Bare numbers have the order of the column's name, and otherwise latitude, longitude; it is never guessed
    /// from the numbers.
    mutating func takePosition() -> (columns: [String], latitude: String, longitude: String)? {
        let folded = rest.keys.map(Self.folded).sorted()
        let position =
            take(PositionText.longitudeFirst + folded.filter { PositionText.order(of: $0) == false }) {
                PositionText.read($0, latitudeFirst: false, allowsWhole: true)
            }
            ?? take(folded.filter { PositionText.order(of: $0) == true }) {
                PositionText.read($0, latitudeFirst: true, allowsWhole: true)
            }
            ?? take(PositionText.coordinates) { PositionText.read($0, latitudeFirst: true, allowsWhole: true) }
            ?? take(PositionText.columns) { PositionText.read($0, latitudeFirst: true) }
            ?? take(folded) { PositionText.read($0, latitudeFirst: nil) }
        if let (column, (latitude, longitude)) = position { return ([column], latitude, longitude) }
        for (x, y) in PositionText.pairs {
            var copy = self
            guard let (first, longitude) = copy.take([x], as: { Self.degrees($0, most: 180) }),
                let (second, latitude) = copy.take([y], as: { Self.degrees($0, most: 90) })
            else { continue }
            self = copy
            return ([first, second], latitude, longitude)
        }
        return nil
    }

    /// Removes the columns of hemispheres, with their texts.
    mutating func takeHemispheres() -> [(column: String, text: String, hemisphere: Hemisphere)] {
        let found = rest.sorted { $0.key < $1.key }.compactMap { column, text in
            Hemisphere(column: column, text: text).map { (column: column, text: text, hemisphere: $0) }
        }
        for (column, _, _) in found { _ = take(column: column) }
        return found
    }

    /// A fraction of degrees; whole numbers may be pixels or meters.
    private static func degrees(_ text: String, most: Double) -> String? {
        let plain = text.contains(".") ? text : text.replacing(",", with: ".")
        guard plain.contains("."), let degrees = plain.decimalNumber, abs(degrees) <= most else { return nil }
        return plain
    }

    /// The columns that may hold a position.
    var likelyPositions: [String] {
        rest.filter { name, text in
            let folded = Self.folded(name)
            let isPair = PositionText.pairs.contains { $0.0 == folded || $0.1 == folded }
            return isPair || PositionText.isLikely(text) || UnreadColumn.look(of: name) == "a position"
        }.keys.sorted()
    }
}
