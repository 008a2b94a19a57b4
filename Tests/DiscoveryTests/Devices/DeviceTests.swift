import Discovery
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Devices of people, and the hashes of their tokens.
@Suite struct DeviceTests {
    private func hash(_ byte: UInt8) -> TokenHash { TokenHash([UInt8](repeating: byte, count: 32)) }

    private func device(_ name: String, _ byte: UInt8 = 1) -> Device {
        Device(id: id(name), token: hash(byte), since: morning)
    }

    private func number(_ live: TestLive, _ action: Action) async throws -> Int32? {
        guard case .device(let number) = try await live.perform(action) else { return nil }
        return number
    }

    private func devices(_ name: String, _ live: TestLive) throws -> [Device] {
        try live.live.read { picture throws(Refusal) in try picture.devices(of: id(name)) }
    }

    @Test func areRegisteredChangedAndTakenAwayAndKeptOverARestart() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            let phone = try #require(try await number(live, .addDevice(id("ana"), device("phone"))))
            let watch = try #require(try await number(live, .addDevice(id("ana"), device("watch", 2))))
            #expect(try await number(live, .addDevice(id("luis"), device("phone", 3))) != phone)
            await #expect(throws: Refusal.deviceExists(id("phone"))) {
                try await live.perform(.addDevice(id("ana"), device("phone", 4)))
            }
            #expect(try await number(live, .rotateDevice(id("ana"), device("watch", 5))) == watch)
            #expect(try devices("ana", live) == [device("phone"), device("watch", 5)])
            #expect(live.live.read { $0.device(watch)?.person } == id("ana"))
            try await live.perform(.removeDevice(id("ana"), id("phone")))
            #expect(live.live.read { $0.device(phone)?.device } == nil)
            for action in [Action.removeDevice(id("ana"), id("phone")), .rotateDevice(id("ana"), device("phone"))] {
                await #expect(throws: Refusal.unknown(.device, id("phone"))) { try await live.perform(action) }
            }
            let account = live.account
            let again = try await live.restarted()
            #expect(difference(again.account, account) == [])
            #expect(try devices("ana", again) == [device("watch", 5)])
            try await again.perform(.deletePerson(id("ana"), .always))
            #expect(again.live.read { $0.device(watch)?.device } == nil)
            let rows = try again.store.inspect { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM devices") }
            #expect(rows == 1, "only the other person's is left")
            try again.store.close()
        }
    }

    @Test func aPersonHasAHundredAtMostAndOnlyTheirOwn() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            for number in 0..<100 { try await live.perform(.addDevice(id("ana"), device("d\(number)"))) }
            await #expect(throws: Refusal.tooManyDevices(100)) {
                try await live.perform(.addDevice(id("ana"), device("one-more")))
            }
            let luis = Caller.person(id("luis"))
            for action in [
                Action.addDevice(id("ana"), device("x")), .rotateDevice(id("ana"), device("d1")),
                .removeDevice(id("ana"), id("d1")), .removeDevice(id("ghost"), id("d1")),
            ] { await #expect(throws: Refusal.notAllowed) { try await live.perform(action, by: luis) } }
        }
    }

    @Test func hashesAreComparedWholly() {
        var bytes = [UInt8](repeating: 9, count: 32)
        #expect(hash(9).matches(TokenHash(bytes)))
        for index in bytes.indices {
            bytes[index] ^= 0x80
            #expect(!hash(9).matches(TokenHash(bytes)), "byte \(index)")
            bytes[index] ^= 0x80
        }
    }
}
