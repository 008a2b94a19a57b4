import API
import Crypto
import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// A world in which Ana has the maximum data of an ordinary person, or several times the part of one read.
///
/// The people around her have it too. All of it can be made without a service.
struct HeavyWorld {
    /// The amount of each kind of data.
    struct Size {
        /// One less than the maximum for Luis, and one for a person whom Ana asks.
        var friends = 4998
        var askers = 3000
        /// One less than the maximum.
        var blocks = 9999
        var decisions = 12_000
        var favourites = 5000
        var places = 1000
        var comments = 12_000
        var groups = 99
        var positions = 10_000

        /// Small enough to be made in a second, with everything that requests name.
        static let small = Size(
            friends: 310, askers: 20, blocks: 30, decisions: 60, favourites: 20, places: 10, comments: 30, groups: 5,
            positions: 100)
    }

    /// Always open, with the maximum number of rules with dates and of times in one of them, which must be evaluated.
    static let hours: String = {
        let times = (1..<20).map { minute in String(format: "00:%02d-00:%02d", 2 * minute, 2 * minute + 1) }
        let rules = (1..<20).map { "week \($0)-53 Mo-Su 00:00-24:00" }
        return (rules + ["week 1-53 00:00-24:00,\(times.joined(separator: ","))"]).joined(separator: "; ")
    }()

    private let server: TestServer
    private let size: Size
    private let ana: PersonID
    private let middle: Coordinate

    init(_ server: TestServer, _ size: Size = Size()) throws {
        (self.server, self.size) = (server, size)
        ana = try ID("ana")
        middle = try place(39.47, -0.376)
    }

    static func ids<Thing>(_ prefix: String, _ count: Int) throws -> [ID<Thing>] {
        try (0..<count).map { try ID("\(prefix)\($0)") }
    }

    func build() async throws {
        let friends: [PersonID] = try Self.ids("friend", size.friends)
        let askers: [PersonID] = try Self.ids("asker", size.askers)
        let blocked: [PersonID] = try Self.ids("blocked", size.blocks)
        let liked: [PersonID] = try Self.ids("liked", size.decisions)
        let others: [PersonID] = [try ID("luis"), try ID("eva"), try ID("member")]
        try await make([ana] + others + friends, shown: Self.hours)
        for people in [askers, blocked, liked] { try await make(people, shown: "Mo-Su 00:00-24:00") }
        try await locate([ana] + others + friends + liked.prefix(5000))
        try await perform((others.prefix(1) + friends).map { MakeFriends(ana, $0) })
        // Settings for single friends would end their fences about her.
        for attribute in FriendAttribute.allCases where attribute != .alerts {
            try await perform(friends.map { NoteFriend(ana, $0, attribute, "colleague") })
        }
        try await perform(askers.map { Befriend($0, ana) })
        try await perform(blocked.map { Block(ana, $0) })
        try await perform(liked.map { Decide(ana, $0, likes: true) })
        try await perform(liked.prefix(3000).map { Decide($0, ana, likes: true) })
        try await perform(liked.suffix(size.favourites).map { SetFavourite(ana, .people, $0.any) })
        try await makePlaces()
        try await comment(by: blocked.prefix(20))
        try await watch(by: friends.prefix(100))
        try await gather(with: friends)
        try await travel()
    }

    /// Performs actions in one batch, a month ago; positions are younger.
    private func perform<Item: Action>(_ actions: [Item]) async throws {
        let time = morning - .seconds(30 * 86_400)
        for result in try await server.engine.perform(Batch(actions), by: .service, at: time) { _ = try result.get() }
    }

    private func make(_ ids: [PersonID], shown hours: String) async throws {
        let people = ids.map { id in
            var person = Person(id: id)
            person.name = "Anselm"
            person.city = "Valencia"
            person.born = CalendarDate(year: 1990, month: 1, day: 1)
            person.isDiscoverable = true
            person.isSearchable = true
            person.sharing = Sharing(.exact)
            person.sharing.alerts = .friends
            person.sharing.timetable = ZonedHours(hours: hours, timezone: "Europe/Madrid")
            return PutPerson(Write(person))
        }
        try await perform(people)
    }

    /// Places people within some kilometers, each at a separate place.
    private func locate(_ ids: [PersonID]) async throws {
        let reports = ids.enumerated().map { index, id in
            let place = Geodesic.destination(
                from: middle, bearing: Double(index * 137 % 360), metres: Double(index % 97) * 200)
            return PingReport(person: id, time: morning - .seconds(600), place: place)
        }
        try await server.engine.perform(Record(reports), by: .service, at: morning)
    }

    private func makePlaces() async throws {
        let texts = (0..<64).map { String(repeating: "\($0 % 10)", count: 100) }
        // Alternately far and near, so that most edges are near the center.
        let ring = (0..<400).map { corner in
            let angle = Double(corner) * 2 * .pi / 400
            let radius = corner.isMultiple(of: 2) ? 0.1 : 0.01
            return (longitude: -0.376 + radius * cos(angle), latitude: 39.47 + radius * sin(angle))
        }
        let area = PlaceArea(.polygons([try Polygon(rings: [ring + [ring[0]]])]))
        let places = try Self.ids("place", size.places).enumerated().map { index, id in
            var place = Place(id: id, kind: "topic", name: "Place \(index)")
            place.coordinate = Geodesic.destination(from: middle, bearing: Double(index % 360), metres: Double(index))
            place.owner = ana
            place.hours = Self.hours
            place.timezone = "Europe/Madrid"
            place.attributes = ["texts": .list(texts)]
            place.area = area
            return place
        }
        try await perform(places.map { PutPlace(Write($0)) })
        try await perform(places.map { SetFavourite(ana, .places, $0.id.any) })
        var product = Product(id: try ID("pump"), name: "Pump")
        product.brand = "B"
        product.attributes = ["texts": .list(texts)]
        var store = Place(id: try ID("store"), kind: "store", name: "Store")
        store.coordinate = middle
        try await perform([PutProduct(Write(product))])
        try await perform([PutPlace(Write(store))])
        try await perform([SetFavourite(ana, .products, product.id.any)])
        try await perform([PutStockItem(StockItem(store: store.id, product: product.id, price: nil, sizes: []))])
    }

    /// Comments at one place, of which Ana sees only one, the oldest.
    private func comment(by authors: ArraySlice<PersonID>) async throws {
        let square = try PlaceID("place0")
        let own = PostComment(id: try ID("own"), place: square, author: ana, text: "First")
        try await perform([own])
        let ids: [CommentID] = try Self.ids("comment", size.comments)
        try await perform(
            ids.enumerated().map { index, id in
                PostComment(id: id, place: square, author: authors[index % authors.count], text: "So")
            })
    }

    /// The maximum number of friends' fences about Ana, all around her place.
    private func watch(by friends: ArraySlice<PersonID>) async throws {
        try await perform(
            friends.map { friend -> PutFence in
                var fence = Fence(id: try ID("w"), .circle(middle, metres: 100_000), watching: .people([ana]))
                fence.owner = friend
                return PutFence(Write(fence))
            })
    }

    /// Groups of Ana, of which one is full, and an equal number of invitations.
    private func gather(with friends: [PersonID]) async throws {
        let own: [GroupID] = try Self.ids("group", size.groups)
        let foreign: [GroupID] = try Self.ids("foreign", size.groups)
        try await perform(own.map { CreateGroup(Group(id: $0, name: "G", owner: ana)) })
        try await perform(foreign.map { CreateGroup(Group(id: $0, name: "F", owner: friends[friends.count * 4 / 5])) })
        try await perform(foreign.map { Invite(ana, to: $0) })
        let members = friends.prefix(200)
        try await perform(members.map { Invite($0, to: own[0]) })
        try await perform(members.map { AcceptInvitation(of: $0, to: own[0]) })
        try await perform(friends.suffix(50).map { Invite($0, to: own[0]) })
    }

    /// Positions of Ana that are not yet compacted.
    private func travel() async throws {
        let reports = try (0..<size.positions).map { index in
            PingReport(
                person: ana, time: morning - .seconds(Int64(2000 + index * 130)),
                place: try place(39.47 + (index.isMultiple(of: 2) ? 0.01 : 0), -0.376))
        }
        for start in stride(from: 0, to: reports.count, by: 1000) {
            let some = Array(reports[start..<min(start + 1000, reports.count)])
            try await server.engine.perform(Record(some), by: .service, at: morning)
        }
        let token = TokenHash(SHA256.hash(data: Data(count: TokenHash.size)))
        var share = Share(
            id: try ID("way"), token: token, .approximate, since: morning - .seconds(6 * 86_400),
            until: morning + .seconds(86_400))
        share.showsTrail = true
        try await perform([OpenShare(share, of: ana)])
    }
}
