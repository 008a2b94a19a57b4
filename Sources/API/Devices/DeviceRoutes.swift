internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model

/// People's devices, whose tokens are returned only when they are created.
struct DeviceRoutes {
    let engine: Engine
    let unread: UnreadMessages

    func add(to routes: inout RouteTable) {
        routes.chapter = "Devices"
        let all = "/v1/people/{id}/devices"
        let lastHeard = Schema.time.described("When a request with its token was last received; absent if never")
        let unreadable = Schema.object(
            ["count": .count, "protocol": .word(PhoneProtocol.self), "at": .time],
            required: ["count", "protocol", "at"]
        ).described("Messages since the start of the service that could not be read, and the newest; absent for none")
        let device = Schema.object(
            ["id": .id, "since": .time, "last_heard_at": lastHeard, "unreadable": unreadable],
            required: ["id", "since"]
        ).named("Device")
        let token = Schema.object(["id": .id, "token": .text(), "since": .time], required: ["id", "token", "since"])
            .named("DeviceToken")
        let form = Schema.form(["id": .id], required: ["id"]).named("DeviceForm")
        routes.on(
            .get, all, for: .own,
            .init("Lists the devices of a person", as: "listDevices", answers: .page(of: device, named: "Device")), list
        )
        routes.on(
            .post, all, for: .own,
            .init(
                "Adds a device, and returns its token, once", as: "addDevice", takes: .json(form),
                answers: .created(token),
                problems: [.deviceExists, .tooManyDevices]), register)
        routes.on(
            .post, "\(all)/{device}/rotate", for: .own,
            .init("Replaces the token of a device, and returns it, once", as: "rotateDeviceToken", answers: .ok(token)),
            rotate)
        routes.act(
            .delete, "\(all)/{device}", for: .own, .init("Revokes the token of a device", as: "revokeDevice"),
            in: engine
        ) { call in
            let person: PersonID = try call.id("id")
            return try RemoveDevice(call.id("device"), of: person)
        }
    }

    @Sendable private func list(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let devices = try engine.devices(of: id)
        return Answer.object { json in
            json.objects("items", devices) { json, listed in
                json.device(listed)
                guard let entry = unread.entry(of: listed.device, id) else { return }
                json.object("unreadable") { json in
                    json.member("count", entry.count)
                    json.member("protocol", entry.phone.rawValue)
                    json.member("at", entry.at)
                }
            }
        }.unstored
    }

    @Sendable private func register(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let device = try Fields.read(await call.json()) { $0.id("id") as DeviceID? }
        return try await token(.created, of: device, call) { AddDevice($0, of: id) }
            .locating("people", id.text, "devices", device.text)
    }

    @Sendable private func rotate(_ call: Call) async throws -> Answer {
        let (id, device): (PersonID, DeviceID) = (try call.id("id"), try call.id("device"))
        return try await token(.ok, of: device, call) { RotateDevice($0, of: id) }
    }

    private func token<A: Action<DeviceNumber>>(
        _ status: HTTPResponse.Status, of id: DeviceID, _ call: Call, _ action: (Device) -> A
    ) async throws -> Answer {
        let secret = DeviceToken.drawSecret()
        let device = Device(id: id, token: DeviceToken.hash(secret), since: call.received)
        let number = try await engine.perform(action(device), for: call)
        return Answer.object(status) { json in
            json.member("id", id.text)
            json.member("token", DeviceToken(number: number, secret: secret).text)
            json.member("since", device.since)
        }.unstored
    }
}
