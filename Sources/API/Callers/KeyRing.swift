internal import Crypto
internal import Foundation
internal import JWTKit
internal import Model
internal import Synchronization

/// The keys of all files, as they were last read.
public final class KeyRing: Sendable {
    /// The paths of the key files.
    public struct Files: Hashable, Sendable {
        /// The path of a key set with the secrets of HS256; nil for none.
        public var secret: String?
        /// The path of a key set with public keys of others; nil for none.
        public var published: String?

        /// Creates the paths; each may be nil.
        public init(secret: String? = nil, published: String? = nil) {
            self.secret = secret
            self.published = published
        }
    }

    private let files: Files
    private let keys: Mutex<(keys: TokenKeys, reads: Int)>
    private let verified = VerifiedTokens()

    /// Reads the keys.
    ///
    /// - Throws: ``KeyFileError``, also when two keys have the same id.
    public init(_ files: Files) async throws(KeyFileError) {
        self.files = files
        keys = Mutex((try await Self.read(files), 1))
    }

    /// Reads the files again; the keys are unchanged if one is invalid.
    ///
    /// - Throws: ``KeyFileError``.
    public func reload() async throws(KeyFileError) {
        let new = try await Self.read(files)
        keys.withLock { $0 = (new, $0.reads + 1) }
    }

    private static func read(_ files: Files) async throws(KeyFileError) -> TokenKeys {
        var all: [TokenKey] = []
        if let path = files.secret { all += try await KeyFile.keys(.secret, in: path) }
        if let path = files.published { all += try await KeyFile.keys(.published, in: path) }
        var known: Set<String> = []
        for id in all.compactMap(\.id) where !known.insert(id).inserted {
            throw KeyFileError(files.published ?? files.secret ?? "", "there are two keys with the kid '\(id)'")
        }
        return TokenKeys(keys: all)
    }

    /// Verifies a token, and returns its proof.
    ///
    /// - Throws: ``TokenFault``.
    func proof(of token: some StringProtocol, at now: Timestamp) throws(TokenFault) -> Proof {
        let (keys, reads) = keys.withLock { $0 }
        return try verified.proof(of: token, at: now, keys: reads) { () throws(TokenFault) in
            try keys.proof(of: token, at: now)
        }
    }
}

extension JWTKeyCollection {
    /// HMAC with SHA-256 and a secret.
    func hmac(_ secret: Data) async -> any JWTAlgorithm {
        add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        do { return try await getKey() } catch { preconditionFailure("a key that was added is there") }
    }
}
