internal import ArgumentParser

/// The command line.
@main
struct CercaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cerca",
        abstract: "Who and what is near: a location and discovery service.",
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, ImportCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
            InitCommand.self,
            CheckCommand.self, CheckpointCommand.self, DoctorCommand.self,
            TokenCommand.self, OpenAPICommand.self, ReferenceCommand.self,
        ])
}
