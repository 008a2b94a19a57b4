public import Model

/// A person as address books take them: a vCard of version 4.0 (RFC 6350).
public enum VCard {
    /// Its media type.
    public static let type = "text/vcard"
    /// No line is longer, in bytes (RFC 6350, 3.2).
    private static let longestLine = 75

    /// The card of a person, with what is known of them: an answer that shows less makes a card with less.
    public static func of(_ person: Person) -> [UInt8] {
        let names = [person.surname ?? "", person.name ?? ""].map(escaped)
        let full = [person.name, person.surname].compactMap(\.self).joined(separator: " ")
        var lines = ["BEGIN:VCARD", "VERSION:4.0", "UID;VALUE=text:\(escaped(person.id.text))"]
        lines.append("FN:\(escaped(full.isEmpty ? person.id.text : full))")
        if !full.isEmpty { lines.append("N:\(names[0]);\(names[1]);;;") }
        if let born = person.born { lines.append("BDAY:\(born.description.filter { $0 != "-" })") }
        if let email = person.email { lines.append("EMAIL:\(escaped(email))") }
        if let phone = person.phone { lines.append("TEL;VALUE=text:\(escaped(phone))") }
        // An address is written as it is.
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

    /// A line with its end; what is too long goes on after a line break and a space, and no character is cut.
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
