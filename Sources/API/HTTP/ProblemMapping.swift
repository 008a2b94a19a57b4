internal import Discovery
internal import HTTPTypes
internal import Hummingbird
internal import Interchange
internal import Model

/// Maps errors to statuses; this is the only place that does.
extension Problem {
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let refusal as Refusal: self.init(refusal)
        case let error as StorageError: self.init(error)
        case let error as FormError: self.init(error)
        case let error as any HTTPResponseError: self.init(error.status)
        case let error as BrokenImport:
            self.init(error.cause)
            detail = [detail, error.progress].compactMap(\.self).joined(separator: " ")
        case let error as TooManyColumns: self.init(.notAcceptable, detail: "\(error).")
        case let error as BrokenBody where error.cause is RequestTimeout:
            self.init(.tooSlow, detail: "The body arrives too slowly.")
        case is AbandonedRequest:
            self.init(.malformedRequest, detail: "The client closed its side of the connection long before the answer.")
        case is BrokenBody:
            self.init(.malformedRequest, detail: "The body ends early, or its framing is not valid HTTP.")
        case is CancellationError:
            self.init(.stopping, detail: "The service is stopping.", headers: [.retryAfter: "5"])
        default: self.init(.internalError)
        }
    }

    init(_ error: FormError) {
        let code: Code =
            switch error.code {
            case .invalidJSON: .invalidJSON
            case .invalidBody: .invalidBody
            case .invalidParameter: .invalidParameter
            case .bodyTooLarge: .bodyTooLarge
            case .batchTooLarge: .batchTooLarge
            }
        self.init(code, detail: error.detail, errors: error.errors)
    }

    private init(_ refusal: Refusal) {
        switch refusal {
        case .unknown(.position, let id):
            self.init(.notFound, detail: "No position of '\(id)' is visible to you.")
        case .unknown(let kind, let id):
            self.init(.notFound, detail: "There is no \(kind.rawValue) '\(id)'.")
        case .oneself: self.init(.oneself, detail: "The two must be different people.")
        case .separated: self.init(.separated, detail: "One of the two has blocked the other.")
        case .notAllowed: self = .notAllowed
        case .makerNotOwner:
            self.init(
                .notAllowed,
                detail: "A person who creates a place must be its 'owner'; services may create any place.")
        case .kindNotAllowed(let kind, let kinds):
            self.init(
                .notAllowed,
                detail: "The kind is '\(kind)'; people may create places of \(kinds), services of any kind.")
        case .throttleTooLow(let distance, let interval):
            self.init(
                .notAllowed,
                detail: "A throttle below \(distance) m or \(interval.seconds) s needs a token of scope 'service'.")
        case .tokensStayEnded(let bound):
            let detail = "'tokens_not_before' is \(bound.rfc3339): only services can set it back or remove it."
            self.init(.notAllowed, detail: detail)
        case .beingDeleted(let id):
            self.init(
                .beingDeleted, detail: "The data of a former person '\(id)' are still being deleted: try again later.",
                headers: [.retryAfter: "2"])
        case .conditionFailed:
            self.init(.preconditionFailed, detail: "The precondition does not hold.")
        case .noPosition(let id):
            self.init(.noPosition, detail: "The position of '\(id)' is not known: none is stored.")
        case .noPositionThen(let id):
            self.init(
                .noPosition, detail: "The position of '\(id)' then is not known: none is stored at or before that time."
            )
        case .deviceExists(let id):
            self.init(
                .deviceExists,
                detail: "A device '\(id)' exists already: its '/rotate' replaces its token.")
        case .tooManyDevices(let most):
            self.init(.tooManyDevices, detail: "A person has at most \(most) devices.")
        case .groupExists(let id): self.init(.groupExists, detail: "A group '\(id)' exists already.")
        case .notOwner:
            self.init(.notAllowed, detail: "Only the owner of a group can change it and remove members.")
        case .tooManyMembers(let most):
            self.init(.tooManyMembers, detail: "A group has at most \(most) members and invitations.")
        case .tooManyGroups(let most):
            self.init(.tooManyGroups, detail: "A person belongs to at most \(most) groups.")
        case .tooManyWebhooks(let most):
            self.init(.tooManyWebhooks, detail: "There are at most \(most) webhooks.")
        case .tooMany(let possession, let most):
            self.init(possession.code, detail: "A person has at most \(most) \(possession.words).")
        case .notAdult:
            self.init(.adultsOnly, detail: "Discovery is for people who gave a birth date and are 18 or older.")
        }
    }

    private init(_ error: StorageError) {
        switch error {
        case .full:
            self.init(.storageFull, detail: "The disk is full; nothing was stored.", headers: [.retryAfter: "60"])
        case .readOnly, .inputOutput, .locked:
            self.init(
                .storageUnavailable, detail: "The database cannot be written; nothing was stored.",
                headers: [.retryAfter: "5"])
        case .overloaded:
            self.init(
                .overloaded, detail: "The write queue is full; nothing was stored.",
                headers: [.retryAfter: "2"])
        case .unanswered:
            self.init(
                .storageUnavailable, detail: "The log does not respond; it is not known whether anything was stored.",
                headers: [.retryAfter: "5"])
        case .damaged, .inUse, .unreachable, .occupied, .newerSchema, .olderSchema, .constraint, .other:
            self.init(.internalError)
        }
    }

    private init(_ status: HTTPResponse.Status) {
        switch status {
        case .notFound: self.init(.notFound, detail: "There is nothing at this path.")
        case .contentTooLarge: self.init(.bodyTooLarge)
        default:
            self.init(.http)
            self.status = status
        }
    }
}

extension Problem.Code {
    /// The status of problems with this code; for ``http`` the status of the original error replaces it.
    var status: HTTPResponse.Status {
        switch self {
        case .malformedRequest, .invalidJSON, .invalidBody, .invalidParameter, .unknownParameter, .invalidCursor:
            .badRequest
        case .tokenRequired, .invalidToken: .unauthorized
        case .insufficientScope, .foreignOrigin, .notAllowed, .adultsOnly: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .tooSlow: .requestTimeout
        case .separated, .beingDeleted, .noPosition, .deviceExists, .groupExists, .tooManyDevices, .tooManyMembers,
            .tooManyGroups, .tooManyPlaces, .tooManyComments, .tooManyFriends, .tooManyBlocks, .tooManyDecisions,
            .tooManyFavourites, .tooManyFences, .tooManyShares, .tooManyWebhooks:
            .conflict
        case .preconditionFailed: .preconditionFailed
        case .bodyTooLarge, .batchTooLarge, .answerTooLarge, .documentTooLarge: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .misdirected: .misdirectedRequest
        case .oneself, .idempotencyKeyReused: .unprocessableContent
        case .tooManyRequests: .tooManyRequests
        case .internalError, .http: .internalServerError
        case .storageFull, .storageUnavailable, .overloaded, .clockBehind, .stopping: .serviceUnavailable
        }
    }
}

extension Allowance.Possession {
    fileprivate var code: Problem.Code {
        switch self {
        case .place: .tooManyPlaces
        case .comment: .tooManyComments
        case .friend: .tooManyFriends
        case .block: .tooManyBlocks
        case .decision: .tooManyDecisions
        case .favourite: .tooManyFavourites
        case .fence, .fenceCorner, .watcher, .nearFence: .tooManyFences
        case .share: .tooManyShares
        }
    }

    fileprivate var words: String {
        switch self {
        case .place: "places"
        case .comment: "comments"
        case .friend: "friends and requests for friendship"
        case .block: "blocks"
        case .decision: "decisions about others"
        case .favourite: "favorites of a kind"
        case .fence: "fences"
        case .fenceCorner: "corners of fences"
        case .watcher: "fences of friends about them"
        case .nearFence: "fences about the distance of friends or the members of a group"
        case .share: "open links"
        }
    }
}
