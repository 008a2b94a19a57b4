internal import Foundation
internal import Glibc
internal import Interchange
internal import Logging
internal import Model

/// Messages as JSON, one on a line, for programs that read them.
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
            let told = metadata.merging(event.metadata ?? [:]) { _, own in own }
            for (name, value) in told.sorted(by: { $0.key < $1.key }) {
                if case .stringConvertible(let number as any BinaryInteger) = value {
                    json.member(name, Int64(clamping: number))
                } else {
                    json.member(name, "\(value)")
                }
            }
        }
        line.append(UInt8(ascii: "\n"))
        // At once, so that lines of several threads do not mix. To whom nobody listens says nothing.
        _ = write(STDERR_FILENO, line, line.count)
    }
}

/// How messages are written.
enum LogFormat: String, CaseIterable {
    /// For people on a terminal, for programs else.
    case auto
    case text, json

    /// What writes them.
    func handler(_ label: String) -> any LogHandler {
        let isForPeople = self == .text || self == .auto && isatty(STDERR_FILENO) == 1
        return isForPeople ? StreamLogHandler.standardError(label: label) : JSONLogHandler()
    }
}
