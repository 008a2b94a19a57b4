import Foundation
import Model

/// A request and its answer, each a text of lines: request line or status, headers, an empty line, and the body.
///
/// The empty line is absent if there is no body.
struct ReplayExchange {
    var request: String
    var answer: String
}

/// The head and the body of a request in a recording.
struct ReplayMessage {
    /// The principal: a person, `service`, `service:PERSON`, `phone:PERSON`, `nobody` or `nonsense`.
    let caller: String
    let method: String
    let path: String
    let headers: [(name: String, value: String)]
    let body: String?

    init(_ text: String) throws {
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { throw Service.Failure("'\(parts[0])' is not a request") }
        (caller, method, path) = (words[0], words[1], words[2])
        headers = try lines.dropFirst().map { line in
            let pair = line.split(separator: ": ", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { throw Service.Failure("'\(line)' is not a header") }
            return (pair[0], pair[1])
        }
        body = parts.count > 1 ? String(parts[1]) : nil
    }
}

/// The requests to one run of the service.
struct ReplaySession {
    /// The time of the clock between two requests.
    static let step = Duration.milliseconds(10)

    /// The time of the clock at the start of the service.
    var start: Timestamp
    var exchanges: [ReplayExchange] = []
}

/// Runs of the service on one folder.
///
/// In a file `=` and a time begin a run. Lines of a request begin with `>`, lines of an answer with `<`.
struct ReplayRecording {
    var sessions: [ReplaySession]

    var requests: [String] { sessions.flatMap { $0.exchanges.map(\.request) } }

    init(sessions: [ReplaySession]) { self.sessions = sessions }

    init(text: String) throws {
        sessions = []
        var wasAnswer = true
        // By bytes, because a carriage return and a line feed are one character.
        for bytes in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let rest = bytes.dropFirst()
            let line = String(decoding: rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest, as: UTF8.self)
            switch bytes.first {
            case UInt8(ascii: "="):
                guard let start = Timestamp(rfc3339: line) else { throw Service.Failure("'\(line)' is not a time") }
                sessions.append(ReplaySession(start: start))
                wasAnswer = true
            case UInt8(ascii: ">"), UInt8(ascii: "<"):
                guard let last = sessions.indices.last else { throw Service.Failure("a recording begins with a time") }
                let isAnswer = bytes.first == UInt8(ascii: "<")
                sessions[last].add(line, isAnswer: isAnswer, after: wasAnswer)
                wasAnswer = isAnswer
            default:
                throw Service.Failure("a line begins with '=', '>' or '<': \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    var text: String {
        sessions.map { session in
            "= \(session.start.rfc3339)\n"
                + session.exchanges.map { Self.lines($0.request, ">") + Self.lines($0.answer, "<") }.joined()
        }.joined()
    }

    private static func lines(_ message: String, _ mark: String) -> String {
        message.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.isEmpty ? "\(mark)\n" : "\(mark) \(String(decoding: line, as: UTF8.self))\n"
        }.joined()
    }
}

extension ReplaySession {
    /// Adds a line to the last request or answer, or begins an exchange with a request's line after an answer.
    fileprivate mutating func add(_ line: String, isAnswer: Bool, after wasAnswer: Bool) {
        if !isAnswer, wasAnswer {
            exchanges.append(ReplayExchange(request: line, answer: ""))
        } else if let last = exchanges.indices.last {
            if !isAnswer {
                exchanges[last].request += "\n\(line)"
            } else {
                exchanges[last].answer += wasAnswer ? "\n\(line)" : line
            }
        }
    }
}
