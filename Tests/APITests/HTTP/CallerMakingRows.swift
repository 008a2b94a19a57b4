/// The answers to every caller of the endpoints that make something under a random id.
extension CallerRows {
    private static let makerNotOwner = problem(
        403, "Forbidden", "not_allowed",
        "A person who creates a place must be its 'owner'; services may create any place.")

    static let making: [CallerRow] = [
        CallerRow.service("POST /v1/people", "/v1/people", #"{"name":"New"}"#),
        CallerRow(
            "POST /v1/places", "/v1/places", #"{"kind":"topic","name":"New","owner":"ana"}"#,
            own: #"201 {"id":"…","kind":"topic","name":"New","owner":"ana"}"#, others: makerNotOwner),
    ]
}
