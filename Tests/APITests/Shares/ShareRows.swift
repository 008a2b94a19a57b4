/// The answers to all callers of links and tickets.
extension CallerRows {
    private static let made =
        #"{"id":"…","precision":"exact","since":"2026-11-20T10:00:00Z","expires":"2026-11-20T10:01:00Z","trail":false,"views":0"#

    static let shares: [CallerRow] = {
        let noLink = problem(404, "Not Found", "not_found", "This link does not exist, or has ended.")
        let noPlace = problem(404, "Not Found", "not_found", "This place does not exist.")
        let noItem = problem(
            404, "Not Found", "not_found", "This place does not exist, or does not have this product.")
        let (list, one) = ("/v1/people/{id}/shares", "/v1/people/ana/shares")
        return [
            .own("POST \(list)", one, #"{"precision":"exact","for_s":60}"#, #"201 \#(made),"url":"/s/…"}"#),
            .own("GET \(list)", one, #"200 {"items":[\#(made)}]}"#),
            .own("DELETE \(list)/{share}", "\(one)/none", absent("share", "none")),
            .known(
                "POST /v1/events/tickets", "/v1/events/tickets",
                #"200 {"ticket":"…","expires":"2026-11-20T10:01:00Z"}"#),
            .anyone("GET /s/{token}", "/s/none", noLink), .anyone("GET /p/{place}", "/p/none", noPlace),
            .anyone("GET /p/{place}/{product}", "/p/none/none", noItem),
        ]
    }()
}

extension CallerRow {
    /// A row whose answer is equal for all callers, with or without credentials.
    static func anyone(_ endpoint: String, _ request: String, _ answer: String) -> CallerRow {
        var row = CallerRow(endpoint, request, own: answer, others: answer, device: answer)
        row.isForAnyone = true
        return row
    }
}

/// The cost of links.
extension BudgetRow {
    /// The token of a link of Ana, which is 32 zero bytes.
    static let token = String(repeating: "A", count: 43)

    private func accepting(_ type: String) -> BudgetRow {
        var row = self
        row.accept = type
        return row
    }

    static let shares = [
        BudgetRow(
            "POST /v1/people/{id}/shares", "/v1/people/ana/shares",
            #"{"for_s":60,"until":{"place":"place0","within_m":100},"trail":true}"#),
        BudgetRow("GET /v1/people/{id}/shares", "/v1/people/ana/shares"),
        BudgetRow("DELETE /v1/people/{id}/shares/{share}", "/v1/people/ana/shares/none").answered(404),
        BudgetRow("GET /s/{token}", "/s/\(token)").accepting("application/json"),
        BudgetRow("GET /p/{place}", "/p/place0").accepting("application/json").answered(404),
        BudgetRow("GET /p/{place}/{product}", "/p/place0/none").accepting("application/json").answered(404),
    ]
}
