internal import Foundation
internal import Geo
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Interchange

extension Call {
    /// Returns the format that `Accept` prefers (RFC 9110, 12.5.1); the first of equally good ones, also without
    /// `Accept`.
    ///
    /// - Throws: ``Problem`` with status 406, which names the possible types, when none is accepted.
    func accepted<Form: AnswerForm>(of forms: [Form]) throws(Problem) -> Form {
        let ranges = request.headers[values: .accept].flatMap { $0.listItems }.map(MediaRange.init)
        let weights = forms.map { form in ranges.isEmpty ? 1 : MediaRange.weight(of: form.mediaType, in: ranges) }
        guard let best = weights.max(), best > 0, let index = weights.firstIndex(of: best) else {
            let types = forms.map(\.mediaType).joined(separator: ", ")
            throw Problem(.notAcceptable, detail: "'Accept' names none of the possible formats: \(types).")
        }
        return forms[index]
    }
}

extension String {
    /// The items of a header that is a list; those after the first 64 are ignored.
    var listItems: ArraySlice<Substring> { split(separator: ",", maxSplits: 64).prefix(64) }
}

/// A media range of an `Accept` header.
private struct MediaRange {
    let type: Substring
    let subtype: Substring
    let weight: Double

    init(_ text: Substring) {
        let parts = text.lowercased().split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces)[...] }
        let names = (parts.first ?? "").split(separator: "/", maxSplits: 1)
        type = names.first ?? ""
        subtype = names.count == 2 ? names[1] : ""
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2).decimalNumber ?? 0 }
        self.weight = weight ?? 1
    }

    /// The weight of the most specific range that matches a type; 0 if none matches.
    static func weight(of mediaType: String, in ranges: [MediaRange]) -> Double {
        ranges.compactMap { range in range.closeness(to: mediaType).map { (closeness: $0, weight: range.weight) } }
            .max { $0 < $1 }?.weight ?? 0
    }

    /// How specifically the range matches a type; nil if it does not.
    private func closeness(to mediaType: String) -> Int? {
        let names = mediaType.split(separator: "/")
        if type == names[0], subtype == names[1] { return 2 }
        guard subtype == "*" else { return nil }
        return type == names[0] ? 1 : type == "*" ? 0 : nil
    }
}
