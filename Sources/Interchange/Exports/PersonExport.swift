package import Discovery
package import Model
package import Storage

/// All data about a person as one JSON document, written a page at a time.
///
/// Likes and labels that others gave the person belong to them and are in their exports. People who have blocked the
/// person do not appear.
package struct PersonExport: Sendable {
    /// Adds written items of a part to the document.
    package typealias Give = ([[UInt8]]) async throws -> Void

    /// A list that is a member of the document.
    package struct Part: Sendable {
        let name: String
        /// Passes all items to the closure, some at a time, in a deterministic order.
        let write: @Sendable (Subject, Give) async throws -> Void
    }

    package struct Subject: Sendable {
        let engine: Engine
        let number: PersonNumber
        let record: Versioned<Person>
        /// When the export was requested.
        let received: Timestamp

        var id: PersonID { record.value.id }
    }

    private let subject: Subject

    /// - Throws: ``Refusal/unknown(_:_:)``.
    package init(of id: PersonID, in engine: Engine, at received: Timestamp) throws(Refusal) {
        subject = try engine.read { state throws(Refusal) in
            guard case .whole(let record) = try state.person(id, for: .service) else {
                throw .unknown(.person, id.any)
            }
            return Subject(engine: engine, number: record.number, record: record, received: received)
        }
    }

    /// Writes the document.
    ///
    /// - Throws: ``StorageError``, ``Refusal`` if the person is deleted during the export, or an error of `send`. The
    ///   document is then incomplete.
    package func write(to send: (sending [UInt8]) async throws -> Void) async throws {
        try await send(Array("{\"person\":".utf8) + JSONWriter.object { $0.person(subject.record.value) })
        for part in Self.parts {
            try await send(Array(",\n\"\(part.name)\":[".utf8))
            var separator = "\n"
            try await part.write(subject) { items in
                try await Export.send(items, to: send) { item, bytes in
                    bytes += separator.utf8
                    bytes += item
                    separator = ",\n"
                }
            }
            try await send(Array("]".utf8))
        }
        // If the person was deleted during the export, the document must not look complete.
        guard
            try subject.engine.read({ state throws(Refusal) in
                guard case .whole(let record) = try state.person(subject.id, for: .service) else { return false }
                return record.number == subject.number
            })
        else { throw Refusal.unknown(.person, subject.id.any) }
        try await send(Array("}\n".utf8))
    }
}

extension PersonExport.Part {
    /// A part with few items, read all at once.
    package static func list<Item>(
        _ name: String, _ read: @escaping @Sendable (PersonExport.Subject) async throws -> [Item],
        _ write: @escaping @Sendable (inout JSONWriter, Item) -> Void
    ) -> PersonExport.Part {
        PersonExport.Part(name: name) { subject, give in
            try await give(await read(subject).map { item in JSONWriter.object { write(&$0, item) } })
        }
    }

    /// A part whose rows are read a page at a time.
    package static func rows<Item: Sendable>(
        _ name: String, _ reader: @escaping @Sendable (PersonExport.Subject) -> KeysetReader<Item>,
        where isWanted: @escaping @Sendable (Item) -> Bool = { _ in true },
        _ write: @escaping @Sendable (inout JSONWriter, Item) -> Void
    ) -> PersonExport.Part {
        PersonExport.Part(name: name) { subject, give in
            var reader = reader(subject)
            while let page = try await reader.next() {
                try await give(page.filter(isWanted).map { item in JSONWriter.object { write(&$0, item) } })
            }
        }
    }
}
