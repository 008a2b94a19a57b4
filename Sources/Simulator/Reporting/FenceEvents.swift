internal import CercaClient

/// Reads the events of the crowd's fences.
struct FenceEvents: Sendable {
    let plan: CrowdPlan
    let service: CercaClient

    /// Entries and exits by person, each in the order of events.
    typealias Passings = [Int: [(fence: Int, isEntry: Bool)]]

    /// The events after a cursor, and the cursor after the last one; nothing without fences.
    func read(after cursor: String = "0") async throws -> (passings: Passings, cursor: String) {
        let fences = plan.fences.fences
        let numbers = Dictionary(uniqueKeysWithValues: zip(fences.map(\.id), fences.indices))
        var (passings, cursor): (Passings, String) = ([:], cursor)
        while !fences.isEmpty {
            let page = try await service.ask(
                Message(.GET, "/v1/events?type=fence.enter,fence.exit&limit=1000&cursor=\(cursor)"),
                for: CercaClient.Page<CercaClient.Event>.self)
            for event in page.items {
                guard let fence = event.fence.flatMap({ numbers[$0] }),
                    let person = event.person.flatMap(plan.names.number)
                else { continue }
                passings[person, default: []].append((fence, event.type == "fence.enter"))
            }
            guard let next = page.cursor, next != cursor else { break }
            cursor = next
        }
        return (passings, cursor)
    }

    /// Compares the events after a cursor with the expected ones.
    func check(_ members: [Member], after cursor: String, _ tally: Tally) async {
        do {
            let reported = try await read(after: cursor).passings
            for member in members where !plan.fences.fences.isEmpty {
                guard !member.isUncertain else {
                    tally.skip(.fences)
                    continue
                }
                let fault = Checker.fences(reported[member.number, default: []], expected: member.fences)
                tally.check(.fences, fault, Message(.GET, "/v1/events?person=\(plan.names.person(member.number))"))
            }
        } catch { tally.fail(error) }
    }
}
