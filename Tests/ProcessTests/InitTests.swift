import Foundation
import Testing

/// `cerca init` makes an installation that starts, requires tokens, and can be reached through a proxy.
@Suite(.timeLimit(.minutes(60))) struct InitTests {
    private static let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let caddy = ["/usr/bin/caddy"].first { FileManager.default.isExecutableFile(atPath: $0) }

    private func initialise(_ folder: URL, _ arguments: String..., answers: String = "") throws -> Program.Result {
        let command = ["-c", #"printf "$0" | "$@""#, answers, Program.executable.path, "init", "--folder", folder.path]
        return try Program.runAll(
            command + ["--data", folder.appending(path: "data").path] + arguments, of: URL(fileURLWithPath: "/bin/sh"))
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("A new installation starts and answers callers with its token") func installation() async throws {
        try await withFolder { folder in
            let result = try initialise(folder, answers: "\\n")
            #expect(result.code == 0, "\(result)")
            #expect(try names(folder) == ["cerca.json", "keys.json"])
            let token = try #require(result.output.split(separator: "\n").last.map(String.init))
            let config = folder.appending(path: "cerca.json").path
            #expect(try Program.run("doctor", "--config", config).code == 1, "only the data are not there yet")
            let service = try await Service(data: folder.appending(path: "data"), "--config", config)
            #expect(try await service.send("PUT /v1/people/ana", "{}").status == 401)
            #expect(try await service.send("PUT /v1/people/ana", "{}", token: token).status == 201)
            try await service.logs("wrote and verified a backup")
            #expect(service.stop() == 0)
            #expect(try Program.run("doctor", "--config", config).code == 0)
        }
    }

    @Test("Name and proxy are asked for and put into all files") func nameAndProxy() async throws {
        try await withFolder { folder in
            let result = try initialise(folder, answers: "cerca.example\\n\\n")
            #expect(result.code == 0 && result.errors.contains("[127.0.0.1]"), "\(result)")
            #expect(try names(folder) == ["Caddyfile", "cerca.json", "keys.json", "nginx.conf"])
            let config = folder.appending(path: "cerca.json").path
            let service = try await Service(data: folder.appending(path: "data"), "--config", config)
            let asked = try Program.runAll(
                ["-s", "-H", "Host: cerca.example", service.base + "/livez"], of: URL(fileURLWithPath: "/usr/bin/curl"))
            #expect(asked.output == #"{"status":"ok"}"#)
            try await service.logs("wrote and verified a backup")
            #expect(service.stop() == 0)
            #expect(try Program.run("doctor", "--config", config).code == 0)
        }
    }

    @Test("A proxy on another machine is served without TLS") func remoteProxy() async throws {
        try await withFolder { folder in
            let result = try initialise(folder, "--name", "cerca.example", "--proxy", "10.0.0.2")
            #expect(result.code == 0, "\(result)")
            let doctor = try Program.run("doctor", "--config", folder.appending(path: "cerca.json").path)
            #expect(doctor.output.contains("ok: settings: the service listens on 0.0.0.0, port 8080"), "\(doctor)")
            #expect(doctor.output.contains("ok: proxies: 10.0.0.2"), "\(doctor)")
        }
    }

    @Test("Existing files are not overwritten") func nothingIsOverwritten() async throws {
        try await withFolder { folder in
            try Data("mine".utf8).write(to: folder.appending(path: "nginx.conf"))
            let result = try initialise(folder, "--name", "cerca.example", "--proxy", "127.0.0.1")
            #expect(result.code == 73 && result.errors.contains("nginx.conf: exists already"), "\(result)")
            #expect(try names(folder) == ["nginx.conf"])
        }
    }

    @Test(
        "Invalid names, proxies, and ports are refused",
        arguments: [["--name", "a b"], ["--name", "a;b"], ["--proxy", "somewhere"], ["--port", "0"]])
    func invalidArguments(arguments: [String]) throws {
        #expect(try Program.runAll(["init", "--folder", "/nowhere"] + arguments).code == 64)
    }

    @Test("nginx accepts its configuration file", .enabled(if: nginx != nil, "nginx is not installed"))
    func nginxFile() async throws {
        try await withFolder { folder in
            #expect(try initialise(folder, "--name", "cerca.example", "--proxy", "127.0.0.1").code == 0)
            let script = """
                set -e
                cd "$0"
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=cerca.example \
                    -keyout privkey.pem -out fullchain.pem
                sed -i "s,/etc/letsencrypt/live/cerca.example,$0,; s/listen 80/listen $2/; s/:80;/:$2;/
                    s/listen 443/listen $3/; s/:443 /:$3 /" nginx.conf
                printf 'pid %s/pid; error_log stderr; events {} http { access_log off; include %s/nginx.conf; }' \
                    "$0" "$0" >all.conf
                "$1" -t -p "$0" -c "$0/all.conf"
                """
            let result = try Program.runAll(
                ["-c", script, folder.path, try #require(Self.nginx), "\(try freePort())", "\(try freePort())"],
                of: URL(fileURLWithPath: "/bin/sh"))
            #expect(result.code == 0 && result.errors.contains("test is successful"), "\(result)")
        }
    }

    @Test("Caddy accepts its configuration file", .enabled(if: caddy != nil, "caddy is not installed"))
    func caddyFile() async throws {
        try await withFolder { folder in
            #expect(try initialise(folder, "--name", "cerca.example", "--proxy", "127.0.0.1").code == 0)
            let file = folder.appending(path: "Caddyfile").path
            let result = try Program.runAll(
                ["validate", "--adapter", "caddyfile", "--config", file], ["HOME": folder.path],
                of: URL(fileURLWithPath: try #require(Self.caddy)))
            #expect(result.code == 0, "\(result)")
        }
    }
}
