internal import ArgumentParser
internal import Foundation
internal import Laws

/// `tools/bench laws`: checks the laws of the tests with any number of seeds, on all cores.
struct LawsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "laws", abstract: "Check the laws on many random cases.")

    @Option(help: "The number of cases of each law.") var seeds = 100_000
    @Option(help: "The first seed.") var from = 0
    @Option(help: "Only laws whose names contain this.") var only = ""

    func run() async throws {
        print("\(seeds) seeds each, from \(from), on \(Machine.description)")
        for law in (Law.geometry + Law.index + Law.travel + Law.fences) where only.isEmpty || law.name.contains(only) {
            let time = try await ContinuousClock().measure { try await check(law) }
            print("holds in \(short(time.seconds, 1)) s: \(law.name)")
        }
    }

    private func check(_ law: Law) async throws {
        let workers = ProcessInfo.processInfo.activeProcessorCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    for seed in stride(from: from + worker, to: from + seeds, by: workers) {
                        try law.check(seed: UInt64(seed))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
