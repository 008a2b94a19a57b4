import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Actions as entries of a log.
@Suite struct LoggedActionTests {
    /// Actions of every kind, in an order in which none is refused.
    private func actions() throws -> [LogEntry] {
        let (ana, luis, eva): (PersonID, PersonID, PersonID) = (id("ana"), id("luis"), id("eva"))
        let (team, shop, shoe): (GroupID, PlaceID, ProductID) = (id("team"), id("shop"), id("shoe"))
        func device(_ byte: UInt8) -> Device {
            Device(id: id("phone"), token: TokenHash(repeatElement(byte, count: 32)), since: morning)
        }
        var group = Group(id: team, name: "Team", owner: ana)
        group.timetable = ZonedHours(hours: "Mo-Fr 08:00-18:00", timezone: "Europe/Madrid")
        var renamed = group
        renamed.name = "Others"
        var product = Product(id: shoe, name: "Runner")
        (product.price, product.sizes) = (Currency("EUR").map { Money(minor: 5990, currency: $0) }, [.none])
        var place = Place(id: shop, kind: "store", name: "Shop")
        (place.coordinate, place.owner) = (valencia, ana)
        place.area = PlaceArea(.circle(valencia, metres: 3000))
        var watching = Fence(id: id("w"), .circle(valencia, metres: 2000), watching: .people([ana]))
        (watching.owner, watching.passages, watching.dwell) = (luis, [.enter, .dwell], .seconds(60))
        let near = Fence(id: id("near"), .person(luis, metres: 2000), watching: .people([ana]))
        var quiet = Fence(id: id("quiet"), .anywhere, watching: .people([luis]))
        (quiet.passages, quiet.silence) = ([.silent], .zero)
        let stock = StockItem(
            store: shop, product: shoe, price: product.price, sizes: [SizeQuantity(size: .none, quantity: 3)])
        let careful = person("ana") {
            $0.attributes = ["languages": .list(["es", "de"])]
            $0.sharing.zones = [PrivacyZone(id: id("home"), centre: east(9000), radius: 300)]
            $0.sharing.alerts = .asked
            ($0.retention, $0.throttle.interval) = (.seconds(86_400 * 90), .seconds(90))
        }
        let tall = person("luis") { $0.attributes = ["height": .number(1.7)] }
        var write = Write(careful, if: .isAbsent)
        write.kept = [.city]
        let people = logged(
            PutPerson(write),
            PutPeople([Write(tall), Write(person("eva") { $0.attributes = ["vegan": .flag(true)] })]),
            Befriend(ana, luis), Befriend(luis, ana),
            Unfriend(ana, luis), MakeFriends(ana, luis), Import.friends(MakeFriends(ana, eva)),
            NoteFriend(ana, luis, .label, "L"), Block(luis, eva), Unblock(luis, eva), MakeFriends(luis, eva),
            Decide(ana, eva, likes: true),
            AddDevice(device(1), of: ana), RotateDevice(device(2), of: ana), RemoveDevice(id("phone"), of: ana),
            CreateGroup(group), ReplaceGroup(Write(renamed, if: .exists)), Invite(luis, to: team, by: ana),
            AcceptInvitation(of: luis, to: team))
        let things = logged(
            Uninvite(eva, from: team), RemoveMember(luis, from: team), DeleteGroup(team),
            PutPlace(Write(place)), PutProduct(Write(product)), PutStockItem(stock),
            SetFavourite(luis, .places, shop.any), RemoveStock(store: shop, product: shoe),
            PostComment(id: id("c"), place: shop, author: luis, text: "good"),
            EditComment(id("c"), at: shop, text: "bad"), DeleteComment(id("c"), at: shop),
            PutFence(Write(Fence(id: id("f"), .circle(valencia, metres: 100), watching: .everybody))),
            MakeFriends(ana, luis), PutFence(Write(watching)), AcceptWatcher(id("w"), of: luis, about: ana),
            PutFence(Write(near)), PutFence(Write(quiet)),
            PutWebhook(Write(Webhook(id: id("w"), url: "https://hooks.example/")), secret: WebhookSecret(0..<32)),
            RotateWebhook(id("w"), secret: WebhookSecret(32..<64)), Redeliver(to: id("w"), from: 1),
            Record([
                ping(0, valencia), ping(60, valencia), ping(300, east(900)), ping(400, east(900), of: "luis"),
                ping(430, east(1000), of: "luis"),
            ]))
        let shares = logged(
            OpenShare(share("s1", 1, until: Self.later + .seconds(60)), of: ana),
            OpenShare(share("s2", 2, until: Self.later), of: ana), AddDevice(device(3), of: luis))
        let key = PingKey(time: morning, sequence: 0)
        let box = Region.box(try Box(west: -1, south: 39, east: 1, north: 40))
        let cell = try json(CubeCell(containing: valencia, level: CellLevels.finest))
        let maintenance = try [
            #""WritePendingStay", "action": {"pending": {"person": 0, "key": \#(try json(key))}}"#,
            #"""
            "ForgetStay", "action": {
                "person": \#(try json(ana)), "times": \#(try json(key.time + .seconds(30)..<key.time + .seconds(50))),
                "area": \#(try json(box))}
            """#,
            #""WritePendingStay", "action": {"pending": {"person": 1}}"#,
            #""FireTimedFences", "action": {}"#, #""CountViews", "action": {"share": 0, "times": 3}"#,
            #""EndExpiredShares", "action": {}"#,
            #""StoreLastRequest", "action": {"device": 1, "time": \#(try json(Self.later))}"#,
            #"""
            "NoteDelivery", "action": {
                "number": 0, "disabled": "gone", "progress": {"epoch": 1, "through": 3, "waiting": []}}
            """#,
            #""CellResolutionUpdate", "action": {"cells": {"denser": [\#(cell)], "sparser": []}}"#,
            #""CellResolutionUpdate", "action": {"people": {"_0": [0, 3]}}"#,
            #""CellResolutionUpdate", "action": {"made": {}}"#,
        ].map { named in
            let now = try json(Self.later)
            let text =
                #"{"name": \#(named), "caller": {"service": {}}, "received": \#(now), "moment": [\#(now), \#(now)]}"#
            return try JSONDecoder().decode(LogEntry.self, from: Data(text.utf8))
        }
        return people + logged(Invite(eva, to: team), by: .person(luis)) + things + shares + maintenance
            + logged(
                EndShare(id("s1"), of: ana), EndWatcher(id("w"), of: luis, about: ana), DeleteFence(id("f"), of: nil),
                DeleteWebhook(id("w")), Erase(ana, [key]), DeletePlace(shop), DeleteProduct(shoe),
                DeletePerson(eva))
    }

    private func share(_ name: String, _ byte: UInt8, until end: Timestamp) -> Share {
        var share = Share(
            id: id(name), token: TokenHash(repeatElement(byte, count: 32)), .exact, since: morning, until: end)
        share.arrival = Share.Arrival(id("shop"), at: valencia, within: 50)
        return share
    }

    private static let later = morning + .seconds(800)

    private func logged(_ actions: any Action..., by caller: Caller = .service) -> [LogEntry] {
        actions.map { LogEntry($0, by: caller, at: Self.later) }
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("A follower of a log of all actions reaches the same state") func replication() async throws {
        try await withFolder { folder in
            let copy = folder.appending(path: "copy")
            let origin = folder.appending(path: "origin")
            try TestEngine(folder: origin).store.close()
            try FileManager.default.copyItem(at: origin, to: copy)
            let (leader, follower) = (
                try TestEngine(folder: origin, rules: PingRules()), try TestEngine(folder: copy, rules: PingRules())
            )
            var names: Set<String> = []
            for logged in try actions() {
                let text = try json(logged)
                let read = try JSONDecoder().decode(LogEntry.self, from: Data(text.utf8))
                #expect(try json(read) == text)
                let done = try await leader.perform(logged.action, by: logged.caller, at: logged.received)
                let followed = try await follower.perform(read.action, by: read.caller, at: read.received)
                #expect("\(followed)" == "\(done)", "\(text)")
                #expect(difference(follower.engine.draftDump, leader.engine.draftDump) == [], "\(text)")
                names.insert("\(type(of: read.action))")
            }
            let reported = try await leader.store.events(after: 0, atMost: 1_000)
            #expect(try await follower.store.events(after: 0, atMost: 1_000) == reported)
            for type in [EventType.fenceExit, .fenceSilent, .nearEnter] {
                #expect(reported.contains { $0.payload.type == type }, "\(type)")
            }
            #expect(reported.contains { $0.payload.type == .fenceEnter && $0.payload.precision != nil })
            #expect(Set(LogEntry.types.map { "\($0)" }).subtracting(names) == [], "all have been done")
            for engine in [leader, follower] { try engine.store.close() }
        }
    }

    private static let forms = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "LoggedActions.txt")

    /// A change of an action must keep these bytes readable, because existing logs have them.
    @Test("The encoding of every action is stable") func encoding() throws {
        let all = try actions()
        let now = try all.map { logged in
            let message = try LogEntries.message(.init(origin: 1, number: 2), with: [logged], longest: .max)
            #expect(message.count == 1)
            return "\(type(of: logged.action)) \(Data(message.bytes).base64EncodedString())\n"
        }
        let kept = try? String(contentsOf: Self.forms, encoding: .utf8)
        if kept != now.joined() {
            // Not in TMPDIR, which tools/test removes at its end.
            let found = URL(filePath: "/var/tmp/LoggedActions.txt")
            try now.joined().write(to: found, atomically: true, encoding: .utf8)
            Issue.record(
                "the forms of now are in \(found.path); old ones must be readable for as long as logs have them")
        }
        for (line, logged) in zip(kept?.split(separator: "\n") ?? [], all) {
            let parts = line.split(separator: " ")
            let bytes = try #require(Data(base64Encoded: String(parts[parts.count - 1])))
            let message = try LogEntries([UInt8](bytes))
            #expect(message.heading == .init(origin: 1, number: 2))
            let read = try message.actions()
            #expect(read.count == 1)
            #expect(try json(read[0]) == json(logged), "\(parts[0])")
        }
    }

    @Test("A message of a later version is refused by name") func laterVersion() throws {
        let logged = LogEntry(Block(id("a"), id("b")), by: .person(id("a")), at: morning)
        var bytes = try LogEntries.message(.init(origin: 0, number: 0), with: [logged], longest: .max).bytes
        let name = try #require(bytes.firstRange(of: Array("Block".utf8)))
        bytes.replaceSubrange(name, with: Array("Blokk".utf8))
        #expect(throws: LogEntries.Fault.action("no action Blokk")) { try LogEntries(bytes).actions() }
        bytes[0] = 2
        #expect(throws: LogEntries.Fault.version(2)) { try LogEntries(bytes) }
        #expect(throws: LogEntries.Fault.self) {
            try LogEntries.message(.init(origin: 0, number: 0), with: [logged], longest: 40)
        }
    }

    @Test("An unknown action name is refused") func unknownName() throws {
        let text = try json(LogEntry(Block(id("a"), id("b")), by: .person(id("a")), at: morning))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                LogEntry.self, from: Data(text.replacing(#""Block""#, with: #""Blok""#).utf8))
        }
    }
}
