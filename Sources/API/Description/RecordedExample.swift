internal import Interchange

/// A request and its answer, as they were recorded; `tools/reference` picks one for each endpoint that has some.
struct RecordedExample: Sendable {
    let status: String
    let request: JSON?
    /// What was answered, by its media type.
    let answer: [String: JSON]

    /// Those of all endpoints, by their names.
    static let all: [String: RecordedExample] = {
        guard let file = PageFile.bytes("examples.json"), case .object(let examples)? = try? JSON(file) else {
            preconditionFailure("the examples are part of the program")
        }
        return examples.compactMapValues(RecordedExample.init)
    }()

    private init?(_ json: JSON) {
        guard case .object(let members) = json, case .text(let status)? = members["status"],
            case .text(let type)? = members["type"]
        else { return nil }
        self.status = status
        request = members["request"].flatMap { $0 == .null ? nil : $0 }
        answer = members["answer"].map { $0 == .null ? [:] : [type: $0] } ?? [:]
    }
}
