internal import CStemmer

/// A Snowball stemmer (<https://snowballstem.org>) of a language.
///
/// The library's objects are not thread-safe, so each use creates one, which takes about a microsecond.
struct Stemmer: ~Copyable {
    private let stemmer: OpaquePointer

    /// Creates a stemmer; nil if the installed library does not have the language.
    init?(_ language: Language) {
        guard let stemmer = sb_stemmer_new(language.rawValue, nil) else { return nil }
        self.stemmer = stemmer
    }

    deinit { sb_stemmer_delete(stemmer) }

    /// The stem of a word in lowercase.
    ///
    /// - Complexity: O(length).
    borrowing func stem(of word: String) -> String {
        var word = word
        return word.withUTF8 { bytes in
            guard let stem = sb_stemmer_stem(stemmer, bytes.baseAddress, CInt(bytes.count)) else {
                return String(decoding: bytes, as: UTF8.self)
            }
            let length = Int(sb_stemmer_length(stemmer))
            return String(decoding: UnsafeBufferPointer(start: stem, count: length), as: UTF8.self)
        }
    }
}
