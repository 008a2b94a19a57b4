internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model

/// People's comments on places.
struct CommentRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "Comments"
        let all = "/v1/places/{id}/comments"
        let text = Schema.prose(1...PlaceComment.longest)
        let comment = Schema.object([
            "id": .id, "author": .id, "author_name": .text(), "text": .text(), "at": .time, "edited_at": .time,
        ]).named("Comment")
        let form = Schema.form(["text": text, "author": .id], required: ["text"]).named("CommentForm")
        let patch = Schema.form(["text": text], required: ["text"]).named("CommentPatch")
        routes.on(
            .get, all, for: .known,
            .init(
                "Lists the comments on a place, newest first", as: "listComments",
                [Paging.limit, Paging.cursor, Self.fields, Self.count],
                answers: .page(of: comment, named: "Comment")), list)
        routes.on(
            .post, all, for: .known,
            .init(
                "Comments on a place", as: "createComment", takes: .json(form), headers: [.idempotencyKey],
                answers: .written(comment),
                problems: [.tooManyComments, .separated]), post)
        let one = "\(all)/{comment}"
        routes.on(
            .get, one, for: .known,
            .init("Returns a comment", as: "getComment", [Self.fields], answers: .document(comment)), get)
        routes.on(
            .patch, one, for: .known,
            .init(
                "Changes a comment", as: "changeComment", takes: .patch(patch), headers: [.conditions],
                answers: .written(comment)),
            self.patch)
        routes.act(
            .delete, one, for: .known, .init("Deletes a comment", as: "deleteComment", headers: [.conditions]),
            in: engine
        ) {
            try DeleteComment($0.id("comment"), at: $0.id("id"), if: $0.condition)
        }
    }

    private static let fields = Paging.fields(["id", "author", "author_name", "text", "at", "edited_at"])
    private static let count = Parameter.flag("count", "whether to return the total number of comments")

    @Sendable private func list(_ call: Call) async throws -> Answer {
        let id: PlaceID = try call.id("id")
        let limit = try call[Paging.limit]
        let columns = try call[Self.fields]
        let isCounting = try call[Self.count]
        let before: CommentNumber? = try seal.number(call)
        let page = try await engine.comments(
            at: id, for: call.caller, before: before, limit: limit, counting: isCounting)
        return PageAnswer(
            items: page.comments, cursor: try page.next.map { try seal.seal(number: $0, call) }, count: page.count,
            columns: columns, write: { $1.write(to: &$0, withName: true) }
        ).answer(to: call).unstored
    }

    @Sendable private func get(_ call: Call) async throws -> Answer {
        let (place, id): (PlaceID, CommentID) = (try call.id("id"), try call.id("comment"))
        let columns = try call[Self.fields]
        let comment = try await engine.comment(id, at: place, for: call.caller)
        let record = Versioned(
            number: Number(comment.shown.comment.number.any), revision: comment.shown.comment.revision, value: comment)
        return Document(record).answer(to: call, columns) { $1.write(to: &$0, withName: columns != nil) }.unstored
    }

    @Sendable private func post(_ call: Call) async throws -> Answer {
        let place: PlaceID = try call.id("id")
        let (author, text) = try Fields.read(await call.json()) { fields in
            let author: PersonID? =
                switch call.caller {
                case .person(let own) where !fields.has("author"): own
                case .service, .person: fields.id("author")
                }
            let text = fields.requiredText("text", longest: PlaceComment.longest)
            return author.flatMap { author in text.map { (author, $0) } }
        }
        let id: CommentID = try call.newID(of: author.text, place.text) { id in
            (try? engine.read { state throws(Refusal) in try state.comment(id, at: place, for: call.caller) }) != nil
        }
        let comment = PostComment(id: id, place: place, author: author, text: text)
        let (shown, isNew) = try await engine.perform(comment, for: call)
        guard !isNew else {
            return CommentWithText(shown, text).answer(.created)
                .locating("places", place.text, "comments", shown.comment.id.text)
        }
        let known = try await engine.withText(shown)
        guard known.text == text || shown.comment.editedAt != nil else {
            throw Problem.keyReused(forAnother: "comment here")
        }
        return known.answer(.ok)
    }

    @Sendable private func patch(_ call: Call) async throws -> Answer {
        let (place, id): (PlaceID, CommentID) = (try call.id("id"), try call.id("comment"))
        let text = try Fields.read(await call.mergePatch()) {
            $0.requiredText("text", longest: PlaceComment.longest)
        }
        let shown = try await engine.perform(EditComment(id, at: place, text: text, if: call.condition), for: call)
        return CommentWithText(shown, text).answer(.ok)
    }
}

extension CommentWithText {
    fileprivate func write(to json: inout JSONWriter, withName: Bool) {
        json.member("id", shown.comment.id.text)
        json.member("author", shown.author.text)
        if withName { json.member("author_name", shown.authorName) }
        json.member("text", text)
        json.member("at", shown.comment.at)
        json.member("edited_at", shown.comment.editedAt)
    }

    fileprivate func answer(_ status: HTTPResponse.Status) -> Answer {
        Answer.object(status) { write(to: &$0, withName: false) }
            .tagged(shown.comment.revision).unstored
    }
}
