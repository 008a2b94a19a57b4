internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model

/// A stored document to answer with.
struct Document<Value: Sendable> {
    let record: Versioned<Value>

    init(_ record: Versioned<Value>) { self.record = record }

    /// The document with its entity tag, or `304` for a caller who has that tag.
    ///
    /// The tag is the revision for a caller who sees the whole document. For others it is a digest of what they see,
    /// because a revision would reveal changes to hidden members.
    func answer(
        to call: Call, _ columns: Set<String>? = nil, isWhole: Bool = true, _ write: (inout JSONWriter, Value) -> Void
    ) -> Answer {
        let answer = Answer.json { json in json.item(columns) { write(&$0, record.value) } }
        guard columns == nil else { return answer }
        let tag = isWhole ? record.revision : answer.digest
        return (call.knows(tag) ? Answer(status: .notModified) : answer).tagged(tag)
    }

    /// The document as JSON, to be patched.
    func json(_ write: (inout JSONWriter, Value) -> Void) throws(FormError) -> JSON {
        try JSON(Data(JSONWriter.object { write(&$0, record.value) }))
    }
}

extension Engine {
    /// Performs an action on behalf of a call's caller.
    @discardableResult
    func perform<A: Action>(_ action: A, for call: Call) async throws -> A.Outcome {
        try await perform(action, by: call.caller, at: call.received)
    }

    /// Writes one document and answers with it and its new revision.
    func write(
        _ action: some Action<Written>, _ call: Call, _ write: (inout JSONWriter) -> Void
    ) async throws -> Answer {
        let written = try await perform(action, for: call)
        return written.answer(write).tagged(written.revision)
    }

    /// A person's current document in full; nil for an unknown id.
    func stored(_ id: PersonID) -> Person? {
        guard case .whole(let record)? = try? read({ state throws(Refusal) in try state.person(id, for: .service) })
        else { return nil }
        return record.value
    }
}

extension Call {
    /// Refuses a document that exceeds the limit for people and is longer than it was.
    func refuseTooLong<Value>(
        _ value: Value, _ former: Value?, _ write: (inout JSONWriter, Value) -> Void
    ) throws(Problem) {
        func length(_ value: Value) -> Int { JSONWriter.object { write(&$0, value) }.count }
        guard caller != .service else { return }
        let (size, most) = (length(value), limits.documentOfPerson)
        guard size > max(most, former.map { length($0) } ?? 0) else { return }
        throw Problem(.documentTooLarge, detail: "The document has \(size) bytes; at most \(most) are allowed.")
    }
}

extension Written {
    /// The written document, with the status for a new or an existing one.
    func answer(_ write: (inout JSONWriter) -> Void) -> Answer {
        .json(isNew ? .created : .ok) { json in json.object { write(&$0) } }
    }
}

extension Call {
    func mergePatch() async throws -> JSON {
        let patch = try JSON(await body(Self.jsonTypes.union(["application/merge-patch+json"])))
        guard case .object = patch else {
            throw FormError.invalid([
                FieldError(pointer: "", code: .type, detail: "is \(patch.kind); must be an object")
            ])
        }
        return patch
    }

    /// Runs a read-modify-write, again when a concurrent write causes a conflict.
    ///
    /// `attempt` receives the caller's own condition, which is tried once, or nil.
    func retryingConflicts(_ attempt: (Condition?) async throws -> Answer) async throws -> Answer {
        let own = try condition
        if own != .always { return try await attempt(own) }
        for _ in 0..<9 {
            do { return try await attempt(nil) } catch Refusal.conditionFailed { continue }
        }
        return try await attempt(nil)
    }
}
