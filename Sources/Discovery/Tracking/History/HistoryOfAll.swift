public import Geo
public import Model
internal import Storage

/// A page of stored pings of several people.
public struct HistoryOfAllPage: Sendable {
    /// A person's ping, which is the cursor of the pings after it.
    public struct Key: Hashable, Sendable {
        /// The person.
        public var person: PersonNumber
        /// The ping among the person's.
        public var ping: PingKey

        /// Creates a key from its parts.
        public init(person: PersonNumber, ping: PingKey) { (self.person, self.ping) = (person, ping) }
    }

    /// The pings, by person and oldest first.
    public fileprivate(set) var items: [(person: PersonID, ping: StoredPing)] = []
    /// The last ping before the next page; nil at the end.
    public fileprivate(set) var next: Key?
}

extension Engine {
    /// The pings that are read at once to find those in an area.
    private static let pingsAtOnce = 2_000

    /// Returns stored pings of all people, or of one, by person and oldest first, in pages; for services.
    ///
    /// Each person is read separately, so an interval with few pings takes as many reads as there are people.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``, ``StorageError``, or `CancellationError`.
    public func historyOfAll(
        _ person: PersonID?, in times: Range<Timestamp>, _ area: Region?, after last: HistoryOfAllPage.Key?, limit: Int
    ) async throws -> HistoryOfAllPage {
        var page = HistoryOfAllPage()
        let only = try person.map { try self.number(of: $0) }
        var (number, start) = (last?.person ?? only ?? 0, last.map { HistoryStart.after($0.ping) } ?? .beginning)
        while let (found, id) = try await self.person(from: number) {
            guard only.map({ $0 == found }) ?? true else { break }
            if found != number { (number, start) = (found, .beginning) }
            try await read(number, id, in: times, area, from: start, limit, &page)
            guard page.items.count <= limit else {
                page.items.removeLast()
                page.next = page.items.last.map { .init(person: $0.ping.person, ping: $0.ping.key) }
                return page
            }
            (number, start) = (number.advanced(by: 1), .beginning)
        }
        return page
    }

    /// Adds a person's pings to a page, up to one more than `limit`.
    private func read(
        _ number: PersonNumber, _ id: PersonID, in times: Range<Timestamp>, _ area: Region?, from first: HistoryStart,
        _ limit: Int, _ page: inout HistoryOfAllPage
    ) async throws {
        var start = first
        while page.items.count <= limit {
            try Task.checkCancellation()
            let room = area == nil ? limit + 1 - page.items.count : Self.pingsAtOnce
            let rows = try await pings(of: number, in: times, from: start, limit: room)
            for ping in rows.items where area?.contains(ping.place) ?? true {
                page.items.append((id, ping))
                if page.items.count > limit { return }
            }
            guard !rows.isLast, let last = rows.items.last else { return }
            start = .after(last.key)
        }
    }

    /// The first person from a number on; nil after the last.
    private func person(from first: PersonNumber) async throws -> (PersonNumber, PersonID)? {
        var number = first
        return try await readInParts { state -> (PersonNumber, PersonID)?? in
            let end = min(number.advanced(by: WorkBudget.stepsPerChunk), state.people.nextNumber)
            let start = number
            defer { WorkBudget.count(Int(number) - Int(start) + 1) }
            while number < end {
                if let person = state.people.record(of: number)?.value { return (number, person.id) }
                number = number.advanced(by: 1)
            }
            return number < state.people.nextNumber ? .none : .some(nil)
        }
    }
}
