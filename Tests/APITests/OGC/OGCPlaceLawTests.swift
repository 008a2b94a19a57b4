import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Collections of places against a scan of all places, for each caller, over random worlds.
@Suite struct OGCPlaceLawTests {
    private static func random(_ number: Int, _ random: inout SeededGenerator) throws -> Place {
        var place = Place(id: try ID("x\(number)"), kind: random.pick(["shop", "Stop", "stóp"]), name: "X\(number)")
        let owner = random.pick(["", "", "ana", "luis"])
        if !owner.isEmpty { place.owner = try PersonID(owner) }
        if random.chance(0.8) {
            place.coordinate = try TestSupport.place(random.number(-89..<89), random.number(-180..<180))
        }
        place.category = random.pick(["food", "shoes", nil])
        return place
    }

    /// The ids and numbers of features that a caller gets, by a scan.
    private func scanned(_ places: [Place], for caller: String?, _ kind: String, _ category: String?) -> [String] {
        places.filter { place in
            place.coordinate != nil && (caller == nil || place.owner == nil || place.owner?.text == caller)
                && PlainText.of(place.kind) == kind && (category == nil || place.category == category)
        }.map(\.id.text).reversed()
    }

    @Test(
        "Each collection has the placed places of its kind that its reader may see",
        arguments: RandomCases.seeds(0..<20))
    func scans(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await OGCWorld.run { world in
            for id in ["bar", "zoo", "edge", "home", "mail", "studio"] {
                #expect(try await world.server.send("DELETE /v1/places/\(id)", token: world.keys.service).status == 204)
            }
            var places: [Place] = []
            for number in 0..<80 {
                // Some are written again, with another kind, owner or position.
                if let old = places.indices.randomElement(using: &random), random.chance(0.3) {
                    let number = try #require(Int(places[old].id.text.dropFirst()))
                    places[old] = try Self.random(number, &random)
                    try await world.server.engine.perform(PutPlace(Write(places[old])), by: .service, at: morning)
                } else {
                    places.append(try Self.random(number, &random))
                    try await world.server.engine.perform(
                        PutPlace(Write(try #require(places.last))), by: .service, at: morning)
                }
            }
            for caller in [nil, "ana", "luis"] {
                let token = caller.map { world.keys.person($0) } ?? world.keys.service
                for kind in ["shop", "stop"] {
                    let all = scanned(places, for: caller, kind, nil)
                    let limit = random.integer(1...30)
                    let path = "places_\(kind)/items?limit=\(limit)"
                    #expect(try await world.ids(path, token: token) == all, "seed \(seed), \(caller ?? "")")
                    let page = try await world.object("/ogc/collections/\(path)", token: token)
                    #expect(page["numberMatched"] as? Int == all.count, "seed \(seed), \(caller ?? "")")
                    let some = scanned(places, for: caller, kind, "food")
                    #expect(try await world.ids("\(path)&category=food", token: token) == some, "seed \(seed)")
                }
            }
        }
    }
}
