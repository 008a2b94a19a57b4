internal import ArgumentParser
internal import AsyncHTTPClient
internal import CercaClient
internal import Foundation
internal import Interchange
internal import NIOSSL

/// The options that select a running service instead of a folder.
struct RemoteOptions: ParsableArguments {
    @Option(help: "The address of a running service, instead of a folder.") var url: String?
    @Option(help: "A file of certificates (PEM) to trust instead of the system's, with --url.")
    var cacert: String?

    func validate(beside place: DataOptions) throws {
        guard url == nil || place.data == nil else { throw ValidationError("--url and --data exclude each other.") }
        guard cacert == nil || url != nil else { throw ValidationError("--cacert is for --url.") }
    }

    /// The service; nil for a folder.
    var service: RunningService? {
        get throws { try url.map { try RunningService($0, trusting: cacert) } }
    }
}

/// A running service that a command calls.
struct RunningService {
    /// The environment variable with the token; not an option, because other users can read command lines.
    static let tokenVariable = "CERCA_TOKEN"

    private let url: URL
    /// The URL without a trailing slash.
    private let base: String
    private let certificates: [NIOSSLCertificate]?

    fileprivate init(_ text: String, trusting file: String?) throws {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw Exit.failing("'\(text)' is not an address such as http://127.0.0.1:8080", Exit.usage)
        }
        self.url = url
        base = text.hasSuffix("/") ? String(text.dropLast()) : text
        do { certificates = try file.map { try NIOSSLCertificate.fromPEMFile($0) } } catch {
            throw Exit.failing("--cacert: \(file ?? "") has no readable certificates", Exit.noInput)
        }
    }

    /// Passes `body` a client without a timeout.
    func withClient<Result>(_ body: (CercaClient) async throws -> Result) async throws -> Result {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        if let certificates {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(certificates)
            configuration.tlsConfiguration = tls
        }
        let token = ProcessInfo.processInfo.environment[Self.tokenVariable].flatMap { $0.isEmpty ? nil : $0 }
        return try await HTTPClient.withHTTPClient(configuration: configuration) { http in
            try await body(CercaClient(url: url, token: token, retries: .none, http: http))
        }
    }

    /// Prints the error of a request, for a file if one is given, and returns the exit code.
    func failing(_ error: CercaError, _ file: String? = nil) -> ExitCode {
        guard let status = error.status else { return Exit.failing("\(base): \(error.detail)", Exit.unavailable) }
        let code =
            switch status {
            case 401, 403: Exit.noPermission
            case 429, 500...: Exit.unavailable
            default: Exit.data
            }
        let advice = status == 401 ? " Set a token in the variable \(Self.tokenVariable)." : ""
        return Exit.failing("\(file.map { "\($0): " } ?? "")\(base) answered \(status): \(error.detail)\(advice)", code)
    }

    /// Writes an export to standard output; `path` is relative to `/v1/exports/`.
    func export(_ path: String, _ format: ExportFormat) async throws {
        var request = CercaClient.Request(.GET, "/v1/exports/\(path)")
        request.headers["accept"] = format.mediaType
        do {
            try await withClient { client in try await client.download(request) { try StandardOutput.write($0) } }
        } catch let error as CercaError { throw failing(error) }
    }
}
