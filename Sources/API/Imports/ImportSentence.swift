internal import HTTPTypes
public import Interchange

extension ImportSession {
    /// The reason why an import ended early, as a sentence.
    public static func sentence(for error: any Error) -> String {
        if let broken = error as? BrokenImport { return "\(sentence(for: broken.cause)) \(broken.progress)" }
        let problem = Problem(error)
        return problem.detail ?? (problem.status.code < 500 ? problem.code.rawValue : "\(error)")
    }
}
