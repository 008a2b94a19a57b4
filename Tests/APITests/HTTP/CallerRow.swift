/// An endpoint, a request to it by `ana`, and the answers.
struct CallerRow {
    var endpoint: String
    var request: String
    var body: String?
    var type = "application/json"
    /// The answer to Ana; nil for requests of services only.
    var own: String?
    /// The answer to a friend of hers for the same request.
    var friend: String
    /// The answer to a stranger; nil if it equals that to a friend.
    var stranger: String?
    var device = CallerRows.devicesSend
    /// The query with which the request has the maximum cost, in a world with much data; nil if ``BudgetRow/all`` has
    /// rows for the endpoint.
    var costly: String?
    /// Whether the endpoint requires no credentials, and whether it accepts only the token of a device.
    var (isForAnyone, isForPhones) = (false, false)

    init(
        _ endpoint: String, _ request: String? = nil, _ body: String? = nil, type: String = "application/json",
        own: String?, others friend: String, stranger: String? = nil, device: String = CallerRows.devicesSend
    ) {
        self.endpoint = endpoint
        let words = endpoint.split(separator: " ").map(String.init)
        self.request = "\(words[0]) \(request ?? words[1].replacing("{id}", with: "ana"))"
        self.body = body
        self.type = type
        self.own = own
        self.friend = friend
        self.stranger = stranger
        self.device = device
    }

    /// A row for data of a person, which other people cannot access.
    static func own(_ endpoint: String, _ request: String, _ answer: String, costly query: String? = nil) -> CallerRow {
        var row = CallerRow(endpoint, request, own: answer, others: CallerRows.notAllowed)
        row.costly = query
        return row
    }

    /// A row for data of a person, with a body.
    static func own(_ endpoint: String, _ request: String, _ body: String, _ answer: String) -> CallerRow {
        CallerRow(endpoint, request, body, own: answer, others: CallerRows.notAllowed)
    }

    /// A row for members of a group, to which neither Luis nor Eva belongs.
    static func group(_ endpoint: String, _ request: String, _ body: String?, _ answer: String) -> CallerRow {
        CallerRow(endpoint, request, body, own: answer, others: CallerRows.absent("group", "g"))
    }

    /// A row for members of a group, without a body.
    static func group(_ endpoint: String, _ request: String, _ answer: String) -> CallerRow {
        group(endpoint, request, nil, answer)
    }

    /// A row for data that every authenticated caller can read.
    static func known(_ endpoint: String, _ request: String, _ answer: String) -> CallerRow {
        CallerRow(endpoint, request, own: answer, others: answer)
    }

    /// A row for devices of phones, whose request stores nothing.
    static func phone(_ endpoint: String, _ body: String?, _ answer: String) -> CallerRow {
        var row = CallerRow(endpoint, nil, body, own: CallerRows.noDevice, others: CallerRows.noDevice, device: answer)
        row.isForPhones = true
        return row
    }

    /// A row for requests of services only.
    static func service(_ endpoint: String, _ request: String, _ body: String? = nil, type: String = "application/json")
        -> CallerRow
    {
        CallerRow(endpoint, request, body, type: type, own: nil, others: CallerRows.servicesOnly)
    }
}
