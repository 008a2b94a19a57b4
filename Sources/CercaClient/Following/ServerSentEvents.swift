/// Parses Server-Sent Events (WHATWG) from pieces.
struct ServerSentEvents {
    struct Message: Equatable {
        var id: String?
        var type: String
        var data: String
    }

    /// The reconnection time that the stream requests, in milliseconds.
    private(set) var retry: Int?
    /// The id of the last complete message.
    private(set) var lastID: String?
    private var id: String?
    private var type = ""
    private var data: [String] = []
    private var line: [UInt8] = []
    private var endedWithReturn = false

    /// Parses a piece, which may end anywhere.
    ///
    /// - Returns: the messages that are complete now.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Message] {
        var messages: [Message] = []
        for byte in bytes {
            defer { endedWithReturn = byte == UInt8(ascii: "\r") }
            if byte == UInt8(ascii: "\n"), endedWithReturn { continue }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            line.removeAll(keepingCapacity: true)
            if let message = read(line: text) { messages.append(message) }
        }
        return messages
    }

    private mutating func read(line: String) -> Message? {
        guard !line.isEmpty else { return end() }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? parts[1] : ""
        let value = String(rest.hasPrefix(" ") ? rest.dropFirst() : rest)
        switch parts[0] {
        case "id": id = value
        case "event": type = value
        case "data": data.append(value)
        case "retry": retry = Int(value) ?? retry
        default: break  // A comment, or an unknown field.
        }
        return nil
    }

    /// Completes the message at an empty line.
    private mutating func end() -> Message? {
        lastID = id ?? lastID
        defer {
            id = nil
            type = ""
            data = []
        }
        guard !data.isEmpty else { return nil }
        return Message(id: lastID, type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"))
    }

    /// Prepares for a new connection, which repeats an incomplete message.
    mutating func begin() {
        self = ServerSentEvents(retry: retry, lastID: lastID)
    }

    init(retry: Int? = nil, lastID: String? = nil) {
        self.retry = retry
        self.lastID = lastID
    }
}
