/// A fault of a key file or certificate: its content or its permissions.
public struct KeyFileError: Error, Hashable, CustomStringConvertible {
    /// The file and the reason, as a sentence.
    public let description: String

    init(_ path: String, _ reason: String) { description = "\(path): \(reason)" }
}
