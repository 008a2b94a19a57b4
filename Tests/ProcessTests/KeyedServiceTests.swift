import Foundation
import Testing

/// The program with keys: creation of keys and tokens, reloading, TLS, and allowed addresses.
@Suite(.timeLimit(.minutes(60))) struct KeyedServiceTests {
    /// Gives `body` a folder with a key file, and the environment that names it.
    private func withKeyFile(_ body: (URL, [String: String]) async throws -> Void) async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "keys.json").path
            #expect(try Program.run("token", "--new-key", path).code == 0)
            try await body(folder, ["CERCA_KEY_FILE": path])
        }
    }

    private func token(_ environment: [String: String], _ arguments: String...) throws -> String {
        let result = try Program.runAll(["token"] + arguments, environment)
        #expect(result.code == 0, "\(result.errors)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("A new key is readable by its owner only and replaces none") func newKey() async throws {
        try await withKeyFile { folder, environment in
            let path = folder.appending(path: "keys.json").path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let key = try Data(contentsOf: URL(fileURLWithPath: path))
            let again = try Program.run("token", "--new-key", path)
            #expect(again.code == 73 && again.errors == "cerca: \(path): exists already\n")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == key)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            for command in [
                ["serve", "--port", "0", "--data", folder.path], ["token", "--sub", "a", "--scope", "person"],
            ] {
                let result = try Program.runAll(command, environment)
                #expect(result.code == 78)
                #expect(result.errors.contains("keys.json: can be read by others (mode 644); see 'chmod 600'"))
            }
        }
    }

    @Test(
        "Invalid arguments for a token are explained",
        arguments: [
            (["--sub", "a", "--scope", "admin"], "'admin' is not a scope: --scope must be 'service'"),
            (["--sub", "a"], "--scope must be 'service'"),
            (
                ["--sub", "a b", "--scope", "person"],
                "--sub is 'a b'; must be 1 to 128 printable ASCII characters, no space"
            ),
            (["--scope", "person"], "--sub is required: the id of a person"),
            (
                ["--sub", "a", "--scope", "person", "--expires", "12"],
                "--expires is '12'; must be a number and a unit, such as 30d, 12h or 15m"
            ),
            (["--sub", "a", "--new-key", "x"], "--new-key creates a key and no token"),
        ])
    func tokenArguments(arguments: [String], message: String) throws {
        let result = try Program.runAll(["token"] + arguments)
        #expect(result.code == 64 && result.errors.contains("Error: \(message)"))
    }

    @Test("A token without a key is refused") func missingKey() throws {
        let result = try Program.run("token", "--sub", "a", "--scope", "person", environment: ["CERCA_KEY_FILE": ""])
        #expect(
            result.code == 78
                && result.errors.contains("key_file (CERCA_KEY_FILE) is not set; --new-key creates a file"))
    }

    @Test("Keys are reloaded at a signal, and no secret is logged") func reloadedKeys() async throws {
        try await withKeyFile { folder, environment in
            let path = folder.appending(path: "keys.json").path
            let key = try Data(contentsOf: URL(fileURLWithPath: path))
            let token = try token(environment, "--sub", "ana", "--scope", "person", "--expires", "1h")
            let service = try await Service(
                data: folder.appending(path: "data"),
                environment: environment.merging(["CERCA_LOG_LEVEL": "trace"]) { $1 })
            #expect(!service.logText.contains("open to every program"))
            #expect(try await service.send("PUT /v1/people/ana", "{}").status == 401)
            #expect(try await service.send("PUT /v1/people/ana", "{}", token: token).status == 201)
            #expect(try await service.send("PUT /v1/people/luis", "{}", token: token).status == 403)
            try Data("{".utf8).write(to: URL(fileURLWithPath: path))
            kill(service.pid, SIGHUP)
            try await service.logs("go on with the old keys: \(path): is not JSON")
            #expect(try await service.send("GET /v1/people/ana", token: token).status == 200)
            try FileManager.default.removeItem(atPath: path)
            #expect(try Program.run("token", "--new-key", path).code == 0)
            kill(service.pid, SIGHUP)
            try await service.logs("read the keys again")
            #expect(try await service.send("GET /v1/people/ana", token: token).status == 401)
            let secret = try #require(String(decoding: key, as: UTF8.self).firstMatch(of: #/"k": "([^"]+)"/#)?.1)
            #expect(!service.logText.contains(secret) && !service.logText.contains(token))
            #expect(service.stop() == 0)
        }
    }

    @Test("Imports and exports send the token of their environment") func clientTokens() async throws {
        try await withKeyFile { folder, environment in
            let service = try await Service(data: folder.appending(path: "data"), environment: environment)
            let file = folder.appending(path: "people.csv")
            try Data("id\nana\n".utf8).write(to: file)
            let command = ["import", "people", file.path, "--url", service.base]
            let refused = try Program.runAll(command)
            let complaint = "cerca: \(file.path): \(service.base) answered 401: "
            #expect(refused.code == 77 && refused.errors.hasPrefix(complaint), "\(refused.errors)")
            #expect(!refused.errors.contains("{"))
            let person = try self.token(environment, "--sub", "ana", "--scope", "person")
            let forbidden = try Program.runAll(command, ["CERCA_TOKEN": person])
            #expect(forbidden.code == 77 && forbidden.errors.contains("answered 403: "), "\(forbidden.errors)")
            let reader = try self.token(environment, "--sub", "map", "--scope", "reader")
            #expect(try Program.runAll(command, ["CERCA_TOKEN": reader]).code == 77)
            let token = try token(environment, "--sub", "loader", "--scope", "service")
            #expect(try Program.runAll(command, ["CERCA_TOKEN": token]).code == 0)
            let export = ["export", "people", "--format", "csv", "--url", service.base]
            let withheld = try Program.runAll(export)
            #expect(withheld.code == 77 && withheld.output.isEmpty && withheld.errors.contains("answered 401"))
            let exported = try Program.runAll(export, ["CERCA_TOKEN": token])
            #expect(try Program.runAll(export, ["CERCA_TOKEN": reader]).output == exported.output)
            #expect(exported.code == 0 && exported.output.hasSuffix("\nana,,,,,,,,,,,false,,,,,\n"), "\(exported)")
            #expect(service.stop() == 0)
        }
    }

    @Test("An import waits as long as the service asks for") func retryAfter() async throws {
        try await withKeyFile { folder, environment in
            let limits = ["CERCA_LIMITS_SERVICE_RATE": "1", "CERCA_LIMITS_BURST_S": "1"]
            let service = try await Service(
                data: folder.appending(path: "data"), environment: environment.merging(limits) { $1 })
            let token = try token(environment, "--sub", "loader", "--scope", "service")
            let files = ["a", "b"].map { folder.appending(path: "\($0).csv") }
            for file in files { try Data("id\n\(file.lastPathComponent)\n".utf8).write(to: file) }
            let result = try Program.runAll(
                ["import", "people", files[0].path, files[1].path, "--url", service.base], ["CERCA_TOKEN": token])
            #expect(result.code == 0, "\(result.errors)")
            #expect(service.stop() == 0)
        }
    }

    @Test("A service for other machines requires TLS or explicit cleartext") func cleartext() async throws {
        try await withKeyFile { folder, environment in
            let serve = ["serve", "--host", "192.0.2.1", "--data", folder.appending(path: "data").path]
            let bare = try Program.runAll(serve, environment)
            #expect(bare.code == 78)
            #expect(
                bare.errors.contains(
                    "needs TLS: tls.certificate and tls.key, or cleartext=yes behind a proxy that provides it"))
            let half = try Program.runAll(serve, environment.merging(["CERCA_TLS_KEY": "x"]) { $1 })
            #expect(half.code == 78 && half.errors.contains("one without the other is not enough"))
            let wrong = try Program.runAll(serve, environment.merging(["CERCA_CLEARTEXT": "maybe"]) { $1 })
            #expect(wrong.code == 78 && wrong.errors.contains("cleartext: is 'maybe'; must be yes or no"))
            // The address is not of this machine, so the service does not start.
            let plain = try Program.runAll(serve, environment.merging(["CERCA_CLEARTEXT": "yes"]) { $1 })
            #expect(plain.code == 69 && plain.errors.contains("cannot serve on 192.0.2.1:8080"))
        }
    }

    // MARK: - TLS

    /// Makes a certificate for localhost and its key.
    private func makeCertificate(in folder: URL) throws {
        let result = try Program.runAll(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
                folder.appending(path: "key.pem").path, "-out", folder.appending(path: "chain.pem").path,
            ], of: URL(fileURLWithPath: "/usr/bin/openssl"))
        #expect(result.code == 0, "\(result.errors)")
        for (name, mode) in [("key.pem", 0o600), ("chain.pem", 0o644)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: folder.appending(path: name).path)
        }
    }

    private func curl(_ arguments: String...) throws -> Program.Result {
        try Program.runAll(["-s"] + arguments, of: URL(fileURLWithPath: "/usr/bin/curl"))
    }

    @Test("The certificate is reloaded at a signal") func reloadedCertificate() async throws {
        try await withKeyFile { folder, environment in
            try makeCertificate(in: folder)
            let (chain, old) = (folder.appending(path: "chain.pem").path, folder.appending(path: "old.pem").path)
            let service = try await Service(
                data: folder.appending(path: "data"), "--host", "localhost",
                environment: environment.merging(
                    ["CERCA_TLS_CERTIFICATE": chain, "CERCA_TLS_KEY": folder.appending(path: "key.pem").path]) { $1 })
            #expect(service.base.hasPrefix("https://localhost:"))
            #expect(try curl("--cacert", chain, service.base + "/livez").output == #"{"status":"ok"}"#)
            let export = ["export", "people", "--url", service.base]
            let shown = ["CERCA_TOKEN": try token(environment, "--sub", "loader", "--scope", "service")]
            #expect(try Program.runAll(export + ["--cacert", chain], shown).code == 0)
            let mistrusted = try Program.runAll(export, shown)
            #expect(mistrusted.code == 69 && mistrusted.errors.contains("has no trusted certificate: name"))
            let unread = try Program.run("export", "people", "--url", service.base, "--cacert", "/nowhere")
            #expect(unread.code == 66 && unread.errors.contains("--cacert: /nowhere has no readable certificates"))
            #expect(try Program.run("export", "people", "--cacert", chain).code == 64)
            #expect(try curl("--tls-max", "1.1", "-k", service.base + "/livez").code == 35)
            #expect(try curl(service.base.replacing("https", with: "http") + "/livez").code != 0)
            try FileManager.default.moveItem(atPath: chain, toPath: old)
            try makeCertificate(in: folder)
            #expect(try curl("--cacert", chain, service.base + "/livez").code == 60, "not before it is told to")
            kill(service.pid, SIGHUP)
            try await service.logs("read the certificate again")
            #expect(try curl("--cacert", chain, service.base + "/livez").output == #"{"status":"ok"}"#)
            #expect(try curl("--cacert", old, service.base + "/livez").code == 60)
            try FileManager.default.removeItem(atPath: chain)
            try FileManager.default.moveItem(atPath: old, toPath: chain)
            kill(service.pid, SIGHUP)
            try await service.logs("key.pem: do not belong together")
            #expect(service.stop() == 0)
        }
    }
}
