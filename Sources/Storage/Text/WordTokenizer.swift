package import GRDB
internal import Model

/// The tokenizer of the text indexes: SQLite's `unicode61` applied to normalized text (``PlainText``, ``Bigrams``).
///
/// Connections that write documents or search for words need it; other programs can read all tables except the text
/// indexes.
package final class WordTokenizer: FTS5CustomTokenizer {
    package static let name = "cerca"

    /// The maximum number of bytes of a normalized document whose words are found, so that a commit takes bounded time.
    private static let longest = 8192

    private let words: any FTS5Tokenizer

    package init(db: Database, arguments: [String]) throws {
        // Marks are parts of letters: of accents `PlainText` leaves none.
        words = try db.makeTokenizer(.unicode61(diacritics: .remove, categories: "L* M* N* Co"))
    }

    package func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: CInt,
        tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        let bytes = UnsafeRawBufferPointer(start: pText, count: Int(nText))
        var plain = Bigrams.separated(
            PlainText.of(String(decoding: bytes, as: UTF8.self)), isQuery: tokenization.contains(.query))
        if plain.utf8.count > Self.longest { plain = Self.beginning(of: plain) }
        // The offsets of words are not stored.
        return plain.withUTF8 { plain in
            plain.withMemoryRebound(to: CChar.self) { plain in
                words.tokenize(
                    context: context, tokenization: tokenization, pText: plain.baseAddress, nText: CInt(plain.count),
                    tokenCallback: tokenCallback)
            }
        }
    }

    /// The whole words at the beginning of a text that is too long.
    private static func beginning(of text: String) -> String {
        let bytes = text.utf8.prefix(longest)
        let end = bytes.lastIndex { $0 == UInt8(ascii: " ") } ?? bytes.startIndex
        return String(text[..<end])
    }
}
