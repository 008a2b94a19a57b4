internal import CercaClient
internal import Foundation
internal import Geo

typealias Message = CercaClient.Request

/// A request of a person or their phone.
enum Request: Hashable, Sendable {
    case pings([Fix])
    case friends(limit: Int)
    case stores(near: Coordinate, product: Int, size: Int?, limit: Int)
    case strangers(within: Int, limit: Int)
    case like(Int)
    case history

    /// The category for statistics.
    enum Kind: String, CaseIterable, Sendable {
        case pings, friends, stores, strangers, likes, histories
    }

    var kind: Kind {
        switch self {
        case .pings: .pings
        case .friends: .friends
        case .stores: .stores
        case .strangers: .strangers
        case .like: .likes
        case .history: .histories
        }
    }

    /// The HTTP request on behalf of a person of the crowd.
    func message(of person: Int, in crowd: Names) -> Message {
        let id = crowd.person(person)
        switch self {
        case .pings(let fixes):
            return Message(.POST, "/v1/pings", Self.body(fixes, of: id))
        case .friends(let limit):
            return Message(.GET, "/v1/people/\(id)/friends/nearest?limit=\(limit)")
        case .stores(let place, let product, let size, let limit):
            let sized = size.map { "&size=EU:\($0)" } ?? ""
            let here = "lat=\(Decimal7(place.latitudeE7))&lon=\(Decimal7(place.longitudeE7))"
            return Message(
                .GET, "/v1/stores/nearest?\(here)&product=\(crowd.product(product))\(sized)&limit=\(limit)")
        case .strangers(let metres, let limit):
            return Message(.GET, "/v1/people/\(id)/discovery?within_m=\(metres)&limit=\(limit)")
        case .like(let other):
            return Message(.PUT, "/v1/people/\(id)/decisions/\(crowd.person(other))", "{\"like\":true}")
        case .history:
            return Message(.GET, "/v1/people/\(id)/history?limit=10000&fields=t,lat,lon,suspect")
        }
    }

    private static func body(_ fixes: [Fix], of id: String) -> String {
        let pings = fixes.map { fix in
            let accuracy = fix.accuracy.map { ",\"accuracy_m\":\($0)" } ?? ""
            return "{\"person\":\"\(id)\",\"device\":\"phone\",\"t\":\(fix.time.milliseconds),"
                + "\"lat\":\(Decimal7(fix.place.latitudeE7)),\"lon\":\(Decimal7(fix.place.longitudeE7))\(accuracy)}"
        }
        return "[\(pings.joined(separator: ","))]"
    }
}

/// The ids of a crowd, which share a prefix.
struct Names: Sendable {
    let prefix: String

    func person(_ number: Int) -> String { "\(prefix)-\(number)" }
    func store(_ number: Int) -> String { "\(prefix)-store-\(number)" }
    func fence(_ number: Int) -> String { "\(prefix)-fence-\(number)" }
    func product(_ number: Int) -> String { "\(prefix)-shoe-\(number)" }

    /// The number of a person of this crowd; nil for any other id.
    func number(of id: String) -> Int? {
        guard id.hasPrefix("\(prefix)-") else { return nil }
        return Int(id.dropFirst(prefix.count + 1))
    }
}

/// Ten-millionths of a degree, printed as decimal degrees.
struct Decimal7: CustomStringConvertible {
    private let units: Int32

    init(_ units: Int32) { self.units = units }

    var description: String {
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        let digits = String(rest)
        return "\(units < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 7 - digits.count))\(digits)"
    }
}
