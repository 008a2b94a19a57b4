/// What is wrong with one field.
package struct FieldError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        case required
        case unknown
        case type
        case format
        case range
        /// Latitude and longitude would be possible if they were exchanged.
        case exchanged
        case tooLong = "too_long"
        case tooMany = "too_many"
        case mismatch
        /// What the field names does not exist.
        case unknownReference = "unknown_reference"
        case refused
    }

    /// A JSON pointer (RFC 6901).
    package var pointer: String
    package var code: Code
    package var detail: String

    package func write(to json: inout JSONWriter) {
        json.member("pointer", pointer)
        json.member("code", code.rawValue)
        json.member("detail", detail)
    }
}
