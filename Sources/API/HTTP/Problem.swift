internal import HTTPTypes
internal import Hummingbird
internal import Interchange

/// An error as the caller receives it (RFC 9457).
struct Problem: Error {
    /// A stable name of the error, for programs.
    enum Code: String, CaseIterable {
        case malformedRequest = "malformed_request"
        case invalidJSON = "invalid_json"
        case invalidBody = "invalid_body"
        case invalidParameter = "invalid_parameter"
        case unknownParameter = "unknown_parameter"
        case unsupportedMediaType = "unsupported_media_type"
        case bodyTooLarge = "body_too_large"
        case tooSlow = "too_slow"
        case batchTooLarge = "batch_too_large"
        case answerTooLarge = "answer_too_large"
        case documentTooLarge = "document_too_large"
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case notAcceptable = "not_acceptable"
        case tokenRequired = "token_required"
        case invalidToken = "invalid_token"
        case insufficientScope = "insufficient_scope"
        case tooManyRequests = "too_many_requests"
        case misdirected = "misdirected_request"
        case foreignOrigin = "foreign_origin"
        case oneself
        case separated
        case notAllowed = "not_allowed"
        case beingDeleted = "being_deleted"
        case deviceExists = "device_exists"
        case tooManyDevices = "too_many_devices"
        case groupExists = "group_exists"
        case tooManyMembers = "too_many_members"
        case tooManyGroups = "too_many_groups"
        case tooManyPlaces = "too_many_places"
        case tooManyComments = "too_many_comments"
        case tooManyFriends = "too_many_friends"
        case tooManyBlocks = "too_many_blocks"
        case tooManyDecisions = "too_many_decisions"
        case tooManyFavourites = "too_many_favourites"
        case tooManyFences = "too_many_fences"
        case tooManyShares = "too_many_shares"
        case tooManyWebhooks = "too_many_webhooks"
        case preconditionFailed = "precondition_failed"
        case idempotencyKeyReused = "idempotency_key_reused"
        case noPosition = "no_position"
        case adultsOnly = "adults_only"
        case invalidCursor = "invalid_cursor"
        case storageFull = "storage_full"
        case storageUnavailable = "storage_unavailable"
        case overloaded
        case clockBehind = "clock_behind"
        case stopping
        case internalError = "internal_error"
        case http
    }

    var status: HTTPResponse.Status
    var code: Code
    var detail: String?
    /// The errors of single fields of the body.
    var errors: [FieldError]
    var headers: HTTPFields

    /// Creates a problem with the status of its code.
    init(_ code: Code, detail: String? = nil, errors: [FieldError] = [], headers: HTTPFields = [:]) {
        (status, self.code, self.detail, self.errors, self.headers) = (code.status, code, detail, errors, headers)
    }

    /// The problem of a caller who acts for another person, or changes another person's resource.
    static let notAllowed = Problem(
        .notAllowed, detail: "You may act only for yourself, and change only your own places.")

    /// The problem of positions in the future when it is the service's clock that is wrong.
    static let clockBehind = Problem(
        .clockBehind, detail: "The clock of the service is behind: positions in its future are not stored yet.",
        headers: [.retryAfter: "60"])

    /// The problem of a caller whose request exceeds the service's capacity.
    static let overloaded = Problem(
        .overloaded, detail: "There are more requests than can be answered now: try again later.",
        headers: [.retryAfter: "1"])

    static let contentType = "application/problem+json"

    /// The response; `instance` identifies this occurrence, also in the log.
    func response(instance: String) -> Response {
        var headers = headers
        headers[.contentType] = Self.contentType
        headers[.cacheControl] = "no-store"
        let bytes = ByteBuffer(bytes: body(instance: instance))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    /// The problem as a JSON object.
    func body(instance: String) -> [UInt8] {
        JSONWriter.object { json in
            json.member("type", "about:blank")
            json.member("title", status.reasonPhrase)
            json.member("status", Int64(status.code))
            json.member("code", code.rawValue)
            json.member("detail", detail)
            json.member("instance", "urn:cerca:request:\(instance)")
            if !errors.isEmpty {
                json.objects("errors", errors) { json, error in error.write(to: &json) }
            }
        }
    }
}
