internal import API
internal import ArgumentParser
internal import Foundation
internal import Model

/// `cerca init`: creates settings, a key, a first token, and the configuration of a proxy.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create settings, a key and a first token, and files for a proxy.",
        discussion: """
            Asks for the name of the service and the address of its TLS proxy, unless options specify \
            them. With an empty name only this machine can connect. Writes cerca.json and keys.json, and for a name Caddyfile \
            and nginx.conf; use the one for your proxy. Nothing is overwritten.

            The last line of the output is a token that may do everything.
            """)

    @Option(help: "The folder for the files.") var folder = "."
    @Option(help: "The folder of the data.") var data = "cerca-data"
    @Option(help: "The name by which callers reach the service; '' for none.") var name: String?
    @Option(help: "The address of the proxy, as the service sees it.") var proxy: String?
    @Option(help: "The port of the service.") var port = 8080

    private static let ownProxy = "127.0.0.1"

    func validate() throws {
        guard (1...65_535).contains(port) else { throw ValidationError("--port must be from 1 to 65535") }
        try name.map(Self.check(name:))
        try proxy.map(Self.check(proxy:))
    }

    private static func check(name: String) throws {
        guard name.isEmpty || name.wholeMatch(of: /[A-Za-z0-9](?:[A-Za-z0-9.\-]{0,251}[A-Za-z0-9])?/) != nil else {
            throw ValidationError("'\(name)' is not a host name such as cerca.example")
        }
    }

    private static func check(proxy: String) throws {
        guard !proxy.contains(","), let proxies = try? TrustedProxies(proxy), proxies != TrustedProxies() else {
            throw ValidationError("'\(proxy)' is not the address of a proxy, such as \(ownProxy)")
        }
    }

    func run() async throws {
        let name = try name ?? Self.ask("The name by which callers reach the service (empty: only this machine)", "")
        try Self.check(name: name)
        let proxy = try name.isEmpty ? "" : proxy ?? Self.ask("The address of the proxy that speaks TLS", Self.ownProxy)
        if !name.isEmpty { try Self.check(proxy: proxy) }
        let place = URL(fileURLWithPath: folder, isDirectory: true)
        let keys = place.appending(path: "keys.json")
        var files = [("cerca.json", try settings(name, proxy, keys))]
        if !name.isEmpty { files += [("Caddyfile", caddy(name)), ("nginx.conf", nginx(name))] }
        for path in files.map({ place.appending(path: $0.0).path }) + [keys.path]
        where FileManager.default.fileExists(atPath: path) {
            throw Exit.failing("\(path): exists already", Exit.cannotCreate)
        }
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try TokenCommand.makeKey(keys.path)
            for (file, text) in files {
                let path = place.appending(path: file)
                try Data(text.utf8).write(to: path, options: .withoutOverwriting)
                print("\(path.relativePath): written")
            }
        } catch let code as ExitCode { throw code } catch {
            throw Exit.failing("\(place.path): \(error.localizedDescription)", Exit.cannotCreate)
        }
        let backend = try PersonID("backend")
        let token = try await Exit.configured {
            try await SigningKey(path: keys.path).token(
                for: backend, .service, from: Clock.now(), for: .seconds(86_400 * 365))
        }
        print(
            """
            Start the service with 'cerca serve --config \(place.appending(path: "cerca.json").relativePath)'.
            A token for a back end, good for a year, which may do everything:
            \(token)
            """)
    }

    /// The typed answer, or the default for an empty line or the end of input.
    private static func ask(_ question: String, _ standard: String) throws -> String {
        FileHandle.standardError.write(Data("\(question)\(standard.isEmpty ? "" : " [\(standard)]"): ".utf8))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        return answer.isEmpty ? standard : answer
    }

    private func settings(_ name: String, _ proxy: String, _ keys: URL) throws -> String {
        // A proxy on another machine cannot reach the loopback interface, and connects without TLS.
        let isElsewhere = !name.isEmpty && !proxy.hasPrefix("127.") && proxy != "::1"
        var settings: [String: Any] = [
            "data": URL(fileURLWithPath: data).path, "host": isElsewhere ? "0.0.0.0" : "127.0.0.1", "port": port,
            "key_file": keys.path, "backup": ["every": "1d"],
        ]
        if !name.isEmpty { settings["hosts"] = name }
        if !name.isEmpty { settings["trusted_proxies"] = proxy }
        if isElsewhere { settings["cleartext"] = "yes" }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: settings, options: options), as: UTF8.self)
            + "\n"
    }

    private func caddy(_ name: String) -> String {
        """
        # Put this into /etc/caddy/Caddyfile. Caddy gets the certificate by itself.
        \(name) {
        \treverse_proxy 127.0.0.1:\(port)
        }

        """
    }

    private func nginx(_ name: String) -> String {
        """
        # Put this into /etc/nginx/conf.d; 'certbot certonly --nginx -d \(name)' gets the certificate.
        server {
            listen 80;
            listen [::]:80;
            server_name \(name);
            return 301 https://$host$request_uri;
        }

        server {
            listen 443 ssl http2;
            listen [::]:443 ssl http2;
            server_name \(name);
            ssl_certificate /etc/letsencrypt/live/\(name)/fullchain.pem;
            ssl_certificate_key /etc/letsencrypt/live/\(name)/privkey.pem;

            # Cerca limits bodies itself, and streams imports and exports.
            client_max_body_size 0;
            proxy_request_buffering off;
            proxy_buffering off;

            location / {
                proxy_pass http://127.0.0.1:\(port);
                proxy_http_version 1.1;
                proxy_set_header Host $host;
                proxy_set_header Connection "";
                # Addresses that callers claim are not forwarded.
                proxy_set_header X-Forwarded-For $remote_addr;
                proxy_set_header Forwarded "";
                proxy_read_timeout 1h;
            }
        }

        """
    }
}
