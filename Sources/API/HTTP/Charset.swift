internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

extension Call {
    /// The charsets of files that are read; the bytes show which of them it is.
    private static let charsets: Set = [
        "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "windows-1252", "cp1252", "iso-8859-1",
        "latin1",
    ]

    /// The charset in the media type of the body, in lowercase; nil for none.
    private var charset: String? {
        let parameters = request.headers[.contentType]?.split(separator: ";").dropFirst() ?? []
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"'")).lowercased()
        }
        return nil
    }

    /// - Throws: ``Problem`` if the body is a file in a charset that is not read; XML names its own.
    func expectCharset() throws(Problem) {
        guard let charset, !Self.charsets.contains(charset), !(contentType?.hasSuffix("xml") ?? false) else { return }
        throw Problem(
            .unsupportedMediaType,
            detail: "The body must be in UTF-8, UTF-16 or Windows-1252; its charset is '\(charset.prefix(40))': "
                + "convert it first with 'iconv -f \(charset.prefix(40)) -t utf-8 IN > OUT'.")
    }
}
