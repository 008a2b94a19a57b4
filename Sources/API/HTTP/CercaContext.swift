internal import Hummingbird
internal import NIOCore

/// The context that Hummingbird carries with a request.
struct CercaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The id of the request, in its answer and in log messages.
    let id = RequestID.next()
    let channel: any Channel
    /// The remote address of the connection.
    let address: SocketAddress?
    let route = RouteTaken()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        address = source.channel.remoteAddress
    }
}
