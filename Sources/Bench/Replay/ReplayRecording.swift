internal import Foundation
internal import Model

/// A request with the answer to it, each as a text of lines: what is asked or the status, then headers, and after an empty line the
/// body, if there is one.
struct ReplayExchange {
    var request: String
    var answer: String
}

/// The head and the body of a request in a recording.
struct ReplayMessage {
    /// Who asks.
    let caller: String
    let method: String
    let path: String
    let headers: [(name: String, value: String)]
    let body: String?

    init(_ text: String) throws {
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { throw MeasurementError("'\(parts[0])' is no request") }
        (caller, method, path) = (words[0], words[1], words[2])
        headers = try lines.dropFirst().map { line in
            let pair = line.split(separator: ": ", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { throw MeasurementError("'\(line)' is no header") }
            return (pair[0], pair[1])
        }
        body = parts.count > 1 ? String(parts[1]) : nil
    }
}

/// What one run of the service was asked, from a time of its clock on.
struct ReplaySession {
    /// By how much the clock goes on from one request to the next.
    static let step = Duration.milliseconds(10)

    var start: Timestamp
    var exchanges: [ReplayExchange] = []
}

/// Runs of the service on the same folder, as a text: `=` and a time begin a run, lines of a request begin with `>` and those of its
/// answer with `<`.
struct ReplayRecording {
    var sessions: [ReplaySession]

    var requests: [String] { sessions.flatMap { $0.exchanges.map(\.request) } }

    init(sessions: [ReplaySession]) { self.sessions = sessions }

    init(text: String) throws {
        sessions = []
        var wasAnswer = true
        // By bytes, for a carriage return and a line feed are one character.
        for bytes in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let rest = bytes.dropFirst()
            let line = String(decoding: rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest, as: UTF8.self)
            switch bytes.first {
            case UInt8(ascii: "="):
                guard let start = Timestamp(rfc3339: line) else { throw MeasurementError("'\(line)' is no time") }
                sessions.append(ReplaySession(start: start))
                wasAnswer = true
            case UInt8(ascii: ">"), UInt8(ascii: "<"):
                guard let last = sessions.indices.last else { throw MeasurementError("a recording begins with a time") }
                let isAnswer = bytes.first == UInt8(ascii: "<")
                sessions[last].add(line, isAnswer: isAnswer, after: wasAnswer)
                wasAnswer = isAnswer
            default: throw MeasurementError("'\(String(decoding: bytes, as: UTF8.self))' belongs to nothing")
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
    /// Adds a line to what it belongs to; the first of a request after an answer begins an exchange.
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
