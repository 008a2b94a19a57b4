internal import Model
internal import Normaliser

extension [String: JSON] {
    /// The longest text of a hemisphere, in bytes.
    private static var longestHemisphere: Int { 20 }

    /// The error of a row with the hemisphere of its position in another column, which only normalizing reads.
    var hemisphereFault: FieldError? {
        for (column, value) in self {
            guard case .text(let text) = value, text.utf8.count <= Self.longestHemisphere,
                let hemisphere = Hemisphere(column: column, text: text)
            else { continue }
            let field = hemisphere.isLatitude ? "lat" : "lon"
            guard let degrees = self[field]?.numeric.map({ "\($0)" }), hemisphere.signed(degrees) != degrees else {
                continue
            }
            let detail = "has the hemisphere '\(text)' in the column '\(column)': use 'normalise'"
            return FieldError(pointer: "/\(field)", code: .mismatch, detail: detail)
        }
        return nil
    }
}
