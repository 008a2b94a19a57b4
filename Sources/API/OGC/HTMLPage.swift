internal import HTTPTypes
internal import Interchange

/// Pages that show a JSON document, and load and run nothing.
struct HTMLPage {
    let title: String
    /// The beginning of URLs that become links.
    let base: String

    private static let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    func answer(of json: JSON) -> Answer {
        let title = Self.escaped(title)
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(title)</title></head>
            <body><h1>\(title)</h1>
            \(element(json))
            </body>
            </html>

            """
        var answer = Answer(headers: [.contentType: "text/html; charset=utf-8"], body: Array(text.utf8))
        answer.headers[.contentSecurityPolicy] = Self.policy
        answer.headers[.xContentTypeOptions] = "nosniff"
        for (name, value) in [("Referrer-Policy", "no-referrer"), ("X-Robots-Tag", "noindex, nofollow")] {
            if let name = HTTPField.Name(name) { answer.headers[name] = value }
        }
        return answer
    }

    /// The text without characters that have a meaning in HTML, for elements and quoted attributes.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private func element(_ json: JSON, areLinks: Bool = false) -> String {
        switch json {
        case .text(let text): Self.escaped(text)
        case .list(let items): "<ul>\(items.map { "<li>\(element($0, areLinks: areLinks))</li>\n" }.joined())</ul>"
        case .object(let members): (areLinks ? link(members) : nil) ?? list(members)
        case .null, .flag, .number: Self.escaped(String(decoding: Self.written(json), as: UTF8.self))
        }
    }

    private func list(_ members: [String: JSON]) -> String {
        let rows = members.sorted { $0.key < $1.key }.map { name, value in
            // The attributes of a place contain no objects, so a person cannot make links.
            "<dt>\(Self.escaped(name))</dt><dd>\(element(value, areLinks: name == "links"))</dd>\n"
        }
        return "<dl>\(rows.joined())</dl>"
    }

    /// The link that an object represents; nil for other objects, and for a URL of another server.
    private func link(_ members: [String: JSON]) -> String? {
        guard case .text(let url)? = members["href"], case .text(let relation)? = members["rel"],
            case .text(let type)? = members["type"], url.hasPrefix(base)
        else { return nil }
        let title = if case .text(let title)? = members["title"] { title } else { relation }
        return "<a href=\"\(Self.escaped(url))\">\(Self.escaped("\(title) (\(type))"))</a>"
    }

    private static func written(_ json: JSON) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(json)
        return writer.bytes
    }
}
