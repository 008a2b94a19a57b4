import API
import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// A world of Eve and of people whom she is not shown, or not exactly.
///
/// On the sides ``Side/near`` and ``Side/far`` Eve is shown equal things. Only what she is not shown differs.
struct UnseenWorld: Sendable {
    enum Side {
        /// The people whom Eve is not shown move around her. One more blocked her, and has fences and a comment there.
        case near
        /// They stay hundreds of kilometers away, and no person blocked her.
        case far
        /// As ``near``, but the friend who hides becomes visible.
        case shown
    }

    /// Friends who hide, each in another way.
    static let hiding = ["hidden00", "paused00", "closed00"]
    /// A friend in a privacy zone, and one who shares an approximate place: both stay in a cell.
    static let inCell = ["zoned000", "coarse00"]
    /// Friends who show themselves; the alerts of the first differ.
    static let open = ["silent00", "open0000", "host0000"]
    /// Strangers who hide, are too young, or cannot be found.
    static let strangers = ["hider000", "minor000", "recluse0"]
    /// The person who blocked Eve, if that person exists.
    static let blocker = "blocker0"
    static var friends: [String] { hiding + inCell + open }
    /// The people whom Eve asks about.
    static var victims: [String] { friends + strangers + [blocker, "plain000"] }

    static let middle = CubeCell(containing: valencia, level: 13).centre

    let server: TestServer
    let clock: SteppedClock
    let side: Side
    let token: String
    let device: String
    private let monitor: WorkMonitor

    static func run(_ side: Side, _ body: (UnseenWorld) async throws -> Void) async throws {
        let (clock, monitor, keys) = (SteppedClock(), WorkMonitor(), try TestKeys())
        defer { keys.remove() }
        var rules = PingRules()
        rules.defences.coarsens = false
        try await withServer(
            { $0.rates.address.perSecond = 0 }, keys: try await keys.ring(), rules: rules, monitor: monitor, secret: 7,
            now: { clock.now }
        ) { server in
            try await UnseenPeople(server, side).build()
            let token = keys.own(#""sub":"eve","scope":"person""#, exp: TestKeys.now + 400 * 86_400)
            let reply = try await server.send("POST /v1/people/eve/devices", #"{"id":"phone"}"#, token: token)
            let device = String(try #require(reply.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
            try await body(
                UnseenWorld(
                    server: server, clock: clock, side: side, token: token, device: device, monitor: monitor))
        }
    }

    /// The answer to a request by Eve.
    struct Answer: Sendable {
        /// The request, status, headers, and body, without random parts.
        var text: String
        /// The work charged to her in steps, without the bytes of the body.
        var steps: Int
    }

    /// Sends a request by Eve or her phone after enough time for all limits to be restored.
    func ask(_ request: UnseenRequest) async throws -> Answer {
        clock.advance(11)
        monitor.reset()
        var headers = ["authorization": "Bearer \(request.isOfPhone ? device : token)", "accept-encoding": "identity"]
        headers["accept"] = request.accept
        let reply = try await server.send(request.line, request.body, type: request.type, headers: headers)
        return Answer(
            text: "\(request.line) \(request.body ?? ""): \(Self.plain(reply))",
            steps: monitor.longest(.charge) - reply.body.utf8.count / 5)
    }

    private static func plain(_ reply: TestServer.Reply) -> String {
        let headers = reply.headers.map { ($0.name.lowercased(), $0.value) }
            .filter { !["date", "x-request-id", "content-length"].contains($0.0) }
            .map { "\($0.0): \($0.1)" }.sorted()
        // Random ids, tokens, and cursors have fixed lengths; numbers of events do not (`CountingAttackTests`).
        let masked = "\(reply.text) \(headers)".replacing(#/"cursor":"\d+"/#, with: #""cursor":"…""#)
            .replacing(#/127\.0\.0\.1:\d+/#, with: "…").replacing(#/[-_A-Za-z0-9]{22,}/#, with: "…")
        // Lists that are ordered by random ids are compared in another order.
        let withRandomID = #/\{"id":"…"[^{}]*\}/#
        var sorted = masked.matches(of: withRandomID).map(\.output).sorted()[...]
        return masked.replacing(withRandomID) { _ in sorted.removeFirst() }
    }

    /// Moves all people except Eve, on one side only those whom she is not shown, on both sides the others.
    func stir(_ round: Int) async throws {
        clock.advance(200)
        let isThere = round.isMultiple(of: 2)
        let open = Trilateration.shifted(Self.middle, 150, isThere ? 0 : 2000)
        let far = Trilateration.shifted(Self.middle, isThere ? 150 : 2500, 40)
        let corner = isThere == (side == .far) ? (-250.0, 250.0) : (300, -250)
        var moves = Self.open.map { ($0, open) }
        moves += Self.inCell.map { ($0, Trilateration.shifted(Self.middle, corner.0, corner.1)) }
        if side != .far { moves += (Self.hiding + Self.strangers + [Self.blocker]).map { ($0, far) } }
        let reports = try moves.map { PingReport(person: try ID($0.0), time: clock.now, place: $0.1) }
        let recorded = try await server.engine.perform(Record(reports), by: .service, at: clock.now)
        #expect(recorded.verdicts.allSatisfy { $0 == .stored })
    }
}

/// The people of such a world, their ties, and their surroundings.
private struct UnseenPeople {
    private let server: TestServer
    private let side: UnseenWorld.Side
    private let eve: PersonID
    private let team: GroupID
    private let time = morning - .seconds(2 * 86_400)

    init(_ server: TestServer, _ side: UnseenWorld.Side) throws {
        (self.server, self.side) = (server, side)
        (eve, team) = (try ID("eve"), try ID("!team"))
    }

    private func perform(_ action: some Action) async throws {
        try await server.engine.perform(action, by: .service, at: time)
    }

    func build() async throws {
        typealias World = UnseenWorld
        // The order matters: the person who exists on one side only has the last number.
        let both = World.friends + World.strangers + ["plain000"]
        try await perform(PutPeople(try (["eve"] + both).map(person)))
        for name in World.friends { try await perform(MakeFriends(eve, try ID(name))) }
        let host: PersonID = try ID("host0000")
        try await perform(CreateGroup(Group(id: team, name: "Team", owner: host)))
        for name in ["eve", "hidden00", "open0000", "hider000", "recluse0"] { try await join(try ID(name)) }
        try await makePlaces()
        try await perform(fence("watch", of: "hidden00", .circle(World.middle, metres: 300), .people([eve])))
        try await perform(fence("order", of: nil, .person(eve, metres: 800), .people([try ID("hidden00")])))
        if side != .far { try await addBlocker() }
        try await locate(both)
    }

    private func person(_ name: String) throws -> Write<Person> {
        var person = Person(id: try ID(name))
        person.name = "Victim"
        person.born = CalendarDate(year: name == "minor000" ? 2012 : 1996, month: 5, day: 1)
        (person.isDiscoverable, person.isSearchable) = (name != "recluse0", true)
        person.sharing = Sharing(.exact)
        person.sharing.alerts = .friends
        switch name {
        case "hidden00" where side != .shown, "hider000": person.sharing.precision = .hidden
        case "paused00": person.sharing.pausedUntil = morning + .seconds(30 * 86_400)
        case "closed00": person.sharing.timetable = ZonedHours(hours: "Mo-Su 00:00-00:01", timezone: "Europe/Madrid")
        case "zoned000":
            person.sharing.zones = [PrivacyZone(id: try ID("home"), centre: UnseenWorld.middle, radius: 1500)]
        case "coarse00": person.sharing.precision = .approximate
        case "silent00": person.sharing.alerts = side == .far ? .asked : .nobody
        default: break
        }
        return Write(person)
    }

    /// Makes a person a friend of the host and a member of the group.
    private func join(_ person: PersonID) async throws {
        let host: PersonID = try ID("host0000")
        try await perform(MakeFriends(person, host))
        try await perform(Invite(person, to: team, by: host))
        try await perform(AcceptInvitation(of: person, to: team))
    }

    private func makePlaces() async throws {
        func make(_ id: String, _ kind: String, owner: PersonID? = nil) async throws {
            var place = Place(id: try ID(id), kind: kind, name: id)
            (place.coordinate, place.owner) = (UnseenWorld.middle, owner)
            try await perform(PutPlace(Write(place)))
        }
        try await make("plaza", "topic")
        try await make("store", "store")
        try await make("!own", "topic", owner: eve)
        try await perform(PutProduct(Write(Product(id: try ID("pump"), name: "Pump"))))
        try await perform(
            PutStockItem(StockItem(store: try ID("store"), product: try ID("pump"), price: nil, sizes: [])))
        for author in ["host0000", "eve"] { try await comment(by: author) }
    }

    private func comment(by author: String) async throws {
        try await perform(
            PostComment(id: try ID("of-\(author)"), place: try ID("plaza"), author: try ID(author), text: "So"))
    }

    private func fence(
        _ id: String, of owner: String?, _ area: Fence.Area, _ watched: Fence.Watched
    ) throws -> PutFence {
        var fence = Fence(id: try ID(id), area, watching: watched)
        fence.owner = try owner.map { try ID($0) }
        return PutFence(Write(fence))
    }

    /// Adds the person who blocked Eve and what exists only then: membership in the group and a decision about her.
    private func addBlocker() async throws {
        let name = UnseenWorld.blocker
        let blocker: PersonID = try ID(name)
        try await perform(PutPeople([try person(name)]))
        try await join(blocker)
        try await comment(by: name)
        try await perform(Decide(blocker, eve, likes: true))
        try await perform(SetFavourite(blocker, .people, eve.any))
        try await perform(SetFavourite(eve, .people, blocker.any))
        try await perform(fence("order", of: name, .person(blocker, metres: 800), .group(team)))
        for number in 0..<5 {
            let place = Trilateration.shifted(UnseenWorld.middle, Double(number) * 90, 0)
            try await perform(fence("own\(number)", of: name, .circle(place, metres: 200), .people([blocker])))
        }
        try await perform(Block(blocker, eve))
    }

    private func locate(_ both: [String]) async throws {
        let middle = UnseenWorld.middle
        let away = Trilateration.shifted(middle, 200_000, -100_000)
        let places = both.map { name -> (String, Coordinate) in
            switch name {
            case _ where UnseenWorld.open.contains(name): (name, Trilateration.shifted(middle, 150, 0))
            case _ where UnseenWorld.inCell.contains(name):
                (name, Trilateration.shifted(middle, side == .far ? -250 : 300, side == .far ? 250 : -250))
            case "plain000": (name, Trilateration.shifted(middle, 1800, 0))
            default: (name, side == .far ? away : Trilateration.shifted(middle, 150, 40))
            }
        }
        let there: [(String, Coordinate)] =
            side == .far ? [] : [(UnseenWorld.blocker, Trilateration.shifted(middle, 150, 40))]
        let reports = try ([("eve", middle)] + places + there).map { name, place in
            PingReport(person: try ID(name), time: morning - .seconds(600), place: place)
        }
        try await server.engine.perform(Record(reports), by: .service, at: morning - .seconds(600))
    }
}
