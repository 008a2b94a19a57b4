internal import Hummingbird
internal import NIOCore

/// What Hummingbird carries with a request.
struct CercaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The id of the request, which its answer has and the messages name.
    let id = RequestID.next()
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
