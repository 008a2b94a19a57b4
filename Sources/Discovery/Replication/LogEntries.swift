internal import Structures

/// A message of a log: a batch of actions that were submitted together, in order.
///
/// It is encoded as a version byte, the heading and each action, in the format of ``CompactWriter``.
package struct LogEntries {
    /// The format version that is written; all versions up to it can be read.
    package static let version: UInt8 = 1

    /// The reason why a message cannot be applied.
    package enum Fault: Error, Equatable, CustomStringConvertible {
        /// A later program wrote it.
        case version(UInt8)
        /// It has an action that this program does not know, or with unknown content.
        case action(String)
        /// The next message, of this number, is missing.
        case gap(UInt64)
        /// An action is larger than the maximum message size; its size in bytes.
        case tooLong(Int)
        /// Most comparing nodes have another state than this one, after the entry of this number.
        case differing(UInt64, String)

        /// A description for operators.
        package var description: String {
            switch self {
            case .version(let version): "its version is \(version), but this program supports \(LogEntries.version)"
            case .action(let reason): "it cannot be read: \(reason)"
            case .gap(let number): "message \(number) is missing"
            case .tooLong(let bytes): "an action has \(bytes) bytes, more than the maximum of a message"
            case .differing(let number, let tables):
                "other nodes have another result after message \(number): \(tables)"
            }
        }
    }

    /// The sender of a message, and its number there.
    package struct Heading: Codable, Hashable, Sendable {
        /// Identifies a start of a node.
        package var origin: UInt64
        /// Counted from 0.
        package var number: UInt64
        /// The sender's digest, in a message that publishes one.
        package var comparison: ReplicaConsistencyCheck?

        /// The heading of a message from a start of a node.
        package init(origin: UInt64, number: UInt64) { (self.origin, self.number) = (origin, number) }
    }

    package let heading: Heading
    private var reader: CompactReader

    /// Decodes the version and heading of a message.
    ///
    /// - Throws: ``Fault``.
    package init(_ bytes: [UInt8]) throws(Fault) {
        guard let version = bytes.first, (1...Self.version).contains(version) else {
            throw .version(bytes.first ?? 0)
        }
        reader = CompactReader(bytes, from: 1)
        do { heading = try reader.read() } catch { throw .action("\(error)") }
    }

    /// Decodes the actions.
    ///
    /// - Throws: ``Fault``.
    package func actions() throws(Fault) -> [LogEntry] {
        var (reader, actions) = (reader, [LogEntry]())
        do { while !reader.isAtEnd { actions.append(try reader.read()) } } catch { throw .action(Self.words(error)) }
        return actions
    }

    private static func words(_ error: any Error) -> String {
        if case DecodingError.dataCorrupted(let context) = error { return context.debugDescription }
        return "\(error)"
    }

    /// The first message of a log, which has no actions.
    package static var first: [UInt8] {
        get throws {
            try message(Heading(origin: .random(in: 0...UInt64.max), number: 0), with: [], longest: .max).bytes
        }
    }

    /// Encodes a message with as many of the actions as fit.
    ///
    /// - Returns: its bytes, and the number of its actions, at least one.
    /// - Throws: ``Fault/tooLong(_:)`` if the first action does not fit.
    package static func message(
        _ heading: Heading, with actions: some Sequence<LogEntry>, longest: Int
    ) throws -> (bytes: [UInt8], count: Int) {
        let writer = CompactWriter([version])
        try writer.write(heading)
        var count = 0
        for action in actions {
            let mark = writer.mark
            try writer.write(action)
            if writer.bytes.count > longest {
                guard count > 0 else { throw Fault.tooLong(writer.bytes.count) }
                writer.goBack(to: mark)
                break
            }
            count += 1
        }
        return (writer.bytes, count)
    }
}
