internal import HTTPTypes
internal import Synchronization

/// The description of all endpoints, at `/openapi.json`.
struct OpenAPIRoutes {
    private let document: Document

    /// - Parameters:
    ///   - endpoints: The endpoints to describe.
    ///   - isOpen: Whether the service needs no token.
    init(of endpoints: [Endpoint], isOpen: Bool) { document = Document(OpenAPI(endpoints: endpoints, isOpen: isOpen)) }

    func add(to routes: inout RouteTable) {
        routes.serve("/openapi.json") { [document] call in
            let answer = document.answer
            let tag = answer.digest
            return (call.knows(tag) ? Answer(status: .notModified) : answer).tagged(tag)
        }
    }

    /// The answer, which is made for the first request.
    private final class Document: Sendable {
        private let description: OpenAPI
        private let made = Mutex<Answer?>(nil)

        init(_ description: OpenAPI) { self.description = description }

        var answer: Answer {
            made.withLock { made in
                if let made { return made }
                let answer = Answer(headers: [.contentType: "application/json"], body: description.bytes)
                made = answer
                return answer
            }
        }
    }
}
