internal import Foundation
internal import Glibc
internal import Interchange
internal import Logging
internal import Model

/// Logs messages as JSON lines for programs.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = JSONWriter.object { json in
            json.member("time", Clock.now())
            json.member("level", event.level.rawValue)
            json.member("message", event.message.description)
            let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
            for (name, value) in all.sorted(by: { $0.key < $1.key }) {
                if case .stringConvertible(let number as any BinaryInteger) = value {
                    json.member(name, Int64(clamping: number))
                } else {
                    json.member(name, "\(value)")
                }
            }
        }
        line.append(UInt8(ascii: "\n"))
        // One write, so that lines of several threads do not mix. Errors are ignored because they cannot be reported.
        _ = write(STDERR_FILENO, line, line.count)
    }
}

enum LogFormat: String, CaseIterable {
    /// Text on a terminal, otherwise JSON.
    case auto
    case text, json

    func handler(_ label: String) -> any LogHandler {
        let isForPeople = self == .text || self == .auto && isatty(STDERR_FILENO) == 1
        return isForPeople ? StreamLogHandler.standardError(label: label) : JSONLogHandler()
    }
}
