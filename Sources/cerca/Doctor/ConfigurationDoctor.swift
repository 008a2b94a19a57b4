internal import API
internal import Foundation
internal import Model

/// Checks settings, keys, certificate, host names and proxies.
struct ConfigurationDoctor {
    let settings: Settings
    let now: Timestamp

    func findings() async -> [Finding] {
        await [sources(), all(), keys(), certificate(), names(), proxies()].compactMap(\.self)
    }

    private func sources() -> Finding? {
        let unknown = Settings.unknownVariables
        guard !unknown.isEmpty else { return nil }
        return .warning(
            "environment", "\(unknown.joined(separator: ", ")): not a key, so it is ignored",
            "Correct the name, or remove the variable; 'cerca serve --help' lists all keys.")
    }

    /// The checks of `cerca serve` at its start.
    private func all() -> Finding {
        do {
            let (server, _, _, _) = try ServeCommand.checked(settings)
            return .ok("settings", "the service listens on \(server.host), port \(server.port)")
        } catch {
            return .fault("settings", "\(error)", "Correct it: the service cannot start with this value.")
        }
    }

    private func keys() async -> Finding? {
        do {
            guard let files = try settings.keyFiles else {
                return .ok("keys", "there are none: every program on this machine counts as a trusted service")
            }
            try await Self.read(files)
            return .ok("keys", "\(Self.names(of: files)) can be read")
        } catch {
            return .fault("keys", "\(error)", "Correct the file; 'cerca token --new-key FILE' makes a new one.")
        }
    }

    // These two are functions because Swift 6.3.1 crashes in a release build when `keys()` contains their bodies.
    private static func read(_ files: KeyRing.Files) async throws { _ = try await KeyRing(files) }

    private static func names(of files: KeyRing.Files) -> String {
        [files.secret, files.published].compactMap(\.self).joined(separator: ", ")
    }

    private func certificate() -> Finding? {
        // An unreadable certificate is reported with the settings.
        guard let validity = try? settings.certificate?.validity else { return nil }
        let (start, end) = (validity.lowerBound.rfc3339, validity.upperBound.rfc3339)
        let renew = "Put a new one in its place, then send the service SIGHUP."
        guard now >= validity.lowerBound else {
            return .fault("certificate", "it is valid only from \(start) on", "Is the clock right? If it is: \(renew)")
        }
        guard now < validity.upperBound else { return .fault("certificate", "it expired at \(end)", renew) }
        // Programs that renew certificates do so after two thirds of the validity period.
        guard validity.upperBound - now >= (validity.upperBound - validity.lowerBound) / 4 else {
            return .warning("certificate", "it expires at \(end), and has not been renewed", renew)
        }
        return .ok("certificate", "it is valid until \(end)")
    }

    /// Remote callers use a host name, and requests for unknown names are rejected.
    private func names() -> Finding? {
        guard let server = try? settings.server else { return nil }
        let names = server.hosts.filter { !$0.isEmpty }
        guard names.isEmpty else { return .ok("hosts", names.sorted().joined(separator: ", ")) }
        guard !server.isLoopback || server.proxies != TrustedProxies() else { return nil }
        return .warning(
            "hosts", "there are none: requests to a name instead of the address \(server.host) are refused (421)",
            "Set 'hosts' to the names by which the service is reached.")
    }

    private func proxies() -> Finding? {
        guard let server = try? settings.server, let text = try? settings.text("trusted_proxies") else { return nil }
        if server.proxies.isEverybody {
            return .fault(
                "proxies",
                "trusted_proxies has \(text): every client can forge its address, and so evade rate limits",
                "Set 'trusted_proxies' to only the addresses of the proxies.")
        }
        if server.proxies == TrustedProxies(), !server.isLoopback, server.certificate == nil {
            return .warning(
                "proxies",
                "cleartext is for a service behind a proxy, and no proxy is trusted: all its clients "
                    + "count as one address",
                "Set 'trusted_proxies' to the address of the proxy.")
        }
        return server.proxies == TrustedProxies() ? nil : .ok("proxies", text)
    }
}
