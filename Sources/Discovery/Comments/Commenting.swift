internal import Geo
public import Model
internal import Structures

/// A comment with what readers are told of its author.
public struct CommentShown: Sendable {
    /// The comment, without its words.
    public var comment: PlaceComment
    /// The id of who wrote it.
    public var author: EntityID
    /// The given name of who wrote it; nil if not given.
    public var authorName: String?
}

/// Some comments of a place.
public struct CommentPage: Sendable {
    /// Newest first.
    public var comments: [CommentShown]
    /// How many the reader can see in all, if that was asked for.
    public var count: Int?
}

extension Live {
    /// The newest comments at a place that a caller may see, of those before a number; nil for all.
    ///
    /// Who is separated from an author by a block sees nothing of the comment, nor counts it.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, or `CancellationError`.
    /// - Complexity: O(limit + comments left out); with the count, for somebody with blocks, O(comments at the place).
    public func comments(
        at id: EntityID, for caller: Caller, before: Int32?, limit: Int, counting: Bool
    ) async throws -> CommentPage {
        let (all, rest, seesAll) = try read { picture throws(Refusal) in
            let place = try picture.placeNumber(id)
            let viewer = picture.viewer(of: caller)
            return (
                picture.comments.numbers(at: place), picture.comments.numbers(at: place, before: before),
                viewer.map { $0.blocks.isEmpty && $0.blockedBy.isEmpty } ?? true
            )
        }
        let page = try await read(each: rest.reversed(), costing: 10, atMost: limit) { picture, number in
            picture.comments[number].flatMap { comment in
                picture.isHidden(comment.author, from: picture.viewer(of: caller)) ? nil : picture.show(comment)
            }
        }
        guard counting, !seesAll else { return CommentPage(comments: page, count: counting ? all.count : nil) }
        let seen = try await read(each: all, costing: 5) { picture, number in
            picture.isHidden(picture.comments[number]?.author, from: picture.viewer(of: caller)) ? nil : number
        }
        return CommentPage(comments: page, count: seen.count)
    }
}

/// Comments on places: what is shown of them to whom, and what commands do.
extension Picture {
    /// A comment at a place, if the caller may see it.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    public func comment(_ id: EntityID, at place: EntityID, for caller: Caller) throws(Refusal) -> CommentShown {
        let number = try placeNumber(place)
        guard let comment = comments[id], comment.place == number, !isHidden(comment.author, from: viewer(of: caller))
        else { throw .unknown(.comment, id) }
        return show(comment)
    }

    fileprivate func show(_ comment: PlaceComment) -> CommentShown {
        CommentShown(
            comment: comment, author: EntityID(known: crowd.ids.id(of: comment.author)),
            authorName: crowd[comment.author]?.person.name)
    }

    fileprivate func viewer(of caller: Caller) -> PersonState? {
        switch caller {
        case .service: nil
        case .person(let id): crowd.state(of: id)
        }
    }

    fileprivate func isHidden(_ author: Int32?, from viewer: PersonState?) -> Bool {
        author.map { viewer?.isSeparated(from: $0) ?? false } ?? true
    }

    fileprivate func placeNumber(_ id: EntityID) throws(Refusal) -> Int32 {
        guard let number = catalogue.directory.number(of: id) else { throw .unknown(.place, id) }
        return number
    }

    // MARK: - Commands

    /// Makes, changes or deletes a comment.
    func commentChange(
        _ command: Command, _ allowance: Allowance
    ) throws(Refusal) -> (outcome: Outcome, changes: [Change]) {
        switch command.action {
        case .comment(let draft):
            return try commenting(draft, command, allowance)
        case .editComment(let id, let placeID, let text, let condition):
            var shown = try comment(id, at: placeID, for: command.caller)
            guard command.caller.mayAct(for: shown.author) else { throw .notAllowed }
            shown.comment.revision = try Self.revision(of: shown.comment.revision, condition, command.received)
            shown.comment.editedAt = max(shown.comment.at, command.received)
            return (.commented(shown, isNew: false), [.comment(shown.comment, text: text)])
        case .deleteComment(let id, let placeID, let condition):
            let shown = try comment(id, at: placeID, for: command.caller)
            let owner = catalogue.directory.record(of: placeID)?.value.owner
            guard command.caller.mayAct(for: shown.author) || owner.map(command.caller.mayAct) ?? false else {
                throw .notAllowed
            }
            _ = try Self.revision(of: shown.comment.revision, condition, command.received)
            return (.done, [.commentDeleted(shown.comment.number)])
        default: preconditionFailure("only what concerns comments comes here")
        }
    }

    /// A comment with an id that is there already is one that was sent again.
    private func commenting(
        _ draft: CommentDraft, _ command: Command, _ allowance: Allowance
    ) throws(Refusal) -> (outcome: Outcome, changes: [Change]) {
        guard command.caller.mayAct(for: draft.author) else { throw .notAllowed }
        guard let author = crowd.number(of: draft.author) else { throw .unknown(.person, draft.author) }
        let place = try placeNumber(draft.place)
        if let comment = comments[draft.id] {
            guard comment.place == place, comment.author == author else { throw .conditionFailed }
            return (.commented(show(comment), isNew: false), [])
        }
        try allowance.refuse(.comment, after: comments.count(by: author), of: command.caller)
        let comment = PlaceComment(
            number: comments.nextNumber, id: draft.id, place: place, author: author, at: command.received)
        return (.commented(show(comment), isNew: true), [.comment(comment, text: draft.text)])
    }
}

/// What somebody wants to say about a place.
public struct CommentDraft: Sendable {
    /// The id that the comment gets, drawn before so that nothing is left to chance here.
    public var id: EntityID
    /// The id of the place.
    public var place: EntityID
    /// The id of who writes.
    public var author: EntityID
    /// The words, at most ``PlaceComment/longest`` bytes.
    public var text: String

    /// A comment that is not made yet.
    public init(id: EntityID, place: EntityID, author: EntityID, text: String) {
        self.id = id
        self.place = place
        self.author = author
        self.text = text
    }
}
