import Foundation
import Testing

/// The simulator as it is typed.
@Suite struct SimulatorTests {
    private static let simulator = Program.executable.deletingLastPathComponent().appending(path: "simulator")

    @Test(arguments: ["39.4,", "39.4,,-0.3", "39.4,x,-0.3", "39.4", "39.4,-0.3,1", "91,0"])
    func refusesACentreThatIsNoPlace(centre: String) throws {
        let result = try Program.runAll(["--centre", centre, "--replay", "/nowhere"], of: Self.simulator)
        #expect(result.code == 64 && result.errors.contains("'\(centre)' is no latitude,longitude."))
    }
}
