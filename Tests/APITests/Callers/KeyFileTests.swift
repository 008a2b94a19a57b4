import API
import Foundation
import Model
import Synchronization
import TestSupport
import Testing

/// Key files: reading, refusals with reasons, and reloading.
@Suite struct KeyFileTests {
    @Test(
        "A provider's token authenticates the person it names",
        arguments: [("ed", "EdDSA"), ("es", "ES256"), ("rs", "RS256")])
    func providers(key: String, algorithm: String) async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("x7", nil)])
            let token = try keys.provided(key, algorithm, TestKeys.providedClaims)
            #expect(try await server.send("GET /v1/people/ana/friends", token: token).status == 200)
            #expect(try await server.send("GET /v1/people/x7/friends", token: token).status == 403)
            #expect(try await server.send("DELETE /v1/products/x", token: token).status == 403)
        }
    }

    @Test("A token need not name the only key of its algorithm") func unnamedKey() async throws {
        try await withKeys { server, keys, _ in
            let claims =
                #"{"iss":"cerca","aud":["cerca"],"exp":\#(TestKeys.now + 1),"nbf":\#(TestKeys.now + 30),"scope":"service"}"#
            let reply = try await server.send("GET /v1/products", token: keys.signed(#"{"alg":"HS256"}"#, claims))
            #expect(reply.status == 200)
        }
    }

    @Test("Tokens that the program signs are valid") func ownTokens() async throws {
        try await withKeys { server, keys, _ in
            let key = try await SigningKey(path: keys.secretPath)
            let token = try key.token(for: ID("ana"), .person, from: morning, for: .seconds(1))
            #expect(try await server.send("PUT /v1/people/ana", "{}", token: token).status == 201)
            try keys.write(SigningKey.file(id: "new"), to: keys.secretPath, mode: 0o600)
            let new = try await SigningKey(path: keys.secretPath).token(
                for: ID("backend"), .service, from: morning, for: .seconds(1))
            #expect(try await server.send("GET /v1/people/ana", token: new).status == 401)
        }
    }

    @Test("Keys are reloaded, and kept if the files cannot be read") func reload() async throws {
        try await withKeys { server, keys, ring in
            let old = keys.service
            let new = keys.signed(
                #"{"alg":"HS256","kid":"next"}"#,
                #"{"iss":"cerca","aud":"cerca","exp":\#(TestKeys.now + 60),"scope":"service"}"#)
            func statuses() async throws -> [Int] {
                [
                    try await server.send("GET /v1/products", token: old).status,
                    try await server.send("GET /v1/products", token: new).status,
                ]
            }
            func write(_ ids: [String]) throws {
                let list = ids.map { keys.secretKey($0) }.joined(separator: ",")
                try keys.write(
                    #"{"iss":"cerca","aud":"cerca","scopes":["service"],"keys":[\#(list)]}"#, to: keys.secretPath,
                    mode: 0o600)
            }
            #expect(try await statuses() == [200, 401])
            try write(["next", "own"])
            #expect(try await statuses() == [200, 401], "not before it is told to")
            try await ring.reload()
            #expect(try await statuses() == [200, 200])
            try keys.write("{", to: keys.secretPath, mode: 0o600)
            await #expect(throws: KeyFileError.self) { try await ring.reload() }
            #expect(try await statuses() == [200, 200])
            try write(["next"])
            try await ring.reload()
            #expect(try await statuses() == [401, 200])
        }
    }

    @Test("A valid token expires") func expiry() async throws {
        let time = Mutex(morning)
        try await withKeys(now: { time.withLock { $0 } }) { server, keys, _ in
            let token = keys.own(#""sub":"backend","scope":"service""#, exp: TestKeys.now + 2)
            for (milliseconds, status) in [(0, 200), (1999, 200), (2000, 401), (1999, 200)] {
                time.withLock { $0 = morning + .milliseconds(milliseconds) }
                let reply = try await server.send("GET /v1/products", token: token)
                #expect(reply.status == status, "\(milliseconds) ms")
            }
        }
    }

    @Test("Invalid key files are refused with their faults") func invalidFiles() async throws {
        let keys = try TestKeys()
        defer { keys.remove() }
        let grant = #""iss":"i","aud":"a","scopes":["person"]"#
        let short = keys.secretKey("k", Data(count: 31))
        let published = try keys.publicKeys
        let one = published.split(separator: "\n")[0].dropLast()
        for (text, mode, isSecret, expected) in [
            ("[]", 0o600, true, "is not a JSON object"),
            ("{", 0o600, true, "is not JSON: it ends early, in line 1"),
            ("{\(grant)}", 0o600, true, "'keys', an array, is required"),
            (#"{\#(grant),"keys":[]}"#, 0o600, true, "/keys has no key for signatures"),
            (#"{\#(grant),"keys":[5]}"#, 0o600, true, "/keys/0 is a number, not an object"),
            (
                #"{\#(grant),"keys":[\#(short)]}"#, 0o600, true,
                "/keys/0/k must be at least 32 random bytes in base64url"
            ),
            (
                #"{\#(grant),"keys":[\#(keys.secretKey("k")),{"kty":"oct","k":"\#(keys.encode(keys.secret))"}]}"#,
                0o600,
                true, "/keys each of several keys needs a 'kid'"
            ),
            (
                #"{"aud":"a","scopes":["person"],"keys":[\#(keys.secretKey("k"))]}"#, 0o600, true,
                "/keys/0/iss is required: the issuer of the tokens, as in their claim 'iss'"
            ),
            (
                #"{"iss":"i","scopes":["person"],"keys":[\#(keys.secretKey("k"))]}"#, 0o600, true,
                "/keys/0/aud is required: the audience that their claim 'aud' must contain, such as \"cerca\""
            ),
            (
                #"{"iss":"i","aud":"a","keys":[\#(keys.secretKey("k"))]}"#, 0o600, true,
                "/keys/0/scopes is required: the scopes that the tokens may have, [\"person\"] for an identity provider, or \"service\" too"
            ),
            (
                #"{"iss":"i","aud":"a","scopes":["admin"],"keys":[\#(keys.secretKey("k"))]}"#, 0o600, true,
                "/keys/0/scopes has something other than \"service\", \"reader\" and \"person\""
            ),
            (
                #"{\#(grant),"keys":[\#(one)]}"#, 0o600, true,
                "/keys/0/kty must be \"oct\": public keys belong in the file of jwks_file"
            ),
            (
                #"{\#(grant),"keys":[\#(keys.secretKey("k"))]}"#, 0o644, false,
                "/keys/0/kty is \"oct\", a secret, which belongs in the file of key_file"
            ),
            (
                #"{\#(grant),"keys":[\#(one.replacing(#""crv""#, with: #""d":"x","crv""#))]}"#, 0o644, false,
                "/keys/0/d is a private key, which belongs to its issuer"
            ),
            (
                #"{\#(grant),"keys":[\#(one.replacing("Ed25519", with: "X25519"))]}"#, 0o644, false,
                "/keys/0/crv is 'X25519'; must be P-256 or Ed25519"
            ),
            (
                #"{\#(grant),"keys":[\#(one.replacing(#""crv""#, with: #""alg":"HS256","crv""#))]}"#, 0o644, false,
                "/keys/0/alg is 'HS256'; a key of this kind is for EdDSA"
            ),
            (#"{\#(grant),"keys":[{"kty":"ML"}]}"#, 0o644, false, #"/keys/0/kty must be "OKP", "EC" or "RSA""#),
            (
                #"{\#(grant),"keys":[\#(keys.secretKey("k"))]}"#, 0o604, true,
                "can be read by others (mode 604); see 'chmod 600'"
            ),
            (
                #"{\#(grant),"keys":[\#(one)]}"#, 0o664, false,
                "can be changed by others (mode 664); see 'chmod go-w'"
            ),
        ] as [(String, Int, Bool, String)] {
            let path = keys.folder.appending(path: "file.json").path
            try keys.write(text, to: path, mode: mode)
            let files = isSecret ? KeyRing.Files(secret: path) : KeyRing.Files(published: path)
            do {
                _ = try await KeyRing(files)
                Issue.record("\(text) was taken")
            } catch { #expect(error.description == "\(path): \(expected)") }
        }
        await #expect(throws: KeyFileError.self) { try await KeyRing(KeyRing.Files(secret: "/nowhere/at/all")) }
    }

    @Test("Two keys of one name are refused") func duplicateNames() async throws {
        let keys = try TestKeys()
        defer { keys.remove() }
        try keys.write(
            #"{"iss":"cerca","aud":"cerca","scopes":["person"],"keys":[\#(keys.secretKey("es"))]}"#,
            to: keys.secretPath,
            mode: 0o600)
        await #expect(throws: KeyFileError.self) { try await keys.ring() }
    }
}
