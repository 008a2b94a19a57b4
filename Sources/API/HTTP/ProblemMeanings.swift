/// The problem codes for the documents.
public enum ProblemReference {
    /// Each code with its meaning.
    public static var rows: [(code: String, meaning: String)] {
        Problem.Code.allCases.map { ($0.rawValue, $0.meaning) }
    }
}

extension Problem.Code {
    fileprivate var meaning: String {
        switch self {
        case .malformedRequest: "the request is not valid HTTP"
        case .invalidJSON: "the body is not JSON; `detail` specifies where"
        case .invalidBody: "values of the body are invalid; `errors` lists them all"
        case .invalidParameter: "a parameter, or an id in the path, is invalid"
        case .unknownParameter: "this endpoint has no such parameter"
        case .unsupportedMediaType: "the body is in a format that this endpoint does not take"
        case .bodyTooLarge: "the body has more bytes than this endpoint takes"
        case .tooSlow: "the head or the body of the request came too slowly"
        case .batchTooLarge: "the batch has too many pings or queries"
        case .answerTooLarge: "the answer would be too long; ask for less"
        case .documentTooLarge: "the document has more bytes than a person may store"
        case .notFound: "it does not exist, or the caller may not know that it does"
        case .methodNotAllowed: "the path has no such method; `Allow` lists them"
        case .notAcceptable: "none of the formats in `Accept` is possible"
        case .tokenRequired: "the service has keys, and the request has no token"
        case .invalidToken: "the token is wrong or no longer valid"
        case .insufficientScope: "the token's scope does not allow this"
        case .tooManyRequests:
            "the caller exceeded a rate or concurrency limit; `Retry-After` specifies when to continue"
        case .misdirected: "`Host` is not a name of this service"
        case .foreignOrigin: "a page of another origin sent the request"
        case .oneself: "people cannot befriend, block or decide on themselves"
        case .separated: "one of the two people has blocked the other"
        case .notAllowed: "the caller may not do this for that person, place or group"
        case .beingDeleted: "the person is being deleted"
        case .deviceExists: "the person already has a device of that name"
        case .tooManyDevices: "the person has the maximum number of devices"
        case .groupExists: "a group with that id already exists"
        case .tooManyMembers: "the group has the maximum number of members and invitations"
        case .tooManyGroups: "the person belongs to the maximum number of groups"
        case .tooManyPlaces: "the person has the maximum number of places"
        case .tooManyComments: "the person has written the maximum number of comments"
        case .tooManyFriends: "the person has the maximum number of friends and requests"
        case .tooManyBlocks: "the person blocks the maximum number of people"
        case .tooManyDecisions: "the person has the maximum number of decisions"
        case .tooManyFavourites: "the person has the maximum number of favorites"
        case .tooManyFences: "the person has the maximum number of fences, or of their corners"
        case .tooManyShares: "the person has the maximum number of open links"
        case .tooManyWebhooks: "the maximum number of webhooks exists"
        case .preconditionFailed: "the condition in `If-Match` or `If-None-Match` does not hold"
        case .idempotencyKeyReused: "the `Idempotency-Key` was sent before with another request"
        case .noPosition: "the person, or the person who searches, has no stored position"
        case .adultsOnly: "discovery is for people who gave a birth date and are 18 or older"
        case .invalidCursor: "the cursor does not belong to this request"
        case .storageFull: "the disk is full; nothing was stored"
        case .storageUnavailable:
            "the database or the replicated log is not available; `detail` says whether anything was stored"
        case .overloaded: "too many requests or writes are waiting; nothing was stored"
        case .clockBehind: "the clock of the service is behind; such positions are not stored yet"
        case .stopping: "the service is stopping"
        case .internalError: "an error in the service; its messages have the same `instance`"
        case .http: "any other HTTP problem; the status specifies it"
        }
    }
}
