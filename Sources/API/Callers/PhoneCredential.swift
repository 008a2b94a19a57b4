internal import Foundation
internal import Model

/// The place of the device token in a request, which differs between phone apps.
package enum PhoneCredential {
    /// The token of a request, from its `Authorization` or the query parameter `token`; nil if there is none.
    ///
    /// It is the token of `Bearer`; the password of `Basic`; Overland's `Basic`, which is not base64 and ends with a
    /// colon; or else the parameter.
    package static func token(authorization: String?, query: String?) -> String? {
        guard let authorization else { return query }
        let words = authorization.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0].lowercased() {
        case "bearer": return words[1]
        case "basic":
            guard !words[1].hasSuffix(":") else { return String(words[1].dropLast()) }
            let pair = Data(base64Encoded: words[1]).map { String(decoding: $0, as: UTF8.self) }
            guard pair?.isStreamSafe ?? true else { return nil }
            return pair.flatMap { pair in
                pair.firstIndex(of: ":").map { String(pair[pair.index(after: $0)...]) }
            }
        default: return nil
        }
    }
}
