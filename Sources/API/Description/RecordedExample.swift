internal import Interchange

/// A recorded request and its answer; `tools/reference` picks one for each endpoint that has any.
struct RecordedExample: Sendable {
    let status: String
    let request: JSON?
    /// The answer's body, by media type.
    let answer: [String: JSON]

    /// The examples, by endpoint name.
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
