import Foundation
import Testing

/// A program in Python that receives webhooks.
final class Receiver {
    struct Message: Decodable {
        struct Body: Decodable {
            let id: Int64?
            let type: String
            let person, other: String?
        }
        let name, kind, id: String
        let verified: [Bool]
        let body: Body
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let folder: URL
    let port: Int
    private let process = Process()

    init(_ folder: URL) async throws {
        self.folder = folder
        let said = folder.appending(path: "said")
        try Data().write(to: said)
        try Data().write(to: folder.appending(path: "received"))
        process.executableURL = Self.folder.appending(path: "../../tools/python").standardizedFileURL
        process.arguments = [Self.folder.appending(path: "Receiver/receiver.py").path, folder.path]
        process.standardOutput = try FileHandle(forWritingTo: said)
        // The end of the tests' output must not wait for the receiver.
        process.standardError = FileHandle.nullDevice
        try process.run()
        while true {
            let text = try String(contentsOf: said, encoding: .utf8)
            if let line = text.firstMatch(of: /(?m)^(\d+)$/), let port = Int(line.1) {
                self.port = port
                return
            }
            guard process.isRunning else { throw Service.Failure("the receiver did not start: \(text)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func stop() {
        process.kill()
    }

    var allow: [String: String] { ["CERCA_WEBHOOKS_ALLOW": "127.0.0.1:\(port)"] }

    /// Registers a webhook that sends events to a path, and keeps its secret.
    func take(_ name: String, _ kind: String, _ service: Service, _ members: String = "") async throws {
        let body = #"{"url":"http://127.0.0.1:\#(port)/\#(name)/\#(kind)"\#(members)}"#
        let made = try await service.send("PUT /v1/webhooks/\(name)", body)
        try learn(name, made.body)
    }

    func learn(_ name: String, _ answer: String, beside former: String = "") throws {
        let secret = try #require(answer.firstMatch(of: #/"secret":"([^"]+)"/#)?.1, "\(answer)")
        try Data("\(former) \(secret)".utf8).write(to: folder.appending(path: "\(name).secret"))
    }

    func secret(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(name).secret"), encoding: .utf8)
    }

    func messages(_ name: String) throws -> [Message] {
        let lines = try String(contentsOf: folder.appending(path: "received"), encoding: .utf8)
        return lines.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Message.self, from: Data($0.utf8))
        }.filter { $0.name == name }
    }

    /// Waits until a condition holds for the messages received under a name.
    func messages(_ name: String, until holds: ([Message]) -> Bool) async throws -> [Message] {
        var received: [Message] = []
        try await wait(
            until: {
                // Reading takes longer the more messages there are.
                try await Task.sleep(for: .milliseconds(received.count / 10))
                received = try messages(name)
                return holds(received)
            }, { "\(name) got only \(received.count): \(received.suffix(20))" })
        return received
    }
}
