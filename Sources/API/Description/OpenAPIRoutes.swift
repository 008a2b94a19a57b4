internal import HTTPTypes
internal import Synchronization

/// The description of all endpoints, at `/openapi.json`.
struct OpenAPIRoutes {
    private let document: Document

    /// - Parameter endpoints: The endpoints to describe.
    init(of endpoints: [Endpoint]) { document = Document(endpoints) }

    func add(to routes: inout RouteTable) {
        routes.serve("/openapi.json") { [document] call in
            let answer = document.answer
            let tag = answer.digest
            return (call.knows(tag) ? Answer(status: .notModified) : answer).tagged(tag)
        }
    }

    /// The answer, which is made for the first request.
    private final class Document: Sendable {
        private let endpoints: [Endpoint]
        private let made = Mutex<Answer?>(nil)

        init(_ endpoints: [Endpoint]) { self.endpoints = endpoints }

        var answer: Answer {
            made.withLock { made in
                if let made { return made }
                let answer = Answer(
                    headers: [.contentType: "application/json"], body: OpenAPI(endpoints: endpoints).bytes)
                made = answer
                return answer
            }
        }
    }
}
