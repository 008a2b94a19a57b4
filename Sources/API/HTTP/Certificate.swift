internal import Foundation
public import Model
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The server's TLS certificate, as its files were last read.
public final class Certificate: Sendable {
    private let chainPath: String
    private let keyPath: String
    private let identity: Mutex<Identity>

    /// The validity period; for a chain, of the certificate that expires first.
    public var validity: Range<Timestamp> { identity.withLock { $0.validity } }

    private struct Identity {
        var chain: [NIOSSLCertificateSource]
        var key: NIOSSLPrivateKeySource
        var validity: Range<Timestamp>
    }

    /// Reads the certificate chain, the server's own first, and its private key, both PEM.
    ///
    /// - Throws: ``KeyFileError``.
    public init(chainPath: String, keyPath: String) throws(KeyFileError) {
        self.chainPath = chainPath
        self.keyPath = keyPath
        identity = Mutex(try Self.read(chainPath, keyPath))
    }

    /// Reads the files again; the certificate is unchanged if they are invalid.
    ///
    /// Open connections keep the certificate that they began with.
    ///
    /// - Throws: ``KeyFileError``.
    public func reload() throws(KeyFileError) {
        let new = try Self.read(chainPath, keyPath)
        identity.withLock { $0 = new }
    }

    private static func read(_ chainPath: String, _ keyPath: String) throws(KeyFileError) -> Identity {
        let pem = [UInt8](try GuardedFile(chainPath).read(isSecret: false))
        let secret = [UInt8](try GuardedFile(keyPath).read(isSecret: true))
        let identity: Identity
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(pem)
            guard let brief = chain.min(by: { $0.notValidAfter < $1.notValidAfter }) else {
                throw KeyFileError(chainPath, "has no certificate in PEM")
            }
            let start = Timestamp(milliseconds: Int64(brief.notValidBefore) * 1000)
            identity = Identity(
                chain: chain.map { .certificate($0) },
                key: .privateKey(try NIOSSLPrivateKey(bytes: secret, format: .pem)),
                validity: start..<max(start, Timestamp(milliseconds: Int64(brief.notValidAfter) * 1000)))
        } catch let error as KeyFileError { throw error } catch {
            throw KeyFileError("\(chainPath), \(keyPath)", "are not a certificate and a private key in PEM: \(error)")
        }
        do { _ = try NIOSSLContext(configuration: configuration(identity)) } catch {
            throw KeyFileError("\(chainPath), \(keyPath)", "do not belong together: \(error)")
        }
        return identity
    }

    private static func configuration(_ identity: Identity) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: identity.chain, privateKey: identity.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    /// The server's TLS configuration; each new connection gets the current certificate.
    var configuration: TLSConfiguration {
        var configuration = Self.configuration(identity.withLock { $0 })
        configuration.sslContextCallback = { [self] _, promise in
            let identity = identity.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride.noChanges
            override.certificateChain = identity.chain
            override.privateKey = identity.key
            promise.succeed(override)
        }
        return configuration
    }
}
