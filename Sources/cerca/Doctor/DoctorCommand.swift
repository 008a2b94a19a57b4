internal import ArgumentParser
internal import Foundation
internal import Model

/// `cerca doctor`: reports problems of an installation with their remedies.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose an installation, and suggest remedies.",
        discussion: """
            It checks settings, keys, certificate, host names and proxies, the data folder with its files and their \
            owners, the disk, the database with its schema and write-ahead log, the clock, the process that uses the \
            folder, the limit of open files, and the libraries. It changes nothing, and the service may be running. The database \
            itself is not checked: see 'cerca check'.

            Use the settings of the service, and run as its user or as root. The exit code is 0 if all is well, \
            1 if something should be changed, and 2 if the service cannot start or does not work.
            """)

    @OptionGroup var place: DataOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let findings = Findings(await findings())
        if json {
            try printJSON(findings)
        } else {
            for finding in findings.findings {
                print("\(finding.state): \(finding.subject): \(finding.detail)")
                if let remedy = finding.remedy { print("  \(remedy)") }
            }
        }
        guard findings.state == .ok else { throw ExitCode(findings.state.exitCode) }
    }

    private func findings() async -> [Finding] {
        let settings: Settings
        do { settings = try await Settings(file: place.config, flags: place.flags) } catch {
            return [
                .fault("settings", "\(error)", "Correct the file or the variable; 'cerca serve --help' lists all keys.")
            ]
        }
        let configured = await ConfigurationDoctor(settings: settings, now: Clock.now()).findings()
        guard let folder = try? settings.dataFolder else { return configured }
        return configured + FolderDoctor(settings: settings, folder: folder, now: Clock.now()).findings()
    }
}

/// Prints a report as JSON for programs.
func printJSON(_ report: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(report), as: UTF8.self))
}
