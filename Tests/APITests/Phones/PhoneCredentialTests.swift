import API
import Testing

/// Where phones put their tokens.
@Suite struct PhoneCredentialTests {
    @Test(arguments: [
        (nil, nil, nil), (nil, "t", "t"), ("Bearer t", nil, "t"), ("bearer t", "x", "t"),
        // ana:t, :t, ana:t:u, ana
        ("Basic YW5hOnQ=", nil, "t"), ("Basic OnQ=", nil, "t"), ("Basic YW5hOnQ6dQ==", nil, "t:u"),
        ("Basic YW5h", nil, nil), ("Basic t.1.x:", nil, "t.1.x"), ("Basic !", nil, nil), ("Bearer", nil, nil),
        ("Digest t", "x", nil),
    ])
    func isFoundWhereverTheAppPutIt(authorization: String?, query: String?, token: String?) {
        #expect(PhoneCredential.token(authorization: authorization, query: query) == token)
    }
}
