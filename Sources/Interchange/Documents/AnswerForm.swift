/// A form of an answer that a caller can choose.
package protocol AnswerForm: CaseIterable, Sendable {
    /// The media type, without parameters.
    var mediaType: String { get }
}
