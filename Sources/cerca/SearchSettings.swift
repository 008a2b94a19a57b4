internal import Foundation
internal import Model
internal import Normaliser

extension Settings {
    /// The words for products, including the configured file, and their forms in the configured languages.
    var lexicon: Lexicon {
        get throws {
            var lexicon = Lexicon()
            lexicon.inflection = Inflection(try languages)
            let path = try text("words")
            guard !path.isEmpty else { return lexicon }
            guard let table = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw SettingsError("words: \(path) cannot be read as UTF-8")
            }
            do throws(Lexicon.LineError) { try lexicon.add(table) } catch {
                throw SettingsError("words: line \(error.line) of \(path) \(error)")
            }
            return lexicon
        }
    }

    private var languages: [Language] {
        get throws {
            try text("search.languages").split(separator: ",").map { part in
                let code = part.trimmingCharacters(in: .whitespaces)
                guard let language = Language(rawValue: code) else {
                    let codes = Language.allCases.map(\.rawValue).joined(separator: ", ")
                    throw SettingsError("search.languages: '\(code)' is not one of \(codes)")
                }
                return language
            }
        }
    }
}
