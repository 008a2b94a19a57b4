extension CercaClient {
    /// A paginated list, whose pages are requested one after the other on demand.
    ///
    /// Each loop starts with the first page. A page may be empty although more pages follow.
    public struct Pages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
        let client: CercaClient
        package let request: CercaClient.Request

        init(of client: CercaClient, _ path: Path, _ query: Query) {
            self.client = client
            request = CercaClient.Request(.GET, path, query)
        }

        /// Requests only the first page.
        ///
        /// - Throws: ``CercaError``.
        public func first() async throws -> Page<Item> { try await client.ask(request) }

        /// An iterator that starts with the first page.
        public func makeAsyncIterator() -> Iterator { Iterator(client: client, request: request) }

        /// The pages not requested yet.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let client: CercaClient
            fileprivate let request: CercaClient.Request
            fileprivate var cursor: String?
            fileprivate var isOver = false

            /// Requests the next page; nil after the last one.
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
        /// The items in the order of the list.
        public let items: [Item]
        /// The cursor of the next page; nil at the end.
        public let cursor: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case items, cursor }
    }
}
