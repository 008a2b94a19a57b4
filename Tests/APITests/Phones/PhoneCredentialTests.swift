import API
import Testing

/// Tokens in requests of phones.
@Suite struct PhoneCredentialTests {
    @Test(
        "A token is found wherever the app sends it",
        arguments: [
            (nil, nil, nil), (nil, "t", "t"), ("Bearer t", nil, "t"), ("bearer t", "x", "t"),
            // ana:t, :t, ana:t:u, ana
            ("Basic YW5hOnQ=", nil, "t"), ("Basic OnQ=", nil, "t"), ("Basic YW5hOnQ6dQ==", nil, "t:u"),
            ("Basic YW5h", nil, nil), ("Basic t.1.x:", nil, "t.1.x"), ("Basic !", nil, nil), ("Bearer", nil, nil),
            ("Digest t", "x", nil),
        ])
    func tokens(authorization: String?, query: String?, token: String?) {
        #expect(PhoneCredential.token(authorization: authorization, query: query) == token)
    }
}
