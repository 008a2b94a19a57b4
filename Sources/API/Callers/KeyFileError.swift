/// What is wrong with a file of keys, a certificate, or who may read it.
public struct KeyFileError: Error, Hashable, CustomStringConvertible {
    /// The file and the reason, as a sentence.
    public let description: String

    init(_ path: String, _ reason: String) { description = "\(path): \(reason)" }
}
