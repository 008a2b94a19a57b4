internal import Model
internal import Normaliser
internal import Storage

/// The stores of a service by name and address, for lists of stock that name shops in words.
struct StoreNames: Sendable {
    /// Number of places that a message names.
    private static let most = 5

    private var ids: Set<String> = []
    private var byWords: [String: [String]] = [:]
    /// The kinds of other places by name and address.
    private var kinds: [String: String] = [:]

    /// - Throws: ``StorageError`` if the store cannot be read.
    /// - Complexity: O(places).
    init(_ store: Store) async throws {
        var places = store.places()
        while let page = try await places.next() { for place in page { take(place) } }
    }

    private mutating func take(_ place: Place) {
        ids.insert(place.id.text)
        let address = place.address.map { [$0, "\(place.name) \($0)"] } ?? []
        for words in Set(([place.name] + address).map(Self.words)) where !words.isEmpty {
            if place.kind == "store" {
                byWords[words, default: []].append(place.id.text)
            } else {
                kinds[words] = place.kind
            }
        }
    }

    private static func words(_ text: String) -> String { PlainText.words(of: text).joined(separator: " ") }

    /// The id of the place that a text names by its id, name or address.
    ///
    /// - Returns: the text itself if it may be an id of a place that does not exist.
    /// - Throws: ``FormError`` for a text that names no place or several.
    func id(_ text: String) throws(FormError) -> String {
        if ids.contains(text) { return text }
        let found = byWords[Self.words(text)] ?? []
        if found.count == 1 { return found[0] }
        let kind = found.isEmpty ? kinds[Self.words(text)] : nil
        if found.isEmpty, kind == nil, (try? PlaceID(text)) != nil { return text }
        let detail =
            if let kind {
                "'\(text.shortened)' is a place of the kind '\(kind.shortened)', and no store"
            } else if found.isEmpty {
                "'\(text.shortened)' is not the id, name or address of a place"
            } else {
                "'\(text.shortened)' is the name or address of \(found.count) places: give an id, such as "
                    + found.prefix(Self.most).joined(separator: ", ")
            }
        throw .invalid([FieldError(pointer: "/store", code: .unknownReference, detail: detail)])
    }
}
