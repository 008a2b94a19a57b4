internal import Dispatch
internal import Foundation

/// The handling of signals while a database is loaded: a reload is ignored, and a stop ends the process at once, because
/// nothing waits to be written.
struct StartupSignals {
    private let sources: [any DispatchSourceSignal]

    init() {
        sources = [(SIGHUP, false), (SIGTERM, true), (SIGINT, true)].map { signal, isStop in
            let source = DispatchSource.makeSignalSource(signal: signal)
            source.setEventHandler { if isStop { _exit(0) } }
            source.resume()
            return source
        }
    }

    /// Ends the handling, before services handle signals themselves.
    func end() { for source in sources { source.cancel() } }
}
