extension CercaClient {
    /// Returns a person's document, as visible to the caller.
    ///
    /// - Throws: ``CercaError``, with the code `not_found` if the person does not exist or is not visible to the
    ///   caller.
    public func person(_ id: String) async throws -> Person {
        try await ask(Request(.GET, "/v1/people/\(id)" as Path))
    }

    /// Creates or replaces a person; nil members that control the person's visibility keep their values.
    ///
    /// - Returns: the current document.
    /// - Throws: ``CercaError``.
    @discardableResult
    public func put(_ person: Person) async throws -> Person {
        try await ask(Request(.PUT, "/v1/people/\(person.id)" as Path, Query(), try JSON.text(person)))
    }

    /// Returns a place's document.
    ///
    /// - Throws: ``CercaError``, with the code `not_found` if the place does not exist.
    public func place(_ id: String) async throws -> Place {
        try await ask(Request(.GET, "/v1/places/\(id)" as Path))
    }

    /// Creates or replaces a place.
    ///
    /// - Returns: the current document.
    /// - Throws: ``CercaError``.
    @discardableResult
    public func put(_ place: Place) async throws -> Place {
        try await ask(Request(.PUT, "/v1/places/\(place.id)" as Path, Query(), try JSON.text(place)))
    }
}
