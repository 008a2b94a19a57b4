internal import Structures

/// A message of a log: actions that were handed in together, in this order.
///
/// A version byte, who wrote it and which of theirs it is, then each action, in the form of ``CompactWriter``.
package struct LoggedActions {
    /// The form that is written; a reader knows all up to it.
    package static let version: UInt8 = 1

    /// Why a message cannot be followed.
    package enum Fault: Error, Equatable, CustomStringConvertible {
        /// A later program wrote it.
        case version(UInt8)
        /// It has an action that this program does not know, or which says something else.
        case action(String)
        /// Another message comes than the one of this number, which is next.
        case gap(UInt64)
        /// An action has more bytes than a message may have.
        case tooLong(Int)
        /// Most machines that said so came to something else than this one, after the message of a number.
        case differing(UInt64, String)

        /// For people.
        package var description: String {
            switch self {
            case .version(let version): "its form is \(version), and this program knows up to \(LoggedActions.version)"
            case .action(let reason): "it cannot be read: \(reason)"
            case .gap(let number): "message \(number) is missing"
            case .tooLong(let bytes): "an action has \(bytes) bytes, more than a message may have"
            case .differing(let number, let tables):
                "other machines came to something else by message \(number): \(tables)"
            }
        }
    }

    /// Who wrote it and which of theirs it is.
    package struct Heading: Codable, Hashable, Sendable {
        /// A start of a machine.
        package var origin: UInt64
        /// Counted from 0.
        package var number: UInt64
        /// What that machine came to, in the message that tells the others.
        package var comparison: Comparison?

        /// The message of a number from a start of a machine.
        package init(origin: UInt64, number: UInt64) { (self.origin, self.number) = (origin, number) }
    }

    package let heading: Heading
    private var reader: CompactReader

    /// A message as it was written.
    ///
    /// - Throws: ``Fault``.
    package init(_ bytes: [UInt8]) throws(Fault) {
        guard let version = bytes.first, (1...Self.version).contains(version) else {
            throw .version(bytes.first ?? 0)
        }
        reader = CompactReader(bytes, from: 1)
        do { heading = try reader.read() } catch { throw .action("\(error)") }
    }

    /// What it says is to be done.
    ///
    /// - Throws: ``Fault``.
    package func actions() throws(Fault) -> [LoggedAction] {
        var (reader, actions) = (reader, [LoggedAction]())
        do { while !reader.isAtEnd { actions.append(try reader.read()) } } catch { throw .action(Self.words(error)) }
        return actions
    }

    private static func words(_ error: any Error) -> String {
        if case DecodingError.dataCorrupted(let context) = error { return context.debugDescription }
        return "\(error)"
    }

    /// The first message of a log: it says only by whom it was begun.
    package static var first: [UInt8] {
        get throws {
            try message(Heading(origin: .random(in: 0...UInt64.max), number: 0), with: [], longest: .max).bytes
        }
    }

    /// A message with the first of some actions, as many as it has room for.
    ///
    /// - Returns: its bytes, and how many actions it has, at least one.
    /// - Throws: ``Fault/tooLong(_:)`` if it has no room for the first one.
    package static func message(
        _ heading: Heading, with actions: some Sequence<LoggedAction>, longest: Int
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
