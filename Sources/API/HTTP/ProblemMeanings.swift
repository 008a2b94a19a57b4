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
        case .malformedRequest: "the request is no HTTP that can be understood"
        case .invalidJSON: "the body is not JSON; `detail` says where"
        case .invalidBody: "values of the body are wrong; `errors` lists them all"
        case .invalidParameter: "a parameter, or an id in the path, has an impossible value"
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
        case .insufficientScope: "the token is not of the kind that may do this"
        case .tooManyRequests: "the caller did too much lately; `Retry-After` says when to go on"
        case .misdirected: "`Host` is not a name of this service"
        case .foreignOrigin: "a page of another origin sent the request"
        case .oneself: "nobody can be a friend of, block or decide on oneself"
        case .separated: "a block lies between the two people"
        case .notAllowed: "the caller may not do this for that person, place or group"
        case .beingDeleted: "the person is being deleted"
        case .deviceExists: "the person has a device of that name"
        case .tooManyDevices: "the person has as many devices as possible"
        case .groupExists: "there is a group with that id"
        case .tooManyMembers: "the group has as many members and invitations as possible"
        case .tooManyGroups: "the person belongs to as many groups as possible"
        case .tooManyPlaces: "the person has as many places as possible"
        case .tooManyComments: "the person has written as many comments as possible"
        case .tooManyFriends: "the person has as many friends and requests as possible"
        case .tooManyBlocks: "the person blocks as many people as possible"
        case .tooManyDecisions: "the person has as many decisions as possible"
        case .tooManyFavourites: "the person has as many favourites as possible"
        case .tooManyFences: "the person has as many fences, or corners of them, as possible"
        case .tooManyShares: "the person has as many open links as possible"
        case .tooManyWebhooks: "there are as many webhooks as possible"
        case .preconditionFailed: "the document changed since its `ETag` was read"
        case .idempotencyKeyReused: "the `Idempotency-Key` was sent before with something else"
        case .noPosition: "the person has no position, or none that the caller may know"
        case .adultsOnly: "discovery is for people who gave a birth date and are 18 or older"
        case .invalidCursor: "the cursor is not one of this request"
        case .storageFull: "the disk is full; nothing was stored"
        case .storageUnavailable: "the file cannot be written now; nothing was stored"
        case .overloaded: "more waits to be stored than can be; nothing was stored"
        case .clockBehind: "the clock of the service is behind; such positions are not stored yet"
        case .stopping: "the service is stopping"
        case .internalError: "a fault of the service; its messages have the same `instance`"
        case .http: "any other problem of HTTP; the status says which"
        }
    }
}
