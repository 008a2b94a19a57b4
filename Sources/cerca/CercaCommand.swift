internal import ArgumentParser
internal import Model
internal import Storage

/// The command line.
@main
struct CercaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cerca",
        abstract: "Who and what is near: a location and discovery service.",
        version: "\(Version.program), schema \(FolderState.newestSchema)",
        subcommands: [
            ServeCommand.self, ImportCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
            InitCommand.self,
            CheckCommand.self, CheckpointCommand.self, DoctorCommand.self,
            TokenCommand.self, OpenAPICommand.self, ReferenceCommand.self,
        ])
}
