internal import Model
internal import Structures

/// The comments in memory, by place and author; their texts are only in the database.
struct Comments: Sendable {
    /// By number; nil for deleted comments.
    private var entries: ContiguousArray<PlaceComment?> = []
    private var numbers: [CommentID: CommentNumber] = [:]
    /// In the order of creation.
    private var ofPlaces: [PlaceNumber: SortedNumbers<CommentNumber>] = [:]
    private var ofAuthors: [PersonNumber: SortedNumbers<CommentNumber>] = [:]

    var nextNumber: CommentNumber { CommentNumber(entries.count) }

    subscript(number: CommentNumber) -> PlaceComment? {
        entries.indices.contains(Int(number)) ? entries[Int(number)] : nil
    }

    subscript(id: CommentID) -> PlaceComment? { numbers[id].flatMap { self[$0] } }

    /// The numbers of a place's comments before a number, or all for nil, oldest first.
    func numbers(at place: PlaceNumber, before number: CommentNumber? = nil) -> ArraySlice<CommentNumber> {
        ofPlaces[place]?.before(number) ?? []
    }

    func count(by author: PersonNumber) -> Int { ofAuthors[author]?.count ?? 0 }

    /// Ensures that new numbers start at `number` or above.
    mutating func skip(to number: CommentNumber) {
        entries.append(contentsOf: repeatElement(nil, count: max(0, Int(number) - entries.count)))
    }

    mutating func put(_ comment: PlaceComment) {
        let missing = Int(comment.number) + 1 - entries.count
        if missing > 0 { entries.append(contentsOf: repeatElement(nil, count: missing)) }
        entries[Int(comment.number)] = comment
        numbers[comment.id] = comment.number
        ofPlaces[comment.place, default: SortedNumbers()].insert(comment.number)
        ofAuthors[comment.author, default: SortedNumbers()].insert(comment.number)
    }

    mutating func remove(_ number: CommentNumber) {
        guard let comment = self[number] else { return }
        entries[Int(number)] = nil
        numbers[comment.id] = nil
        ofPlaces.remove(number, of: comment.place)
        ofAuthors.remove(number, of: comment.author)
    }

    /// The numbers of an author's comments, oldest first.
    func numbers(by author: PersonNumber) -> [CommentNumber] { ofAuthors[author]?.numbers ?? [] }

    /// Removes the comments on a deleted place.
    ///
    /// - Complexity: O(comments), plus the elements that move in lists of authors with newer comments elsewhere.
    mutating func forget(place: PlaceNumber) {
        // Removing the last element of a list moves no others.
        for number in (ofPlaces.removeValue(forKey: place)?.numbers ?? []).reversed() { remove(number) }
    }

    /// Removes the comments of a deleted person.
    ///
    /// - Complexity: O(comments), plus the elements that move in lists of places with newer comments by others.
    mutating func forget(author: PersonNumber) {
        for number in (ofAuthors.removeValue(forKey: author)?.numbers ?? []).reversed() { remove(number) }
    }
}

extension Dictionary {
    /// Removes a number from a key's list, and the key once its list is empty.
    mutating func remove<Number>(_ number: Number, of key: Key) where Value == SortedNumbers<Number> {
        self[key]?.remove(number)
        if self[key]?.isEmpty ?? false { self[key] = nil }
    }
}
