internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model

/// The devices of people, whose tokens are told once, when they are made.
struct DeviceRoutes {
    let live: Live

    func add(to routes: inout RouteTable) {
        routes.on(.get, "/v1/people/{id}/devices", for: .own, list)
        routes.on(.post, "/v1/people/{id}/devices", for: .own, register)
        routes.on(.post, "/v1/people/{id}/devices/{device}/rotate", for: .own, rotate)
        routes.on(.delete, "/v1/people/{id}/devices/{device}", for: .own, remove)
    }

    @Sendable private func list(_ call: Call) async throws -> Answer {
        let id = try call.id("id")
        let devices = try live.read { picture throws(Refusal) in try picture.devices(of: id) }
        return Answer.json { json in
            json.object { json in
                json.member("items") { json in
                    json.list(devices) { json, device in
                        json.object { json in
                            json.member("id", device.id.text)
                            json.member("since", device.since)
                        }
                    }
                }
            }
        }.unstored
    }

    @Sendable private func register(_ call: Call) async throws -> Answer {
        let id = try call.id("id")
        var fields = try Fields(await call.json())
        let device = fields.id("id")
        fields.refuseOthers()
        try fields.check()
        guard let device else { preconditionFailure("an id without a fault is read") }
        return try await token(.created, of: device, call) { .addDevice(id, $0) }
    }

    @Sendable private func rotate(_ call: Call) async throws -> Answer {
        let (id, device) = (try call.id("id"), try call.id("device"))
        return try await token(.ok, of: device, call) { .rotateDevice(id, $0) }
    }

    /// Makes a token and tells it.
    private func token(
        _ status: HTTPResponse.Status, of id: EntityID, _ call: Call, _ action: (Device) -> Action
    ) async throws -> Answer {
        let secret = DeviceToken.drawSecret()
        let device = Device(id: id, token: DeviceToken.hash(secret), since: call.received)
        let outcome = try await live.perform(Command(action(device), by: call.caller, received: call.received))
        guard case .device(let number) = outcome else { preconditionFailure("a device has a number") }
        return Answer.json(status) { json in
            json.object { json in
                json.member("id", id.text)
                json.member("token", DeviceToken(number: number, secret: secret).text)
                json.member("since", device.since)
            }
        }.unstored
    }

    @Sendable private func remove(_ call: Call) async throws -> Answer {
        let action = Action.removeDevice(try call.id("id"), try call.id("device"))
        _ = try await live.perform(Command(action, by: call.caller, received: call.received))
        return .nothing
    }
}
