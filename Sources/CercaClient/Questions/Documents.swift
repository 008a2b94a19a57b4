extension CercaClient {
    /// A person's document, as far as the caller may know it.
    ///
    /// - Throws: ``CercaError``; of the code `not_found` if there is none, or the caller may not know that there is.
    public func person(_ id: String) async throws -> Person {
        try await ask(Request(.GET, "/v1/people/\(id)" as Path))
    }

    /// Writes a person, in place of the document that there is; what decides who sees the person stays if it is nil.
    ///
    /// - Returns: the document as it is now.
    /// - Throws: ``CercaError``.
    @discardableResult
    public func put(_ person: Person) async throws -> Person {
        try await ask(Request(.PUT, "/v1/people/\(person.id)" as Path, Query(), try JSON.text(person)))
    }

    /// A place's document.
    ///
    /// - Throws: ``CercaError``; of the code `not_found` if there is none.
    public func place(_ id: String) async throws -> Place {
        try await ask(Request(.GET, "/v1/places/\(id)" as Path))
    }

    /// Writes a place, in place of the document that there is.
    ///
    /// - Returns: the document as it is now.
    /// - Throws: ``CercaError``.
    @discardableResult
    public func put(_ place: Place) async throws -> Place {
        try await ask(Request(.PUT, "/v1/places/\(place.id)" as Path, Query(), try JSON.text(place)))
    }
}
