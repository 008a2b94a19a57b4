internal import API
internal import Webhooks

/// Settings of authentication, proxies, origins and rate limits.
extension Settings {
    /// The files with the keys of tokens; nil if there are none.
    var keyFiles: KeyRing.Files? {
        get throws {
            let files = KeyRing.Files(secret: try path("key_file"), published: try path("jwks_file"))
            return files == KeyRing.Files() ? nil : files
        }
    }

    /// The server's certificate; nil to serve without TLS.
    var certificate: Certificate? {
        get throws {
            switch (try path("tls.certificate"), try path("tls.key")) {
            case (nil, nil): return nil
            case (let chain?, let key?): return try Certificate(chainPath: chain, keyPath: key)
            default: throw SettingsError("tls.certificate and tls.key: one without the other is not enough")
            }
        }
    }

    /// Whether clients on other machines are served without TLS.
    var allowsCleartext: Bool {
        get throws {
            switch try text("cleartext") {
            case "yes": return true
            case "no": return false
            case let other: throw SettingsError("cleartext: is '\(other)'; must be yes or no")
            }
        }
    }

    var proxies: TrustedProxies {
        get throws {
            let text = try text("trusted_proxies")
            do throws(TrustedProxiesError) { return try TrustedProxies(text) } catch {
                throw SettingsError(
                    "trusted_proxies: '\(error.entry)' is neither an address nor a network like 10.0.0.0/8")
            }
        }
    }

    /// The addresses that webhooks may reach.
    var webhooks: WebhookRules {
        get throws {
            let text = try text("webhooks.allow")
            do throws(WebhookRulesError) { return try WebhookRules(allowing: text) } catch {
                throw SettingsError("webhooks.allow: '\(error.entry)' is neither a host nor a host with a port")
            }
        }
    }

    /// The origins of other web pages that may send requests (CORS).
    var origins: AllowedOrigins {
        get throws {
            let text = try text("cors.origins")
            do throws(AllowedOriginsError) { return try AllowedOrigins(text) } catch {
                throw SettingsError(
                    "cors.origins: '\(error.entry)' is not an origin such as https://app.example; each must be listed")
            }
        }
    }

    /// The rate limits of callers.
    var rates: Rates {
        get throws {
            let saved = try seconds("limits.burst_s")
            var rates = Rates()
            rates.person = Rate(perSecond: try rate("limits.person_rate"), saved: saved)
            rates.service = Rate(perSecond: try rate("limits.service_rate"), saved: saved)
            rates.address = Rate(perSecond: try rate("limits.address_rate"), saved: saved)
            return rates
        }
    }

    /// A rate in requests per second: 0 for unlimited, or at least 0.001.
    private func rate(_ name: String) throws -> Double {
        let rate = try number(name, 0...1e6)
        guard rate == 0 || rate >= 1e-3 else {
            throw SettingsError("\(name): is \(rate); must be 0 for unlimited, or 0.001 to 1000000.0")
        }
        return rate
    }

    private func path(_ name: String) throws -> String? {
        let path = try text(name)
        return path.isEmpty ? nil : path
    }
}
