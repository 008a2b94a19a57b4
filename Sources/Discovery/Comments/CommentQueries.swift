internal import Geo
public import Model
internal import Storage
internal import Structures

/// A comment with what readers are told of its author.
public struct CommentShown: Sendable {
    /// The comment, without its words.
    public var comment: PlaceComment
    /// The id of who wrote it.
    public var author: PersonID
    /// The given name of who wrote it; nil if not given.
    public var authorName: String?
}

/// A comment with its words.
public struct CommentWithText: Sendable {
    /// All but the words.
    public var shown: CommentShown
    /// The words, which only the storage keeps.
    public var text: String

    /// A comment of which the words are known.
    public init(_ shown: CommentShown, _ text: String) {
        self.shown = shown
        self.text = text
    }
}

/// Some comments of a place.
public struct CommentPage: Sendable {
    /// Newest first.
    public var comments: [CommentWithText]
    /// The number of the last one, if there are more; a page goes on before it.
    public var next: CommentNumber?
    /// How many the reader can see in all, if that was asked for.
    public var count: Int?
}

extension Live {
    /// The newest comments at a place that a caller may see, of those before a number; nil for all.
    ///
    /// Who is separated from an author by a block sees nothing of the comment, nor counts it, nor is charged for it.
    /// When the deletion of the author has begun only services see it.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    /// - Complexity: O(limit + comments left out); with the count, for somebody with blocks, O(comments at the place).
    public func comments(
        at id: PlaceID, for caller: Caller, before: CommentNumber?, limit: Int, counting: Bool
    ) async throws -> CommentPage {
        let (all, rest, seesAll) = try read { picture throws(Refusal) in
            let place = try picture.placeNumber(id)
            let viewer = picture.viewer(of: caller)
            return (
                picture.comments.numbers(at: place), picture.comments.numbers(at: place, before: before),
                viewer.map { viewer in
                    viewer.ties.blocks.isEmpty && viewer.ties.blockedBy.isEmpty && picture.people.leaving.isEmpty
                } ?? true
            )
        }
        let found = try await Effort.unchargedTask {
            try await read(each: rest.reversed(), costing: 10, atMost: limit + 1) { picture, number in
                picture.comments[number].flatMap { comment in
                    picture.isHidden(comment.author, from: picture.viewer(of: caller)) ? nil : picture.show(comment)
                }
            }
        }
        Effort.charge(10 * found.count)
        let shown = found.prefix(limit)
        var page = CommentPage(comments: try await withText(shown))
        page.next = found.count > limit ? shown.last?.comment.number : nil
        guard counting, !seesAll else {
            page.count = counting ? all.count : nil
            Effort.charge(5 * (page.count ?? 0))
            return page
        }
        let seen = try await Effort.unchargedTask {
            try await read(each: all, costing: 5) { picture, number in
                picture.isHidden(picture.comments[number]?.author, from: picture.viewer(of: caller)) ? nil : number
            }
        }
        Effort.charge(5 * seen.count)
        page.count = seen.count
        return page
    }

    /// A comment at a place with its words, if the caller may see it.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or ``StorageError``.
    public func comment(_ id: CommentID, at place: PlaceID, for caller: Caller) async throws -> CommentWithText {
        try await withText(read { picture throws(Refusal) in try picture.comment(id, at: place, for: caller) })
    }

    /// A comment with its words.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` if it was deleted meanwhile, or ``StorageError``.
    public func withText(_ shown: CommentShown) async throws -> CommentWithText {
        guard let comment = try await withText([shown]).first else {
            throw Refusal.unknown(.comment, shown.comment.id.any)
        }
        return comment
    }

    /// Those that were deleted meanwhile have no words any more and are left out.
    private func withText(_ shown: ArraySlice<CommentShown>) async throws(StorageError) -> [CommentWithText] {
        let texts = try await store.texts(ofComments: shown.map(\.comment.number))
        return shown.compactMap { shown in texts[shown.comment.number].map { CommentWithText(shown, $0) } }
    }
}

/// What is shown of comments on places, and to whom.
extension Picture {
    /// A comment at a place, if the caller may see it.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func comment(_ id: CommentID, at place: PlaceID, for caller: Caller) throws(Refusal) -> CommentShown {
        let number = try placeNumber(place)
        guard let comment = comments[id], comment.place == number, !isHidden(comment.author, from: viewer(of: caller))
        else { throw .unknown(.comment, id.any) }
        return show(comment)
    }

    func show(_ comment: PlaceComment) -> CommentShown {
        CommentShown(
            comment: comment, author: ID(known: people.ids.id(of: comment.author.rawValue)),
            authorName: people[comment.author]?.person.name)
    }

    fileprivate func viewer(of caller: Caller) -> PersonState? {
        switch caller {
        case .service: nil
        case .person(let id): people.state(of: id)
        }
    }

    fileprivate func isHidden(_ author: PersonNumber?, from viewer: PersonState?) -> Bool {
        guard let author else { return true }
        guard let viewer else { return false }
        return viewer.isSeparated(from: author) || people.isLeaving(author)
    }

    func placeNumber(_ id: PlaceID) throws(Refusal) -> PlaceNumber {
        guard let number = catalogue.placeIndex.number(of: id) else { throw .unknown(.place, id.any) }
        return number
    }
}
