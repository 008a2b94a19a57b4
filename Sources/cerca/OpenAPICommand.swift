internal import API
internal import ArgumentParser

/// `cerca openapi`: prints the response of `/openapi.json`.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the description of the HTTP interface (OpenAPI 3.1).")

    func run() throws { print(try Interface.read { $0.openAPI }) }
}
