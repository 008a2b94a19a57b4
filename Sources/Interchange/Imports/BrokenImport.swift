/// An import that could not continue, with its progress.
package struct BrokenImport: Error {
    package let cause: any Error
    package let done: Int
    package let refused: Int
    package let isDry: Bool

    /// The progress as a sentence.
    package var progress: String {
        "Before that \(done) rows were \(isDry ? "checked" : "done") and \(refused) refused."
    }
}
