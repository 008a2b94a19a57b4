/// Why what somebody wrote down cannot be taken: a body, a file, or a row of one.
package struct FormError: Error {
    /// What kind of fault it is.
    package enum Code {
        /// It is not the JSON that it says it is.
        case invalidJSON
        /// It is not what is expected here.
        case invalidBody
        /// The same of a parameter.
        case invalidParameter
        /// It is more than is read.
        case bodyTooLarge
        /// It has more pings than are taken at once.
        case batchTooLarge
    }

    /// What kind of fault it is.
    package var code: Code
    /// The fault as a sentence.
    package var detail: String
    /// What is wrong with single fields.
    package var errors: [FieldError] = []

    package init(_ code: Code, detail: String, errors: [FieldError] = []) {
        self.code = code
        self.detail = detail
        self.errors = errors
    }

    /// The fault of fields, of which there is at least one.
    package static func invalid(_ errors: [FieldError]) -> FormError {
        // A field that is not known may be why another one is not there.
        let unknown = errors.first?.code == .required ? errors.first { $0.code == .unknown } : nil
        let first = unknown ?? errors.first
        let detail = first.map { $0.pointer.isEmpty ? "the body \($0.detail)" : "\($0.pointer): \($0.detail)" }
        return FormError(.invalidBody, detail: detail ?? "", errors: errors)
    }
}
