internal import Model
internal import Structures

/// The comments of the live picture, which knows who wrote where and when; what they say is in the database.
struct Comments: Sendable {
    /// By number; nil for those that are gone.
    private var entries: ContiguousArray<PlaceComment?> = []
    private var numbers: [CommentID: CommentNumber] = [:]
    /// In the order in which they were made.
    private var ofPlaces: [PlaceNumber: SortedNumbers<CommentNumber>] = [:]
    private var ofAuthors: [PersonNumber: SortedNumbers<CommentNumber>] = [:]

    var nextNumber: CommentNumber { CommentNumber(entries.count) }

    subscript(number: CommentNumber) -> PlaceComment? {
        entries.indices.contains(Int(number)) ? entries[Int(number)] : nil
    }

    subscript(id: CommentID) -> PlaceComment? { numbers[id].flatMap { self[$0] } }

    /// The numbers of the comments at a place before one, or all for nil, oldest first.
    func numbers(at place: PlaceNumber, before number: CommentNumber? = nil) -> ArraySlice<CommentNumber> {
        ofPlaces[place]?.before(number) ?? []
    }

    /// How many somebody wrote.
    func count(by author: PersonNumber) -> Int { ofAuthors[author]?.count ?? 0 }

    /// Gives no number below this one from now on.
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

    /// The numbers of the comments by a person, oldest first.
    func numbers(by author: PersonNumber) -> [CommentNumber] { ofAuthors[author]?.numbers ?? [] }

    /// Takes out the comments at a place that was deleted.
    ///
    /// - Complexity: O(comments) and what moves where an author has newer ones elsewhere.
    mutating func forget(place: PlaceNumber) {
        // The last of a list is taken out without moving any.
        for number in (ofPlaces.removeValue(forKey: place)?.numbers ?? []).reversed() { remove(number) }
    }

    /// Takes out the comments of a person who was deleted.
    ///
    /// - Complexity: O(comments) and what moves where a place has newer ones by others.
    mutating func forget(author: PersonNumber) {
        for number in (ofAuthors.removeValue(forKey: author)?.numbers ?? []).reversed() { remove(number) }
    }
}

extension Dictionary {
    /// Takes a number out of those that belong to a key, and the key when none is left.
    mutating func remove<Number>(_ number: Number, of key: Key) where Value == SortedNumbers<Number> {
        self[key]?.remove(number)
        if self[key]?.isEmpty ?? false { self[key] = nil }
    }
}
