internal import ArgumentParser
internal import Commit
internal import Interchange
internal import Model
internal import Storage

@main
struct CercaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cerca",
        abstract: "Find people and places nearby: a location and discovery service.",
        version: version,
        subcommands: [
            ServeCommand.self, ImportCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
            InitCommand.self,
            CheckCommand.self, CheckpointCommand.self, DoctorCommand.self,
            TokenCommand.self, OpenAPICommand.self, ReferenceCommand.self,
        ])

    /// Runs the program; for an unknown command suggests a known one, which the argument parser does not.
    static func main() async {
        let known = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        if let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"), !known.contains(name) {
            exit(withError: ValidationError("'\(name)' is not a command\(NearMiss.advice(for: name, among: known))."))
        }
        await main(nil)
    }

    /// The release, the schema of its files, and the commit if the build specified it.
    private static var version: String {
        let commit = String(cString: cerca_commit())
        return "\(Version.program), schema \(FolderState.newestSchema)" + (commit.isEmpty ? "" : ", commit \(commit)")
    }
}
