package import Geo

package struct FieldError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        case required
        case unknown
        case type
        case format
        case range
        /// Latitude and longitude are probably exchanged: the exchanged pair would be valid.
        case exchanged
        case tooLong = "too_long"
        case tooMany = "too_many"
        case mismatch
        /// The referenced entity does not exist.
        case unknownReference = "unknown_reference"
        case refused
    }

    /// A JSON pointer (RFC 6901).
    package var pointer: String
    package var code: Code
    package var detail: String

    package init(pointer: String, code: Code, detail: String) {
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }

    package func write(to json: inout JSONWriter) {
        json.member("pointer", pointer)
        json.member("code", code.rawValue)
        json.member("detail", detail)
    }
}

extension CoordinateError {
    /// The error of the invalid field, with advice if the exchanged pair would be valid.
    package func fieldError(_ prefix: String) -> FieldError {
        let name = axis == .latitude ? "lat" : "lon"
        let bound = axis == .latitude ? 90 : 180
        var detail = "is \(value); must be from -\(bound) to \(bound)"
        if fitsExchanged { detail += "; are lat and lon swapped?" }
        return FieldError(pointer: prefix + name, code: fitsExchanged ? .exchanged : .range, detail: detail)
    }
}
