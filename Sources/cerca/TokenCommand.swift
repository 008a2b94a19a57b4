internal import API
internal import ArgumentParser
internal import Foundation
internal import Model

/// `cerca token`: creates keys and tokens signed with them.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create a key file, or sign a token with its first key.",
        discussion: """
            'cerca token --new-key FILE' creates a key file that only its owner may read. With key_file (CERCA_KEY_FILE) set to \
            it a service requires a token from every caller, and this command prints one:

              cerca token --sub backend --scope service
              cerca token --sub map --scope reader
              cerca token --sub ana --scope person --expires 30d

            Both files of keys are JSON Web Key Sets (RFC 7517): key_file with secrets (kty oct, for HS256), jwks_file with \
            public keys of identity providers (OKP Ed25519 for EdDSA, EC P-256 for ES256, RSA for RS256). The set, or each \
            key, also specifies its tokens:

              {"iss": "https://id.example", "aud": "cerca", "scopes": ["person"], "keys": [...]}

            The token must have the same iss and aud; scopes are those that it may have; person_claim (by default sub) \
            names the claim with the person's id. Several keys need a 'kid' each. A running service reloads the files \
            at SIGHUP; put a new key first and keep the old one until its tokens have expired.
            """)

    @OptionGroup var place: DataOptions
    @Option(help: "Create a key file with a new key.") var newKey: String?
    @Option(help: "The subject of the token: the id of a person, or a name for a service.") var sub: String?
    @Option(help: "The scope of the token: service, reader or person.") var scope: String?
    @Option(help: "The lifetime of the token, such as 30d, 12h or 15m.") var expires = "30d"

    func validate() throws {
        if newKey != nil {
            guard sub == nil, scope == nil else { throw ValidationError("--new-key creates a key and no token") }
            return
        }
        guard let sub else { throw ValidationError("--sub is required: the id of a person, or a name for a service") }
        guard (try? PersonID(sub)) != nil else {
            throw ValidationError("--sub is '\(sub)'; must be 1 to 128 printable ASCII characters, no space")
        }
        guard scope.map({ Scope(rawValue: $0) != nil }) ?? false else {
            let meant = scope.map { "'\($0)' is not a scope: " } ?? ""
            throw ValidationError(
                """
                \(meant)--scope must be 'service', which may do everything, 'reader', which sees what a service sees \
                and changes nothing, or 'person', who sees and changes what is their own
                """)
        }
        guard Settings.duration(expires) != nil else {
            throw ValidationError("--expires is '\(expires)'; must be a number and a unit, such as 30d, 12h or 15m")
        }
    }

    func run() async throws {
        if let newKey { return try Self.makeKey(newKey) }
        let settings = try await place.settings(place.flags)
        guard let path = try settings.keyFiles?.secret else {
            throw Exit.failing("key_file (CERCA_KEY_FILE) is not set; --new-key creates a file", Exit.configuration)
        }
        guard let sub = try sub.map({ try PersonID($0) }), let scope = scope.flatMap(Scope.init),
            let lifetime = Settings.duration(expires)
        else { preconditionFailure("validated before") }
        print(
            try await Exit.configured {
                try await SigningKey(path: path).token(for: sub, scope, from: Clock.now(), for: lifetime)
            })
    }

    /// Creates a key file that only its owner can read.
    static func makeKey(_ path: String) throws {
        let today = Date.now.formatted(.iso8601.year().month().day())
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "exists already" : String(cString: strerror(errno))
            throw Exit.failing("\(path): \(reason)", Exit.cannotCreate)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(SigningKey.file(id: today).utf8))
            try file.synchronize()
        } catch { throw Exit.failing("\(path): \(error.localizedDescription)", Exit.inputOutput) }
        print("\(path): a new key, which only its owner may read; set CERCA_KEY_FILE to it")
    }
}
