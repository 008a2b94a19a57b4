internal import Foundation

/// Attack patterns with fences.
extension SiegeWay {
    static let fences = [combs, circles, questions]

    /// Fences with the maximum number of vertices, crossed by each of 64 pings.
    private static let combs = SiegeWay(name: "combs") { person in
        // Some are rejected, because the limit counts the vertices of all fences.
        for number in 0..<12 { await put("comb\(number)", comb, by: person) }
    } attack: { person, client in
        await person.send("POST /v1/pings", as: client) {
            walk(of: person, from: 1_600_000_000 + person.next() * 64 * 130, count: 64, every: 130)
        }
    }

    /// The maximum number of circles, crossed by each of 10,000 pings.
    private static let circles = SiegeWay(name: "circles") { person in
        for number in 0..<100 {
            await put("circle\(number)", #"{"lat":39.47,"lon":-0.375,"within_m":\#(200 + number)}"#, by: person)
        }
    } attack: { person, client in
        await person.send("POST /v1/pings", as: client) {
            walk(of: person, from: 1_650_000_000 + person.next() * 10_000 * 13, count: 10_000, every: 13)
        }
    }

    /// Fences around a hundred friends who must be asked, changed at the full rate, half of them deleted and recreated.
    private static let questions = SiegeWay(name: "questions") { person, client in
        let names = (0..<100).map { "\"crowd\($0)\"" }.joined(separator: ",")
        let area = #"{"lat":39.47,"lon":-0.375,"within_m":\#(200 + person.next() % 1000)}"#
        await person.send(
            "PUT /v1/people/\(person.name)/fences/friends\(client)", #"{"area":\#(area),"people":[\#(names)]}"#)
        if client.isMultiple(of: 2) { await person.send("DELETE /v1/people/\(person.name)/fences/friends\(client)") }
    }

    private static func put(_ fence: String, _ area: String, by person: AttackClient) async {
        await person.send("PUT /v1/people/\(person.name)/fences/\(fence)", #"{"area":\#(area)}"#)
    }

    /// A polygon of 999 corners with teeth across the path of ``walk(of:from:count:every:)``.
    private static let comb: String = {
        let teeth = (0..<249).map { tooth in
            let west = -0.4 + Double(tooth) * 0.000_2
            let sides = [west, west + 0.000_1].map { short($0, 4) }
            return "[\(sides[0]),39.46],[\(sides[0]),39.48],[\(sides[1]),39.48],[\(sides[1]),39.46]"
        }
        let ring = ["[-0.4,39.45]"] + teeth + ["[\(short(-0.4 + 249 * 0.000_2, 4)),39.45]", "[-0.4,39.45]"]
        return #"{"type":"Polygon","coordinates":[[\#(ring.joined(separator: ","))]]}"#
    }()

    /// Pings back and forth across the fences, 4.5 km each.
    private static func walk(of person: AttackClient, from start: Int, count: Int, every seconds: Int) -> String {
        let pings = (0..<count).map { index in
            let longitude = index.isMultiple(of: 2) ? -0.401 : -0.349
            return #"{"person":"\#(person.name)","t":\#(start + index * seconds),"lat":39.47,"lon":\#(longitude)}"#
        }
        return "[\(pings.joined(separator: ","))]"
    }
}
