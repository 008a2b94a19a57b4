internal import ArgumentParser
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A SwiftNIO server without anything else, as a floor for the cost of an answer (`tools/bench against`).
struct BareServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare", abstract: "Serve a constant answer with SwiftNIO alone.", shouldDisplay: false)

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: ProcessInfo.processInfo.activeProcessorCount)
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(ConstantAnswer())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let line = "listening on http://127.0.0.1:\(server.localAddress?.port ?? 0)\n"
        try FileHandle.standardError.write(contentsOf: Data(line.utf8))
        try await server.closeFuture.get()
    }

    /// Answers each request with as many bytes as `/livez` has.
    private final class ConstantAnswer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let body = ByteBuffer(string: #"{"status":"ok"}"#)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let headers = HTTPHeaders([
                ("content-type", "application/json"), ("content-length", "\(body.readableBytes)"),
                ("cache-control", "no-store"),
            ])
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
