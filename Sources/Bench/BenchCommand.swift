internal import ArgumentParser

/// Measurements, each with a brute-force baseline or a target in the same run.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure Cerca.",
        subcommands: [
            IndexBench.self, AreasBench.self, ScaleBench.self, LawsBench.self, StartBench.self, IngestBench.self,
            StreamBench.self, TracksBench.self, ImportBench.self, StoreBench.self, HistoryBench.self, HoursBench.self,
            NormaliserBench.self, ChainsBench.self, DiscoveryBench.self, PlacesBench.self, SiegeBench.self,
            SiegeAttack.self, OverloadBench.self, OverloadLoad.self, MemoryBench.self, WireBench.self,
            AllocationBench.self, FencesBench.self, ReadersBench.self,
        ])
}
