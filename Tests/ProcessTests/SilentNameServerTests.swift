import Foundation
import Glibc
import Laws
import Testing

/// A port of this machine that a name server could have, but that does not answer.
private final class SilentNameServer {
    static let address = "127.0.0.153"
    private let socket: Int32

    /// Returns nil if that is not permitted.
    init?() {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_port = UInt16(53).bigEndian
        own.sin_addr.s_addr = inet_addr(Self.address)
        let socket = socket
        let isBound = withUnsafePointer(to: &own) { own in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else {
            close(socket)
            return nil
        }
    }

    deinit { close(socket) }

    /// Whether this machine permits the test, which needs a port below 1024 and a mount namespace.
    static var isPermitted: Bool {
        guard RandomCases.runsAll, SilentNameServer() != nil else { return false }
        let isDone = try? Program.runAll(["-m", "true"], of: URL(filePath: "/usr/bin/unshare")).code == 0
        return isDone ?? false
    }
}

/// The real program with a name server that receives queries and answers none.
///
/// `FairDeliveryTests` checks the same claim everywhere and in every run.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SilentNameServerTests {
    @Test(
        "Webhooks whose names get no answer delay no other webhook and no stop",
        .enabled(if: SilentNameServer.isPermitted))
    func silence() async throws {
        let server = try #require(SilentNameServer())
        defer { withExtendedLifetime(server) {} }
        try await withFolder { folder in
            let receiver = try await Receiver(folder)
            defer { receiver.stop() }
            let file = folder.appending(path: "resolv.conf")
            try Data("nameserver \(SilentNameServer.address)\n".utf8).write(to: file)
            let mount = "mount --bind '\(file.path)' /etc/resolv.conf"
            let service = try await Service(
                data: folder.appending(path: "data"), environment: receiver.allow,
                after: #"exec unshare -m sh -c "\#(mount) && exec \"\$0\" \"\$@\"" "$0" "$@""#)
            for person in ["ana", "luis"] { try await service.send("PUT /v1/people/\(person)", #"{"name":"P"}"#) }
            for number in 0..<60 {
                let url = "https://silent\(number).cerca-test.example/"
                #expect(try await service.send("PUT /v1/webhooks/s\(number)", #"{"url":"\#(url)"}"#).status == 201)
            }
            try await receiver.take("good", "ok", service)
            try await service.send("PUT /v1/people/ana/friends/luis")
            _ = try await receiver.messages("good") { $0.count == 1 }
            let first = try await service.send("GET /v1/webhooks/s0/deliveries").body
            #expect(!first.contains(#""error""#), "the message came before the other names were given up: \(first)")
            try await wait(
                until: {
                    let body = try await service.send("GET /v1/webhooks/s59/deliveries").body
                    return body.contains("the name servers have not answered within 10.0 s")
                }, { "s59 was not given up" })
            try await service.send("PUT /v1/people/luis/friends/ana")
            _ = try await receiver.messages("good") { $0.count == 2 }
            #expect(service.stop() == 0)
        }
    }
}
