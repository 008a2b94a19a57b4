import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server that sends scripted answers, one per connection, and records the requests.
final class ScriptedServer: Sendable {
    private struct State {
        var answers: ArraySlice<String>
        var heads: [String] = []
        var times: [ContinuousClock.Instant] = []
    }

    private let state: Mutex<State>
    private let channel: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>

    /// The heads of the requests, in order.
    var heads: [String] { state.withLock { $0.heads } }
    /// The arrival times of the requests.
    var times: [ContinuousClock.Instant] { state.withLock { $0.times } }
    var url: URL { URL(string: "http://127.0.0.1:\(channel.channel.localAddress?.port ?? 0)") ?? URL(filePath: "/") }

    private init(_ answers: [String]) async throws {
        state = Mutex(State(answers: answers[...]))
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Sends these answers; after the last one, connections are closed without an answer.
    static func run(_ answers: [String], _ body: (ScriptedServer) async throws -> Void) async throws {
        let server = try await ScriptedServer(answers)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.channel.executeThenClose { connections in
                    for try await connection in connections { try await server.serve(connection) }
                }
            }
            defer { group.cancelAll() }
            try await body(server)
        }
    }

    private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var head = ""
            for try await piece in inbound {
                head += String(buffer: piece)
                guard head.contains("\r\n\r\n") else { continue }
                let answer = state.withLock { state in
                    state.heads.append(head)
                    state.times.append(.now)
                    return state.answers.popFirst()
                }
                if let answer { try await outbound.write(ByteBuffer(string: answer)) }
                return
            }
        }
    }
}
