internal import API
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Reloads keys and certificate at SIGHUP; on an error the old ones stay in use.
struct Reload: Service {
    let keys: KeyRing?
    let certificate: Certificate?
    let logger: Logger

    private func reread(_ what: String, _ reload: () async throws(KeyFileError) -> Void) async {
        do throws(KeyFileError) {
            try await reload()
            logger.notice("read the \(what) again")
        } catch { logger.error("go on with the old \(what): \(error)") }
    }

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let keys { await reread("keys") { () throws(KeyFileError) in try await keys.reload() } }
            if let certificate { await reread("certificate") { () throws(KeyFileError) in try certificate.reload() } }
        }
    }
}
