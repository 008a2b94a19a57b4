internal import CercaClient
internal import Foundation
internal import Geo

/// Creates the crowd in the service, with its friendships, stores and shoes.
struct Settlement {
    let plan: CrowdPlan
    let service: CercaClient
    let connections: Int

    private static let lines = "application/x-ndjson"

    /// Creates the crowd, and replaces an earlier one with the same seed.
    func settle() async throws {
        let report = try await load("people", people())
        if report.updated ?? 0 > 0 {
            try await remove()
            try await load("people", people())
        }
        try await load("friends", plan.friendships.pairs.map { ["a": id($0), "b": id($1)] })
        let places = plan.shops.stores.map { store in
            [
                "id": store.id, "kind": "store", "name": "Simulated shoes", "category": "shoes",
                "lat": store.place.latitude, "lon": store.place.longitude,
            ] as [String: any Sendable]
        }
        try await load("places", places)
        let products = (0..<Shops.products).map { number in
            ["id": plan.names.product(number), "brand": "Simulada", "name": "Shoe \(number)", "category": "shoe"]
        }
        try await load("products", products)
        try await load("stock", stock())
        try await send(
            plan.fences.fences.map { fence in
                let area: [String: any Sendable] = [
                    "lat": fence.centre.latitude, "lon": fence.centre.longitude, "within_m": fence.radius,
                ]
                let body: [String: any Sendable] = ["area": area, "people": fence.people.sorted().map(id)]
                return Message(.PUT, "/v1/fences/\(fence.id)", try Self.text(body))
            })
    }

    /// Deletes the people with their data, and their fences.
    func remove() async throws {
        try await send(plan.people.map { Message(.DELETE, "/v1/people/\(id($0))") })
        try await send(plan.fences.fences.map { Message(.DELETE, "/v1/fences/\($0.id)") })
    }

    /// Sends messages over all connections; an entity to delete may already be missing.
    private func send(_ messages: [Message]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<connections {
                group.addTask {
                    for index in stride(from: client, to: messages.count, by: connections) {
                        do { _ = try await service.send(messages[index]) } catch let failure as CercaError
                            where failure.status == 404 && messages[index].method == .DELETE
                        { continue }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func id(_ person: Int) -> String { plan.names.person(person) }

    private func people() -> [[String: any Sendable]] {
        plan.people.map { person in
            let profile = plan.profiles[person]
            var row: [String: any Sendable] = [
                "id": id(person), "name": profile.name, "born": profile.born, "sex": profile.sex,
                "relationship": profile.relationship, "discoverable": profile.isDiscoverable,
                "sharing": profile.sharesExactly ? "exact" : "approximate",
            ]
            row["city"] = plan.homes[person].city
            return row
        }
    }

    private func stock() -> [[String: any Sendable]] {
        plan.shops.stores.flatMap { store in
            store.stock.sorted { $0.key < $1.key }.map { product, sizes in
                let quantities = sizes.map { ("EU:\($0.key)", $0.value) }
                return [
                    "store": store.id, "product": plan.names.product(product), "price": 4_900, "currency": "EUR",
                    "sizes": Dictionary(quantities, uniquingKeysWith: { a, _ in a }),
                ]
            }
        }
    }

    @discardableResult
    private func load(_ kind: String, _ rows: [[String: any Sendable]]) async throws -> Answers.Import {
        guard !rows.isEmpty else { return Answers.Import(rows: 0, refused_count: 0) }
        var message = Message(.POST, "/v1/imports/\(kind)", try rows.map(Self.text).joined(separator: "\n"))
        message.type = Self.lines
        let reply = try await service.send(message)
        let report = try JSONDecoder().decode(Answers.Import.self, from: reply)
        guard report.refused_count == 0 else {
            throw SimulatorError(
                description: "\(report.refused_count) of \(rows.count) \(kind) were refused: "
                    + String(decoding: reply.prefix(1_000), as: UTF8.self))
        }
        return report
    }

    private static func text(_ row: [String: any Sendable]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: row, options: .sortedKeys), as: UTF8.self)
    }
}
