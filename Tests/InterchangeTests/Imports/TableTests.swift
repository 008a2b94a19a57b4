import Foundation
import Interchange
import Testing

/// Tables as spreadsheets and shops write them.
@Suite struct TableTests {
    /// The rows of a table as texts, with its errors and notes, however the bytes are split.
    private func read(_ bytes: [UInt8]) throws -> (rows: [String], notes: [String]) {
        var answers: [([String], [String])] = []
        for size in [1, 3, bytes.count + 1] {
            var reader = CSVReader(Synonyms(.people))
            var rows: [ImportRow] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                rows += try reader.read(bytes[start..<min(start + size, bytes.count)])
            }
            rows += try reader.finish()
            let texts = rows.map { row in
                switch row.members {
                case .success(let members):
                    members.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ")
                case .failure(let fault): "\(row.number) \(fault.detail)"
                }
            }
            answers.append((texts, reader.notes))
        }
        #expect(answers.allSatisfy { $0 == answers[0] }, "however the file is cut: \(answers)")
        return answers[0]
    }

    private func text(_ value: JSON) -> String { if case .text(let text) = value { text } else { "?" } }

    @Test(
        "The delimiter of columns is recognized by the header",
        arguments: [
            ("id,name\na,b;c\n", ["id=a name=b;c"], []),
            ("id;name\r\na;b,c\r\n", ["id=a name=b,c"], ["columns were read as separated by semicolons"]),
            ("id\tname\na\tb, c;d\n", ["id=a name=b, c;d"], ["columns were read as separated by tabs"]),
            (
                "\n\r\nid;name\na;\"b;\n\"\"c\"", ["id=a name=b;\n\"c"],
                ["columns were read as separated by semicolons"]
            ),
            ("\"x;y;z\",id\n1,a\n", ["id=a x;y;z=1"], []), ("a;b,c\n1;2,3\n", ["a;b=1;2 c=3"], []),
            ("id\na;b\n", ["id=a;b"], []),
            ("\u{feff}\"id\";name\na;b", ["id=a name=b"], ["columns were read as separated by semicolons"]),
        ])
    func delimiter(table: String, rows: [String], notes: [String]) throws {
        let found = try read(Array(table.utf8))
        #expect(found.rows == rows && found.notes == notes, "\(found)")
    }

    @Test(
        "Files that were joined are read: headers that are repeated, and byte order marks",
        arguments: [
            ("id,name\na,b\nid,name\nc,d\n", ["id=a name=b", "id=c name=d"], 1),
            ("id,name\r\na,b\r\n\u{feff}\"id\",\"name\"\r\nc,d\r\n", ["id=a name=b", "id=c name=d"], 1),
            ("id,name\na,b\n\u{feff}\"c\",d\n\u{feff}e,f\n", ["id=a name=b", "id=c name=d", "id=e name=f"], 0),
            ("id,name\nid,name\nid, name \nid,b", ["id=id name=b"], 2), ("id,name\na,b\n\u{feff}", ["id=a name=b"], 0),
            ("id,name\nID,name\n", ["id=ID name=name"], 0), ("id\na\nï", ["id=a", "id=ï"], 0),
        ])
    func joined(table: String, rows: [String], repeated: Int) throws {
        let found = try read(Array(table.utf8))
        let notes = repeated == 0 ? [] : ["rows that repeat the header, which were not read: \(repeated)"]
        #expect(found.rows == rows && found.notes == notes, "\(found)")
    }

    @Test(
        "A text that a formula keeps for Excel is read",
        arguments: [
            ("=\"00123\"", "00123"), ("\"=\"\"08001\"\"\"", "08001"), ("=\"\"", ""), ("=1+1", "=1+1"),
            ("=\"a\"&\"b\"", "=\"a\"&\"b\""), ("'=\"1\"", "=\"1\""),
        ])
    func texts(cell: String, text: String) throws {
        #expect(try read(Array("id,name\na,\(cell)\n".utf8)).rows == ["id=a name=\(text)"])
    }

    @Test("Text that is not UTF-8 is read as Windows-1252, with a note") func windows1252() throws {
        let found = try read(
            Array("id;name\na;B\n1;Mu".utf8) + [0xf1] + Array("oz ".utf8) + [0x80] + Array("5\n2;".utf8) + [0x8c, 0x0a])
        #expect(found.rows == ["id=a name=B", "id=1 name=Muñoz €5", "id=2 name=Œ"])
        #expect(found.notes.last == "row 3 is not UTF-8: texts were read as Windows-1252 from there on")
        let header = try read([0x61, 0xf1, 0x6f, 0x0a, 0x31])
        #expect(header.rows == ["año=1"])
    }

    @Test("A row in another encoding than the rows before it is refused") func mixedEncodings() throws {
        let latin: [UInt8] = [0xe9, 0x0a]
        #expect(try read(Array("id\né\n".utf8) + latin + Array("b".utf8)).rows == ["id=é", "3 is not UTF-8", "id=b"])
        #expect(
            try read(Array("id\n".utf8) + latin + Array("é\nb".utf8)).rows
                == ["id=é", "3 is UTF-8, but a row before it is Windows-1252", "id=b"])
        #expect(try read(Array("id\n".utf8) + [0xe9, 0x81, 0x0a]).rows == ["2 is neither UTF-8 nor Windows-1252"])
    }
}
