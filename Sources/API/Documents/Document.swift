internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model

/// A stored document on its way out.
struct Document<Value: Sendable> {
    let record: Versioned<Value>

    init(_ record: Versioned<Value>) { self.record = record }

    /// The document with its tag, or nothing new to a caller who has that tag.
    ///
    /// The tag is the revision for whoever is shown all of the document. For others it follows from what they are shown: a
    /// revision would tell them when something changed that they are not.
    func answer(
        to call: Call, _ columns: Set<String>? = nil, isWhole: Bool = true, _ write: (inout JSONWriter, Value) -> Void
    ) -> Answer {
        let answer = Answer.json { json in json.item(columns) { write(&$0, record.value) } }
        guard columns == nil else { return answer }
        let tag = isWhole ? record.revision : answer.digest
        return (call.knows(tag) ? Answer(status: .notModified) : answer).tagged(tag)
    }

    /// The document as a patch sees it.
    func json(_ write: (inout JSONWriter, Value) -> Void) throws(FormError) -> JSON {
        var json = JSONWriter()
        json.object { write(&$0, record.value) }
        return try JSON(Data(json.bytes))
    }
}

extension Live {
    /// Writes one document and answers it with its new revision.
    func write(_ action: Action, _ call: Call, _ write: (inout JSONWriter) -> Void) async throws -> Answer {
        let written = try await written(action, call)
        return written.answer(write).tagged(written.revision)
    }

    /// Refuses a document that is longer than a person may write, and longer than it was.
    private func refuseTooLong(_ action: Action, _ most: Int) throws(Problem) {
        let (size, before) =
            switch action {
            case .put(let writes):
                writes.first.map { write in
                    (
                        Self.size { $0.person(write.value) },
                        stored(write.value.id).map { old in Self.size { $0.person(old) } }
                    )
                } ?? (0, nil)
            case .putPlaces(let writes):
                writes.first.map { write in
                    let old = try? read { picture throws(Refusal) in try picture.place(write.value.id) }
                    return (
                        Self.size { $0.place(write.value, to: .service) },
                        old.map { old in Self.size { $0.place(old.value, to: .service) } }
                    )
                } ?? (0, nil)
            default: (0, nil)
            }
        guard size > max(most, before ?? 0) else { return }
        throw Problem(
            .contentTooLarge, .documentTooLarge, detail: "The document has \(size) bytes; at most \(most) are kept.")
    }

    /// A person's whole document as it is now; nil for nobody.
    func stored(_ id: EntityID) -> Person? {
        guard case .whole(let record)? = try? read({ picture throws(Refusal) in try picture.person(id, for: .service) })
        else { return nil }
        return record.value
    }

    private static func size(_ write: (inout JSONWriter) -> Void) -> Int {
        var json = JSONWriter()
        json.object { write(&$0) }
        return json.bytes.count
    }

    /// Writes one document or row, of a person only one that is not too long.
    func written(_ action: Action, _ call: Call) async throws -> Written {
        if call.caller != .service { try refuseTooLong(action, call.limits.documentOfPerson) }
        let outcome = try await perform(Command(action, by: call.caller, received: call.received))
        guard case .written(let results) = outcome, let result = results.first else {
            preconditionFailure("a document that is written has a result")
        }
        return try result.get()
    }
}

extension Written {
    /// What was written.
    func answer(_ write: (inout JSONWriter) -> Void) -> Answer {
        .json(isNew ? .created : .ok) { json in json.object { write(&$0) } }
    }
}

extension Call {
    /// The body of a merge patch.
    func mergePatch() async throws -> JSON {
        let patch = try JSON(await body(Self.jsonTypes.union(["application/merge-patch+json"])))
        guard case .object = patch else {
            throw FormError.invalid([
                FieldError(pointer: "", code: .type, detail: "is \(patch.kind); expected is an object")
            ])
        }
        return patch
    }

    /// Runs a change that reads first and writes only if nobody wrote in between; again when somebody did.
    ///
    /// The attempt gets the caller's own condition, which is tried once, or nil.
    func retryingConflicts(_ attempt: (Condition?) async throws -> Answer) async throws -> Answer {
        let own = try condition
        if own != .always { return try await attempt(own) }
        for _ in 0..<9 {
            do { return try await attempt(nil) } catch Refusal.conditionFailed { continue }
        }
        return try await attempt(nil)
    }
}
