public import Model

/// Posts a comment on a place.
///
/// An id that exists already marks a repeated request.
public struct PostComment: Action {
    let id: CommentID, place: PlaceID, author: PersonID
    let text: String

    /// A comment of at most ``PlaceComment/longest`` bytes; its random id is an input, which keeps this deterministic.
    public init(id: CommentID, place: PlaceID, author: PersonID, text: String) {
        (self.id, self.place, self.author, self.text) = (id, place, author, text)
    }

    /// - Returns: the comment as stored now, and whether this action created it.
    public func apply(to draft: inout Draft) throws -> (comment: CommentShown, isNew: Bool) {
        let author = try draft.number(of: author)
        let place = try draft.state.placeNumber(place)
        if let comment = draft.state.comments[id] {
            guard comment.place == place, comment.author == author else { throw Refusal.conditionFailed }
            return (draft.state.show(comment), false)
        }
        try draft.refuse(.comment, after: draft.state.comments.count(by: author))
        let comment = PlaceComment(
            number: draft.state.comments.nextNumber, id: id, place: place, author: author, at: draft.received)
        try draft.write(.comments(.put(comment, text: text)))
        return (draft.state.show(comment), true)
    }
}

/// Replaces the text of a comment on a place.
public struct EditComment: Action {
    let id: CommentID, place: PlaceID
    let text: String
    let condition: Condition

    /// The new text, of at most ``PlaceComment/longest`` bytes.
    public init(_ id: CommentID, at place: PlaceID, text: String, if condition: Condition = .always) {
        (self.id, self.place, self.text, self.condition) = (id, place, text, condition)
    }

    /// - Returns: the comment as stored now.
    public func apply(to draft: inout Draft) throws -> CommentShown {
        var shown = try draft.state.comment(id, at: place, for: draft.caller)
        guard draft.caller.mayAct(for: shown.author) else { throw Refusal.notAllowed }
        shown.comment.revision = try draft.revision(after: shown.comment.revision, if: condition)
        shown.comment.editedAt = max(shown.comment.at, draft.received)
        try draft.write(.comments(.put(shown.comment, text: text)))
        return shown
    }
}

/// Deletes a comment on a place, on behalf of its author or the place's owner.
public struct DeleteComment: Action {
    let id: CommentID, place: PlaceID
    let condition: Condition

    /// The comment with this id.
    public init(_ id: CommentID, at place: PlaceID, if condition: Condition = .always) {
        (self.id, self.place, self.condition) = (id, place, condition)
    }

    /// Deletes the comment with its text.
    public func apply(to draft: inout Draft) throws {
        let shown = try draft.state.comment(id, at: place, for: draft.caller)
        let owner = draft.state.catalogue.placeIndex.record(of: place)?.value.owner
        guard draft.caller.mayAct(for: shown.author) || owner.map(draft.caller.mayAct) ?? false else {
            throw Refusal.notAllowed
        }
        _ = try draft.revision(after: shown.comment.revision, if: condition)
        try draft.write(.comments(.deleted(shown.comment.number)))
    }
}
