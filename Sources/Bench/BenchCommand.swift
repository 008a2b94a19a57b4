internal import ArgumentParser

/// Measurements, each with a brute-force baseline or a target in the same run.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure Cerca.",
        subcommands: [
            IndexBench.self, ScaleBench.self, LawsBench.self, StartBench.self, IngestBench.self, ImportBench.self,
            StoreBench.self, HistoryBench.self, DiscoveryBench.self, PlacesBench.self, SiegeBench.self,
            SiegeAttack.self, MemoryBench.self, WireBench.self, BareServer.self,
        ])
}
