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
            return password(ofBasic: words[1])
        default: return nil
        }
    }

    /// The password in credentials of `Basic` (RFC 7617); nil if they are malformed.
    static func password(ofBasic coded: String) -> String? {
        guard let pair = Data(base64Encoded: coded).map({ String(decoding: $0, as: UTF8.self) }), pair.isStreamSafe,
            let colon = pair.firstIndex(of: ":")
        else { return nil }
        return String(pair[pair.index(after: colon)...])
    }
}
