internal import Hummingbird

/// What Hummingbird carries with a request.
struct CercaContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}
