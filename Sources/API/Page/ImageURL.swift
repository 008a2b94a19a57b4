/// The URL of another server's images, checked so that its origin is one source of a content security policy.
struct ImageURL {
    /// The parts; the host may begin with `{s}.`, the port with its colon and the path with its slash may be empty.
    let scheme, host, port, path: String

    /// A fault of a URL.
    enum Fault: Error {
        /// Not a URL of the web, or one with a character that has a meaning in a policy.
        case malformed
        /// `http` to another machine.
        case insecure

        /// The fault in words, with an example of a right URL.
        func detail(of text: String, unlike example: String) -> String {
            switch self {
            case .malformed: "is '\(text)', which is not a URL such as \(example)"
            case .insecure: "is '\(text)'; http is only for this machine, others need https"
            }
        }
    }

    /// - Throws: ``Fault``.
    init(_ text: String) throws(Fault) {
        let url = #/(https?):\/\/((?:\{s\}\.)?[a-z0-9](?:[a-z0-9.\-]*[a-z0-9])?|\[::1\])(:[0-9]{1,5})?(\/[!-~]*)?/#
        guard !text.contains(#/[*;,\\"'<>#\s]/#), let parts = text.wholeMatch(of: url),
            parts.3.map({ UInt16($0.dropFirst()) != nil }) ?? true
        else { throw .malformed }
        (scheme, host) = (String(parts.1), String(parts.2))
        (port, path) = (String(parts.3 ?? ""), String(parts.4 ?? ""))
        guard scheme == "https" || ["localhost", "127.0.0.1", "[::1]"].contains(host) else { throw .insecure }
    }

    /// The origin, as a policy names it.
    var origin: String { "\(scheme)://\(host)\(port)" }
}
