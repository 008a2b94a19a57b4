internal import Hummingbird
internal import NIOCore

/// What Hummingbird carries with a request.
struct CercaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection that the request came over.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
