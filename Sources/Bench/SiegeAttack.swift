internal import ArgumentParser
internal import Foundation

/// The process of the two attackers of a siege.
///
/// It is separate from the measuring process and has the lowest priority, because real attackers have machines of their
/// own, whose cost must not be measured.
struct SiegeAttack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siege-attack",
        abstract: "Run one attack pattern until the input ends (tools/bench siege starts it).",
        discussion: "The input has a line with the name and token of the helping service, and one for each person.",
        shouldDisplay: false)

    @Option(help: "The attack pattern.") var way: String
    @Argument(help: "The address of the service.") var base: String

    func run() async throws {
        guard let way = SiegeWay.all.first(where: { $0.name == way }) else {
            throw MeasurementError("unknown attack pattern '\(way)'")
        }
        var callers: [AttackClient] = []
        for _ in 0..<3 {
            guard let line = readLine(), let caller = SiegeCaller(line: line) else {
                throw MeasurementError("a line with a name and a token is missing")
            }
            callers.append(AttackClient(caller, base))
        }
        let (backend, persons) = (callers[0], callers[1...])
        for person in persons { try await way.prepare(person) }
        print("ready")
        fflush(nil)
        let attack = Task {
            await withTaskGroup(of: Void.self) { group in
                for person in persons {
                    for client in 0..<way.clients {
                        group.addTask { await repeating { await way.attack(person, client) } }
                    }
                }
                if let meanwhile = way.meanwhile { group.addTask { await repeating { await meanwhile(backend) } } }
            }
        }
        await withCheckedContinuation { ended in
            Thread.detachNewThread {
                while readLine() != nil {}
                ended.resume()
            }
        }
        attack.cancel()
        await attack.value
        for person in persons { await way.end(person) }
        print(persons.map(\.reported).joined(separator: " | "))
        for caller in callers { try await caller.close() }
    }

    /// Repeats `body` with short pauses until canceled.
    private func repeating(_ body: () async -> Void) async {
        while !Task.isCancelled {
            await body()
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}
