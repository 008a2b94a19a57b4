internal import Geo
public import Model
internal import Storage
internal import Structures

/// A comment with the visible details of its author.
public struct CommentShown: Sendable {
    /// The comment, without its text.
    public var comment: PlaceComment
    /// The author's id.
    public var author: PersonID
    /// The author's given name; nil if not given.
    public var authorName: String?
}

/// A comment with its text.
public struct CommentWithText: Sendable {
    /// The comment, without its text.
    public var shown: CommentShown
    /// The text, which is kept only in storage.
    public var text: String

    /// A comment with its loaded text.
    public init(_ shown: CommentShown, _ text: String) {
        self.shown = shown
        self.text = text
    }
}

/// A page of a place's comments.
public struct CommentPage: Sendable {
    /// Newest first.
    public var comments: [CommentWithText]
    /// The number of the last comment if there are more; the next page continues before it.
    public var next: CommentNumber?
    /// The number of comments visible to the reader, if requested.
    public var count: Int?
}

extension Engine {
    /// Returns the newest comments on a place that are visible to a caller, before a number; nil starts at the newest.
    ///
    /// Comments by an author separated from the caller by a block are neither shown, counted nor charged. Comments by
    /// an author whose deletion has begun are visible only to services.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    /// - Complexity: O(limit + comments left out); with the count, if the caller has blocks, O(comments on the place).
    public func comments(
        at id: PlaceID, for caller: Caller, before: CommentNumber?, limit: Int, counting: Bool
    ) async throws -> CommentPage {
        let (all, rest, seesAll) = try read { state throws(Refusal) in
            let place = try state.placeNumber(id)
            let viewer = state.viewer(of: caller)
            return (
                state.comments.numbers(at: place), state.comments.numbers(at: place, before: before),
                viewer.map { viewer in
                    viewer.ties.blocks.isEmpty && viewer.ties.blockedBy.isEmpty && state.people.leaving.isEmpty
                } ?? true
            )
        }
        let found = try await WorkBudget.unchargedTask {
            try await read(each: rest.reversed(), costing: 10, atMost: limit + 1) { state, number in
                state.comments[number].flatMap { comment in
                    state.isHidden(comment.author, from: state.viewer(of: caller)) ? nil : state.show(comment)
                }
            }
        }
        WorkBudget.charge(10 * found.count)
        let shown = found.prefix(limit)
        var page = CommentPage(comments: try await withText(shown))
        page.next = found.count > limit ? shown.last?.comment.number : nil
        guard counting, !seesAll else {
            page.count = counting ? all.count : nil
            WorkBudget.charge(5 * (page.count ?? 0))
            return page
        }
        let seen = try await WorkBudget.unchargedTask {
            try await read(each: all, costing: 5) { state, number in
                state.isHidden(state.comments[number]?.author, from: state.viewer(of: caller)) ? nil : number
            }
        }
        WorkBudget.charge(5 * seen.count)
        page.count = seen.count
        return page
    }

    /// Returns a comment on a place with its text, if it is visible to the caller.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or ``StorageError``.
    public func comment(_ id: CommentID, at place: PlaceID, for caller: Caller) async throws -> CommentWithText {
        try await withText(read { state throws(Refusal) in try state.comment(id, at: place, for: caller) })
    }

    /// Loads the text of a comment.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` if it was deleted in the meantime, or ``StorageError``.
    public func withText(_ shown: CommentShown) async throws -> CommentWithText {
        guard let comment = try await withText([shown]).first else {
            throw Refusal.unknown(.comment, shown.comment.id.any)
        }
        return comment
    }

    /// Comments deleted in the meantime have no text and are left out.
    private func withText(_ shown: ArraySlice<CommentShown>) async throws(StorageError) -> [CommentWithText] {
        let texts = try await store.texts(ofComments: shown.map(\.comment.number))
        return shown.compactMap { shown in texts[shown.comment.number].map { CommentWithText(shown, $0) } }
    }
}

/// Visibility of comments on places.
extension LiveState {
    /// Returns a comment on a place, if it is visible to the caller.
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
