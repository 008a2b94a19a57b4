internal import Hummingbird
internal import NIOCore

/// What Hummingbird carries with a request.
struct CercaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection that the request came over.
    let channel: any Channel
    /// The address at the other end of the connection.
    let address: SocketAddress?
    /// Which route it takes.
    let route = RouteTaken()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        address = source.channel.remoteAddress
    }
}
