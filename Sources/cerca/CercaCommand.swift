internal import ArgumentParser
internal import Commit
internal import Model
internal import Storage

/// The command line.
@main
struct CercaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cerca",
        abstract: "Who and what is near: a location and discovery service.",
        version: version,
        subcommands: [
            ServeCommand.self, ImportCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
            InitCommand.self,
            CheckCommand.self, CheckpointCommand.self, DoctorCommand.self,
            TokenCommand.self, OpenAPICommand.self, ReferenceCommand.self,
        ])

    /// The release, what files it writes, and the commit, if whoever built it said so.
    private static var version: String {
        let commit = String(cString: cerca_commit())
        return "\(Version.program), schema \(FolderState.newestSchema)" + (commit.isEmpty ? "" : ", commit \(commit)")
    }
}
