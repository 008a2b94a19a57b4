import Discovery
import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// People's devices, and the hashes of their tokens.
@Suite struct DeviceTests {
    private func hash(_ byte: UInt8) -> TokenHash { TokenHash([UInt8](repeating: byte, count: 32)) }

    private func device(_ name: String, _ byte: UInt8 = 1) -> Device {
        Device(id: id(name), token: hash(byte), since: morning)
    }

    private func devices(_ name: String, _ engine: TestEngine) throws -> [Device] {
        try engine.engine.devices(of: id(name)).map(\.device)
    }

    @Test("Devices are added, rotated, removed, and kept across a restart") func lifecycle() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            let phone = try await engine.perform(AddDevice(device("phone"), of: id("ana")))
            let watch = try await engine.perform(AddDevice(device("watch", 2), of: id("ana")))
            #expect(try await engine.perform(AddDevice(device("phone", 3), of: id("luis"))) != phone)
            await #expect(throws: Refusal.deviceExists(id("phone"))) {
                try await engine.perform(AddDevice(device("phone", 4), of: id("ana")))
            }
            #expect(try await engine.perform(RotateDevice(device("watch", 5), of: id("ana"))) == watch)
            #expect(try devices("ana", engine) == [device("phone"), device("watch", 5)])
            #expect(engine.engine.read { $0.device(watch)?.person } == id("ana"))
            try await engine.perform(RemoveDevice(id("phone"), of: id("ana")))
            #expect(engine.engine.read { $0.device(phone)?.device } == nil)
            let late: [any Action] = [
                RemoveDevice(id("phone"), of: id("ana")), RotateDevice(device("phone"), of: id("ana")),
            ]
            for action in late {
                await #expect(throws: Refusal.unknown(.device, id("phone"))) { try await engine.perform(action) }
            }
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            #expect(try devices("ana", again) == [device("watch", 5)])
            try await again.perform(DeletePerson(id("ana")))
            #expect(again.engine.read { $0.device(watch)?.device } == nil)
            let rows = try again.store.inspect { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM devices") }
            #expect(rows == 1, "only the other person's is left")
            try again.store.close()
        }
    }

    @Test("A person has at most 100 devices and manages only their own") func limits() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            for number in 0..<100 { try await engine.perform(AddDevice(device("d\(number)"), of: id("ana"))) }
            await #expect(throws: Refusal.tooManyDevices(100)) {
                try await engine.perform(AddDevice(device("one-more"), of: id("ana")))
            }
            let luis = Caller.person(id("luis"))
            let actions: [any Action] = [
                AddDevice(device("x"), of: id("ana")), RotateDevice(device("d1"), of: id("ana")),
                RemoveDevice(id("d1"), of: id("ana")), RemoveDevice(id("d1"), of: id("ghost")),
            ]
            for action in actions {
                await #expect(throws: Refusal.notAllowed) { try await engine.perform(action, by: luis) }
            }
        }
    }

    private func lastHeard(_ engine: TestEngine) throws -> [Timestamp?] {
        try engine.engine.devices(of: id("ana")).map(\.lastHeard)
    }

    @Test("The last contact of a device is visible at once, stored after ten minutes, and kept by a stop")
    func lastHeardIsKept() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let phone = try await engine.perform(AddDevice(device("phone"), of: id("ana")))
            try await engine.perform(AddDevice(device("watch", 2), of: id("ana")))
            #expect(try lastHeard(engine) == [nil, nil])
            engine.engine.recordRequest(phone, at: morning)
            #expect(try lastHeard(engine) == [morning, nil])
            func written() throws -> Int64? {
                try engine.store.inspect { try Int64.fetchOne($0, sql: "SELECT max(last_heard_ms) FROM devices") }
            }
            try await engine.engine.keepLastHeard(dueAt: morning + .seconds(599))
            #expect(try written() == nil)
            try await engine.engine.keepLastHeard(dueAt: morning + .seconds(600))
            #expect(try written() == morning.milliseconds)
            #expect(try lastHeard(engine) == [morning, nil])
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            let evening = morning + .seconds(36_000)
            restarted.engine.recordRequest(phone, at: evening)
            try await restarted.perform(RotateDevice(device("phone", 3), of: id("ana")))
            let again = try await restarted.restarted()
            #expect(try lastHeard(again) == [evening, nil], "also with another token")
            try await again.perform(RemoveDevice(id("phone"), of: id("ana")))
            try await again.perform(AddDevice(device("phone", 4), of: id("ana")))
            again.engine.recordRequest(phone, at: evening)
            try await again.engine.keepLastHeard(dueAt: evening + .seconds(600))
            #expect(try lastHeard(again) == [nil, nil], "it is another device")
            try again.store.close()
        }
    }

    @Test("Nodes that follow a log agree on the latest contact of a device") func machinesAgree() async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let (a, b) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try TestEngine(folder: a).store.close()
            try FileManager.default.copyItem(at: a, to: b)
            let (first, second) = (try openFollower(a, log), try openFollower(b, log))
            let (early, late) = (morning + .seconds(10), morning + .seconds(20))
            try await following(log, first, second) {
                try await first.add(person("ana"))
                let phone = try await first.perform(AddDevice(device("phone"), of: id("ana")))
                let watch = try await first.perform(AddDevice(device("watch", 2), of: id("ana")))
                first.engine.recordRequest(phone, at: early)
                second.engine.recordRequest(phone, at: late)
                first.engine.recordRequest(watch, at: early)
            }
            #expect(try lastHeard(first) == [early, early] && lastHeard(second) == [late, nil], "each its own")
            for one in [second, first] {
                try await following(log, first, second) {
                    try await one.engine.keepLastHeard(dueAt: morning + .seconds(1000))
                }
            }
            for one in [first, second] { #expect(try lastHeard(one) == [late, early]) }
            #expect(difference(accounts(second), accounts(first)) == [])
            try second.store.close()
            let again = try openFollower(b, log)
            #expect(try lastHeard(again) == [late, early])
            for one in [first, again] { try one.store.close() }
        }
    }

    @Test("All bytes of a token hash are compared") func hashComparison() {
        var bytes = [UInt8](repeating: 9, count: 32)
        #expect(hash(9).matches(TokenHash(bytes)))
        for index in bytes.indices {
            bytes[index] ^= 0x80
            #expect(!hash(9).matches(TokenHash(bytes)), "byte \(index)")
            bytes[index] ^= 0x80
        }
    }
}
