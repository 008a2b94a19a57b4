/// Why an input was rejected: a body, a file, or a row of a file.
package struct FormError: Error {
    package enum Code {
        case invalidJSON
        /// The input is valid JSON but not the expected document.
        case invalidBody
        case invalidParameter
        /// The input is larger than the limit.
        case bodyTooLarge
        /// The input has more pings than one request may contain.
        case batchTooLarge
    }

    package var code: Code
    /// The error as a sentence.
    package var detail: String
    /// The errors of single fields.
    package var errors: [FieldError] = []

    package init(_ code: Code, detail: String, errors: [FieldError] = []) {
        self.code = code
        self.detail = detail
        self.errors = errors
    }

    /// The error of invalid fields, of which there must be at least one.
    package static func invalid(_ errors: [FieldError]) -> FormError {
        // An unknown field may be a misspelling of the required one, so its message is more useful.
        let unknown = errors.first?.code == .required ? errors.first { $0.code == .unknown } : nil
        let first = unknown ?? errors.first
        let detail = first.map { $0.pointer.isEmpty ? "the body \($0.detail)" : "\($0.pointer): \($0.detail)" }
        return FormError(.invalidBody, detail: detail ?? "", errors: errors)
    }
}
