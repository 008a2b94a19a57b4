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

    private func devices(_ name: String, _ live: TestLive) throws -> [Device] {
        try live.live.read { picture throws(Refusal) in try picture.devices(of: id(name)) }
    }

    @Test func areRegisteredChangedAndTakenAwayAndKeptOverARestart() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            let phone = try await live.perform(AddDevice(device("phone"), of: id("ana")))
            let watch = try await live.perform(AddDevice(device("watch", 2), of: id("ana")))
            #expect(try await live.perform(AddDevice(device("phone", 3), of: id("luis"))) != phone)
            await #expect(throws: Refusal.deviceExists(id("phone"))) {
                try await live.perform(AddDevice(device("phone", 4), of: id("ana")))
            }
            #expect(try await live.perform(RotateDevice(device("watch", 5), of: id("ana"))) == watch)
            #expect(try devices("ana", live) == [device("phone"), device("watch", 5)])
            #expect(live.live.read { $0.device(watch)?.person } == id("ana"))
            try await live.perform(RemoveDevice(id("phone"), of: id("ana")))
            #expect(live.live.read { $0.device(phone)?.device } == nil)
            let late: [any Action] = [
                RemoveDevice(id("phone"), of: id("ana")), RotateDevice(device("phone"), of: id("ana")),
            ]
            for action in late {
                await #expect(throws: Refusal.unknown(.device, id("phone"))) { try await live.perform(action) }
            }
            let account = live.account
            let again = try await live.restarted()
            #expect(difference(again.account, account) == [])
            #expect(try devices("ana", again) == [device("watch", 5)])
            try await again.perform(DeletePerson(id("ana")))
            #expect(again.live.read { $0.device(watch)?.device } == nil)
            let rows = try again.store.inspect { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM devices") }
            #expect(rows == 1, "only the other person's is left")
            try again.store.close()
        }
    }

    @Test func aPersonHasAHundredAtMostAndOnlyTheirOwn() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            for number in 0..<100 { try await live.perform(AddDevice(device("d\(number)"), of: id("ana"))) }
            await #expect(throws: Refusal.tooManyDevices(100)) {
                try await live.perform(AddDevice(device("one-more"), of: id("ana")))
            }
            let luis = Caller.person(id("luis"))
            let actions: [any Action] = [
                AddDevice(device("x"), of: id("ana")), RotateDevice(device("d1"), of: id("ana")),
                RemoveDevice(id("d1"), of: id("ana")), RemoveDevice(id("d1"), of: id("ghost")),
            ]
            for action in actions {
                await #expect(throws: Refusal.notAllowed) { try await live.perform(action, by: luis) }
            }
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
