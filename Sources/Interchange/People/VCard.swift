public import Model

/// A person as a vCard 4.0 (RFC 6350) for address books.
public enum VCard {
    /// The media type.
    public static let type = "text/vcard"
    /// Maximum size of a line in bytes (RFC 6350, 3.2).
    private static let longestLine = 75

    /// The card of a person with the fields that are present, so that hidden fields are left out.
    public static func of(_ person: Person) -> [UInt8] {
        let names = [person.surname ?? "", person.name ?? ""].map(escaped)
        let full = [person.name, person.surname].compactMap(\.self).joined(separator: " ")
        var lines = ["BEGIN:VCARD", "VERSION:4.0", "UID;VALUE=text:\(escaped(person.id.text))"]
        lines.append("FN:\(escaped(full.isEmpty ? person.id.text : full))")
        if !full.isEmpty { lines.append("N:\(names[0]);\(names[1]);;;") }
        if let born = person.born { lines.append("BDAY:\(born.description.filter { $0 != "-" })") }
        if let email = person.email { lines.append("EMAIL:\(escaped(email))") }
        if let phone = person.phone { lines.append("TEL;VALUE=text:\(escaped(phone))") }
        // A URI is not escaped.
        if let photo = person.photo { lines.append("PHOTO:\(photo.filter { !$0.isNewline })") }
        if let city = person.city { lines.append("ADR:;;;\(escaped(city));;;") }
        if let about = person.about { lines.append("NOTE:\(escaped(about))") }
        lines.append("END:VCARD")
        return lines.flatMap(folded)
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\", ",", ";": "\\\(character)"
            case _ where character.isNewline: "\\n"
            default: String(character)
            }
        }.joined()
    }

    /// A line with its end, folded before ``longestLine`` without splitting a character.
    private static func folded(_ line: String) -> [UInt8] {
        var (bytes, length): ([UInt8], Int) = ([], 0)
        for scalar in line.unicodeScalars {
            let encoded = Array(String(scalar).utf8)
            if length + encoded.count > longestLine {
                bytes += Array("\r\n ".utf8)
                length = 1
            }
            bytes += encoded
            length += encoded.count
        }
        return bytes + Array("\r\n".utf8)
    }
}
