internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Tells a client that asks first (`Expect: 100-continue`, RFC 9110, 10.1.1) that it may send its body.
///
/// One that says that its body is too large is not told so, but answered at once.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let limits: Limits

    init(limits: Limits) { self.limits = limits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data), mayContinue(request) {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }

    private func mayContinue(_ request: HTTPRequest) -> Bool {
        guard request.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
        let isImport = request.path?.hasPrefix(ImportRoutes.path) ?? false
        let length = request.headerFields[.contentLength].flatMap { Int($0) } ?? 0
        return length <= (isImport ? limits.importBody : limits.body)
    }
}
