internal import Model
internal import Normaliser

extension [String: JSON] {
    /// The longest text of a hemisphere, in bytes.
    private static var longestHemisphere: Int { 20 }

    /// The error of a row with the hemisphere of its position in another column, which only normalizing reads.
    var hemisphereFault: FieldError? {
        let faults = lazy.compactMap { column, value -> FieldError? in
            guard case .text(let text) = value, text.utf8.count <= Self.longestHemisphere,
                let hemisphere = Hemisphere(column: column, text: text)
            else { return nil }
            let field = hemisphere.isLatitude ? "lat" : "lon"
            guard let degrees = self[field]?.numeric, hemisphere.signed(degrees) != degrees else { return nil }
            let detail = "has the hemisphere '\(text)' in the column '\(column)': use 'normalise'"
            return FieldError(pointer: "/\(field)", code: .mismatch, detail: detail)
        }
        return faults.min { ($0.pointer, $0.detail) < ($1.pointer, $1.detail) }
    }
}
