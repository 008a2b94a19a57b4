import Interchange
import Model
import Testing

/// Export of a person as a vCard.
@Suite struct VCardTests {
    private func card(_ change: (inout Person) throws -> Void) throws -> String {
        var person = Person(id: try ID("ana"))
        try change(&person)
        return String(decoding: VCard.of(person), as: UTF8.self)
    }

    @Test("A card has every known field") func fields() throws {
        let card = try card { person in
            (person.name, person.surname, person.city) = ("Ana", "Esteve; Oliva", "Valencia")
            (person.email, person.phone) = ("ana@people.example", "+34 600 000 001")
            (person.photo, person.about) = ("https://people.example/a,b.jpg", "Surf,\nwhen there are waves")
            person.born = CalendarDate(year: 1997, month: 3, day: 13)
        }
        #expect(
            card.split(separator: "\r\n").map(String.init) == [
                "BEGIN:VCARD", "VERSION:4.0", "UID;VALUE=text:ana", #"FN:Ana Esteve\; Oliva"#,
                #"N:Esteve\; Oliva;Ana;;;"#,
                "BDAY:19970313", "EMAIL:ana@people.example", "TEL;VALUE=text:+34 600 000 001",
                "PHOTO:https://people.example/a,b.jpg", "ADR:;;;Valencia;;;", #"NOTE:Surf\,\nwhen there are waves"#,
                "END:VCARD",
            ])
    }

    @Test("A person without a name appears by id") func withoutName() throws {
        #expect(try card { _ in } == "BEGIN:VCARD\r\nVERSION:4.0\r\nUID;VALUE=text:ana\r\nFN:ana\r\nEND:VCARD\r\n")
    }

    @Test("Long lines are folded between characters") func folding() throws {
        let about = String(repeating: "ñandú ", count: 60)
        let card = try card { $0.about = about }
        #expect(card.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(card.replacing("\r\n ", with: "").contains("NOTE:\(about)\r\n"))
    }
}
