import API
import Crypto
import CryptoExtras
import Discovery
import Foundation
import Model
import TestSupport

/// Key files of every kind, and tokens that are signed without the code under test.
struct TestKeys {
    let folder: URL
    let secret = Data(repeating: 7, count: 32)
    let ed = Curve25519.Signing.PrivateKey()
    let es = P256.Signing.PrivateKey()
    let rs: _RSA.Signing.PrivateKey

    var secretPath: String { folder.appending(path: "keys.json").path }
    var publishedPath: String { folder.appending(path: "jwks.json").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cerca-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        rs = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        try write(
            #"{"iss":"cerca","aud":"cerca","scopes":["service","reader","person"],"keys":[\#(secretKey("own"))]}"#,
            to: secretPath, mode: 0o600)
        try write(
            #"{"iss":"https://id.example","aud":"cerca","scopes":["person"],"person_claim":"user","keys":[\#(try publicKeys)]}"#,
            to: publishedPath, mode: 0o644)
    }

    func secretKey(_ id: String, _ secret: Data? = nil) -> String {
        #"{"kty":"oct","alg":"HS256","kid":"\#(id)","k":"\#(encode(secret ?? self.secret))"}"#
    }

    var publicKeys: String {
        get throws {
            let point = es.publicKey.rawRepresentation
            let primitives = try rs.publicKey.getKeyPrimitives()
            return """
                {"kty":"OKP","crv":"Ed25519","kid":"ed","use":"sig","x":"\(encode(ed.publicKey.rawRepresentation))"},
                {"kty":"EC","crv":"P-256","kid":"es","alg":"ES256","x":"\(encode(point.prefix(32)))","y":"\(encode(point.suffix(32)))"},
                {"kty":"RSA","kid":"rs","n":"\(encode(primitives.modulus))","e":"\(encode(primitives.publicExponent))"},
                {"kty":"RSA","kid":"for-encryption","use":"enc","alg":"RSA-OAEP","n":"x","e":"AQAB"}
                """
        }
    }

    func write(_ text: String, to path: String, mode: Int) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func ring() async throws -> KeyRing {
        try await KeyRing(KeyRing.Files(secret: secretPath, published: publishedPath))
    }

    // MARK: - Tokens

    /// The morning in seconds since 1970.
    static let now = Int(morning.milliseconds / 1000)

    /// A token of our own key, with claims in addition to the usual ones.
    func own(_ claims: String, exp: Int = now + 60) -> String {
        signed(#"{"alg":"HS256","kid":"own"}"#, #"{"iss":"cerca","aud":"cerca","exp":\#(exp),\#(claims)}"#)
    }

    func person(_ id: String) -> String { own(#""sub":"\#(id)","scope":"person""#) }
    var service: String { own(#""sub":"backend","scope":"service""#) }
    var reader: String { own(#""sub":"map","scope":"reader""#) }

    /// A token of an identity provider, signed with its key of this name.
    func provided(_ key: String, _ algorithm: String, _ claims: String) throws -> String {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(key)"}"#
        return try signed(header, "{\(claims)}") { input in
            switch key {
            case "ed": try ed.signature(for: input)
            case "es": try es.signature(for: input).rawRepresentation
            default: try rs.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation
            }
        }
    }

    static let providedClaims =
        #""iss":"https://id.example","aud":["other","cerca"],"exp":\#(now + 60),"user":"ana","sub":"x7","scope":"openid""#

    /// A token with this header and these claims, signed with our secret.
    func signed(_ header: String, _ claims: String) -> String {
        hmac(header, claims, key: secret)
    }

    func hmac(_ header: String, _ claims: String, key: Data) -> String {
        signed(header, claims) { Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: key))) }
    }

    func signed(_ header: String, _ claims: String, _ sign: (Data) throws -> Data) rethrows -> String {
        let input = "\(encode(Data(header.utf8))).\(encode(Data(claims.utf8)))"
        return "\(input).\(encode(try sign(Data(input.utf8))))"
    }

    func encode(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// Runs `body` with a server that requires tokens, and the keys to make them.
func withKeys(
    _ configure: (inout Server.Configuration) -> Void = {
        $0.rates.address.perSecond = 0; $0.rates.person.perSecond = 0
    },
    rules: PingRules = PingRules(), now: @escaping @Sendable () -> Timestamp = { morning },
    _ body: (TestServer, TestKeys, KeyRing) async throws -> Void
) async throws {
    let keys = try TestKeys()
    defer { keys.remove() }
    let ring = try await keys.ring()
    try await withServer(configure, keys: ring, rules: rules, now: now) { server in try await body(server, keys, ring) }
}

extension TestServer {
    @discardableResult
    func send(_ line: String, _ body: String? = nil, token: String, type: String = "application/json") async throws
        -> Reply
    {
        try await send(line, body, type: type, headers: ["authorization": "Bearer \(token)"])
    }
}

/// The text of a problem as an answer has it.
func problem(
    _ status: Int, _ title: String, _ code: String, _ detail: String, _ errors: String = ""
) -> String {
    #"\#(status) {"type":"about:blank","title":"\#(title)","status":\#(status),"code":"\#(code)","detail":"\#(detail)","instance":"…"\#(errors.isEmpty ? "" : #","errors":[\#(errors)]"#)}"#
}
