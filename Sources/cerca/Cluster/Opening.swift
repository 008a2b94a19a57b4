internal import API
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Logging
internal import Model
internal import ServiceLifecycle
internal import Storage

#if Cluster
    internal import Cluster
#endif

/// Opens the database of a folder, which follows a log if the settings name one.
///
/// Reports the progress to the log and to `startup`.
///
/// - Returns: the engine, and the services that must end after the HTTP service and before it.
func openNode(
    _ settings: Settings, _ folder: URL, _ rules: PingRules, _ startup: StartupListener, _ logger: Logger
) async throws -> (engine: Engine, after: [any Service], before: [any Service]) {
    let announce = { (waiting: Int) in
        logger.info("compacting \(waiting) positions that the last stop left in the ping log")
    }
    let report: LoadProgress = { table, loaded, total in
        logger.info("loading \(table), \(loaded) of about \(total)")
        startup.report(table, loaded, of: total)
    }
    guard let cluster = try await Exit.configured({ try settings.cluster }) else {
        return (try open(folder, rules, loading: report, announcingCompaction: announce), [], [])
    }
    #if Cluster
        do {
            let joining = Joining(settings: cluster, folder: folder, logger: logger)
            let log = try await joining.open()
            let agreement = Agreement(on: rules, log)
            try await agreement.holds()
            try await joining.prepare(log)
            let engine = try open(
                folder, rules, following: NodeLog(log: log), loading: report, announcingCompaction: announce)
            let follower = Follower(engine: engine, log: log, agreement: agreement, logger: logger)
            let upkeep = Upkeep(engine: engine, log: log, logger: logger)
            return (engine, [follower], [upkeep, Heartbeat(engine: engine), agreement])
        } catch let error as StorageError { throw Exit.failing(error, folder) } catch let code as ExitCode {
            throw code
        } catch let error as Disagreement { throw Exit.failing("\(error)", Exit.busy) } catch {
            throw Exit.failing("cannot join the cluster: \(error)", Exit.unavailable)
        }
    #else
        throw Exit.failing(
            "cluster.servers: this program cannot follow \(cluster.servers[0]); build it with --traits Cluster",
            Exit.configuration)
    #endif
}
