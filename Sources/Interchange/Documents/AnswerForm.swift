/// A response format that a caller can choose.
package protocol AnswerForm: CaseIterable, Sendable {
    /// The media type, without parameters.
    var mediaType: String { get }
}
