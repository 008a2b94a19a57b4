internal import HTTPTypes
internal import Synchronization

/// The description of all endpoints, at `/openapi.json`.
struct OpenAPIRoutes {
    private let document: Document

    /// - Parameter endpoints: those that are described.
    init(of endpoints: [Endpoint]) { document = Document(endpoints) }

    func add(to routes: inout RouteTable) {
        routes.serve("/openapi.json") { [document] call in
            let answer = document.answer
            let tag = answer.digest
            return (call.knows(tag) ? Answer(status: .notModified) : answer).tagged(tag)
        }
    }

    /// What is answered, made when somebody asks for the first time.
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
