extension CercaClient {
    /// A list in pages, which are asked for one after the other as they are wanted.
    ///
    /// Each loop begins anew. A page may have no items, and others after it.
    public struct Pages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
        let client: CercaClient
        package let request: CercaClient.Request

        init(of client: CercaClient, _ path: Path, _ query: Query) {
            self.client = client
            request = CercaClient.Request(.GET, path, query)
        }

        /// Asks for the first page only.
        ///
        /// - Throws: ``CercaError``.
        public func first() async throws -> Page<Item> { try await client.ask(request) }

        /// The pages from the first one on.
        public func makeAsyncIterator() -> Iterator { Iterator(client: client, request: request) }

        /// The pages that were not asked for yet.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let client: CercaClient
            fileprivate let request: CercaClient.Request
            fileprivate var cursor: String?
            fileprivate var isOver = false

            /// Asks for the next page; nil after the last one.
            public mutating func next() async throws -> Page<Item>? {
                guard !isOver else { return nil }
                let page: Page<Item> = try await client.ask(cursor.map(request.after) ?? request)
                cursor = page.cursor
                isOver = page.cursor == nil
                return page
            }
        }
    }

    /// A page of a list.
    public struct Page<Item: Decodable & Sendable>: Decodable, Sendable {
        /// In the order of the list.
        public let items: [Item]
        /// Asks for the next page; nil at the end.
        public let cursor: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case items, cursor }
    }
}
